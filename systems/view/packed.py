"""Numbers in few bits, as a shader unpacks them."""

from __future__ import annotations

import numpy as np

from systems.engine.kernel import inlined

f32, i32, u32 = np.float32, np.int32, np.uint32
HALF_CIRCLE = 16383  # steps of a heading
SHRUNK = f32(2.0**-112)  # float16 has an exponent less by so much
LARGEST = f32(65504)  # that float16 can hold


@inlined
def upper_bits(value):
    """The bits of a float32, rounded to the upper 24; the last 8 are 0."""
    return f32(value).view(u32) + u32(0x80) & u32(0xFFFFFF00)


@inlined
def float16(value):
    """The bits of a float32 as a float16, no larger than it can hold."""
    magnitude = (f32(min(abs(value), LARGEST) * SHRUNK).view(u32) + u32(0x1000)) >> u32(13)
    return magnitude | (u32(0x8000) if value < 0 else u32(0))


@inlined
def turned(x, y):
    """A direction in 16 bits: y where |x| + |y| = 1, in steps from 0 to 2 HALF_CIRCLE, and whether x is below 0.

    At rest: along x.
    """
    far = abs(x) + abs(y)
    steps = y / far * f32(HALF_CIRCLE) if far > 0 else f32(0)
    return u32(i32(steps + f32(HALF_CIRCLE + 0.5))) | (u32(0x8000) if x < 0 else u32(0))
