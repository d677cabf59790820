"""Rates and times in whole units of 1 / AMOUNT_SCALE, so that sums are exact."""

from __future__ import annotations

import numpy as np

from components.store.fields import AMOUNT_SCALE
from systems.engine.kernel import inlined

f64, i64 = np.float64, np.int64


def elapsed(tick: int, tick_rate: int) -> int:
    """Return the duration of a tick in units of 1 / AMOUNT_SCALE s; the ticks of a second add up to exactly 1 s."""
    return (tick + 1) * AMOUNT_SCALE // tick_rate - tick * AMOUNT_SCALE // tick_rate


@inlined
def per_tick(rate, tick_rate):
    """Convert a rate per second to units of 1 / AMOUNT_SCALE per tick, int64."""
    return i64(np.floor(f64(rate) * AMOUNT_SCALE / tick_rate + 0.5))
