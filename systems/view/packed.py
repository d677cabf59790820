"""Packs numbers into few bits, in formats that a shader unpacks."""

from __future__ import annotations

import numpy as np

from systems.engine.kernel import inlined

f32, i32, u32 = np.float32, np.int32, np.uint32
HALF_CIRCLE = 511  # steps of a heading
ROLL = 15  # steps of a bank
BRISK = 3.0  # rad/s: the rate of turn at which it banks half as far as it can
SHRUNK = f32(2.0**-112)  # the difference between the exponent biases of float32 and float16
LARGEST = f32(65504)  # of float16


@inlined
def upper_bits(value):
    """Return the bits of a float32, rounded to the upper 23; the lower 9 are 0."""
    return f32(value).view(u32) + u32(0x100) & u32(0xFFFFFE00)


@inlined
def float16(value):
    """Return the bits of a float32 as a float16, clamped to its range."""
    magnitude = (f32(min(abs(value), LARGEST) * SHRUNK).view(u32) + u32(0x1000)) >> u32(13)
    return magnitude | (u32(0x8000) if value < 0 else u32(0))


@inlined
def turned(x, y):
    """Pack a direction into 11 bits: y, scaled so that |x| + |y| = 1, in steps from 0 to 2 HALF_CIRCLE; and x's sign.

    (0, 0) becomes the direction of the x axis.
    """
    far = abs(x) + abs(y)
    steps = y / far * f32(HALF_CIRCLE) if far > 0 else f32(0)
    return u32(i32(steps + f32(HALF_CIRCLE + 0.5))) | (u32(0x400) if x < 0 else u32(0))


@inlined
def banked(turn):
    """Pack a rate of turn, rad/s, into 5 bits: how far it banks, in steps from 1 to 31; 16 is level."""
    return u32(i32(f32(ROLL) * turn / (f32(BRISK) + abs(turn)) + f32(ROLL + 1.5)))
