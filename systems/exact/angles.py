"""Sine, cosine and directions for kernels, from + - * / sqrt only: the same bits on every machine."""

from __future__ import annotations

import numpy as np

from systems.engine.kernel import inlined

f32 = np.float32


@inlined
def sine_of_quarter(t):
    """Return sin(t * pi/2) for t in [-1, 1]: an odd polynomial, exact at -1, 0 and 1, elsewhere within 2e-11."""
    s = t * t
    even = 0.07969258530682317 + s * (-0.00468161514920827 + s * (0.00016021147907346 - s * 3.4159101632705e-06))
    return t * (1.5707963266081861 + s * (-0.6459640923347112 + s * even))


@inlined
def direction(turn):
    """Return the unit vector at `turn` turns (float64) from the x axis, counter-clockwise, two float32 values."""
    t = turn - np.floor(turn)
    quarter = np.floor(4.0 * t + 0.5)
    r = 4.0 * t - quarter
    s = sine_of_quarter(r)
    c = 1.0 - 2.0 * sine_of_quarter(0.5 * r) * sine_of_quarter(0.5 * r)
    q = int(quarter) & 3
    if q == 0:
        x, y = c, s
    elif q == 1:
        x, y = -s, c
    elif q == 2:
        x, y = -c, -s
    else:
        x, y = s, -c
    size = np.sqrt(x * x + y * y)
    return f32(x / size), f32(y / size)


@inlined
def cosine(degrees):
    """Return the cosine of an angle from 0 to 180 degrees, float32; exactly 1, 0, -1 at 0, 90, 180."""
    return f32(sine_of_quarter(1.0 - np.float64(degrees) / 90.0))
