"""Fixed point: numbers as whole multiples of 1 / scale, whose sums do not depend on the order of terms."""

from __future__ import annotations

import numpy as np

from components.store.fields import AMOUNT_SCALE
from systems.engine.kernel import inlined
from systems.exact.on_each_axis import on_each_axis

f32, f64, i32, i64 = np.float32, np.float64, np.int32, np.int64
BLOCK = 240  # terms that are added in int32; below 256, so that four counts share one int32, a byte each
VELOCITY_SCALE = float(1 << 28)  # a million velocities of at most 1e4 u/s fit an int64 sum
SHARE_SCALE = float(1 << 40)  # and so do a million numbers of at most 1


@inlined
def fixed(value, scale):
    """Convert a value to units of 1 / scale, int64; scale is a float64."""
    return i64(np.floor(f64(value) * scale + 0.5))


@inlined
def scale_for(most):
    """Return the power of two as a scale with which BLOCK terms up to `most` (float32) fit an int32 sum."""
    exponent = (f32(most).view(np.int32) >> i32(23)) - 126  # most < 2**exponent
    return i32((min(max(int(23 - exponent), -60), 60) + 127) << 23).view(np.float32)


@inlined
def exact_scale(most):
    """Return the power of two as a scale with which a million terms up to `most` (float32) fit an int64 sum."""
    return f64(scale_for(most)) * (1 << 18)


fixed_vector = on_each_axis(fixed)
"""fixed_vector(a, scale): a vector in units of 1 / scale, int64."""


# ---- rates and times in units of 1 / AMOUNT_SCALE


def elapsed(tick: int, tick_rate: int) -> int:
    """Return the duration of a tick in units of 1 / AMOUNT_SCALE s; the ticks of a second add up to exactly 1 s."""
    return (tick + 1) * AMOUNT_SCALE // tick_rate - tick * AMOUNT_SCALE // tick_rate


@inlined
def per_tick(rate, tick_rate):
    """Convert a rate per second to units of 1 / AMOUNT_SCALE per tick, int64."""
    return i64(np.floor(f64(rate) * AMOUNT_SCALE / tick_rate + 0.5))
