"""Vectors in kernels: tuples of two numbers, or of three where the world has depth.

Each function is compiled for the tuples that it is called with, so none of them looks at the number of axes while it
runs; it refuses vectors of different lengths. In a kernel `if len(a) == 2` leaves out the other branch only if `a` is
an argument of the function. In the table a vector is a few items of a record, and in a spatial index
it is a tuple of arrays:

    read(position[row])               put(position[row], a)           of a record: Position or Velocity
    read_previous(position[row])      put_previous(position[row], a)
    read_acceleration(motion[row])    accelerate(motion[row], a)
    element(places, k)                set_element(places, k, a)       of arrays
    torus_in(cells)                                                   of items of a named tuple: see `items.py`
"""

from __future__ import annotations

from typing import Any

import numpy as np

from systems.engine.kernel import inlined
from systems.exact.items import reading_of, writing_of
from systems.exact.on_each_axis import alike, on_each_axis

f32, i32, i64 = np.float32, np.int32, np.int64
ZERO, ONE, TWO, HALF = f32(0), f32(1), f32(2), f32(0.5)


@on_each_axis
def add(a, b):
    """Return a + b."""
    return a + b


@on_each_axis
def sub(a, b):
    """Return a - b."""
    return a - b


@on_each_axis
def scaled(a, factor):
    """Return a * factor."""
    return a * factor


@on_each_axis
def negated(a):
    """Return -a."""
    return -a


@on_each_axis
def divided(a, divisor):
    """Return a / divisor."""
    return a / divisor


@on_each_axis
def lower(a, b):
    """Return the lower of a and b along each axis."""
    return min(a, b)


@on_each_axis
def higher(a, b):
    """Return the higher of a and b along each axis."""
    return max(a, b)


@inlined
def dot(a, b):
    """Return the dot product of a and b."""
    alike((a, b))
    if len(a) == 2:
        return a[0] * b[0] + a[1] * b[1]
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def length(a):
    """Return the length of a."""
    return np.sqrt(dot(a, a))


@inlined
def unit(a):
    """Return the unit vector in the direction of a; the zero vector for the zero vector."""
    size = length(a)
    if size > ZERO:
        return divided(a, size)
    return filled(a, ZERO)


@inlined
def limited(a, most):
    """Return a, shortened to length `most` if it is longer; `most` = 0 means no limit."""
    if most > ZERO:
        size = length(a)
        if size > most:
            return scaled(a, most / size)
    return a


@on_each_axis
def filled(a, number):
    """Return a vector like a of which each element is this number."""
    return number


@inlined
def largest(a):
    """Return the largest absolute value of a's elements."""
    return max(abs(a[0]), abs(a[1])) if len(a) == 2 else max(abs(a[0]), max(abs(a[1]), abs(a[2])))


@inlined
def product(a):
    """Return the product of a's elements."""
    return a[0] * a[1] if len(a) == 2 else a[0] * a[1] * a[2]


@inlined
def total(a):
    """Return the sum of a's elements."""
    return a[0] + a[1] if len(a) == 2 else a[0] + a[1] + a[2]


@inlined
def is_zero(a):
    """Return whether a is the zero vector."""
    if len(a) == 2:
        return a[0] == ZERO and a[1] == ZERO
    return a[0] == ZERO and a[1] == ZERO and a[2] == ZERO


@inlined
def all_of(a):
    """Return whether all elements of a are true."""
    return a[0] and a[1] if len(a) == 2 else a[0] and a[1] and a[2]


@inlined
def in_plane(a):
    """Return a without its third element."""
    return a[0], a[1]


@inlined
def lifted(a, like):
    """Return a vector of the plane with as many elements as `like`: with depth, its third is 0."""
    return moved_in_plane(filled(like, a[0] - a[0]), a)


@inlined
def moved_in_plane(a, to):
    """Return a with its first two elements replaced by those of `to`."""
    return (to[0], to[1]) if len(a) == 2 else (to[0], to[1], a[2])


@on_each_axis
def to_f32(a):
    """Return a with float32 elements."""
    return f32(a)


@on_each_axis
def to_f64(a):
    """Return a with float64 elements."""
    return np.float64(a)


@on_each_axis
def to_i32(a):
    """Return a with int32 elements, truncated."""
    return i32(a)


@on_each_axis
def to_i64(a):
    """Return a with int64 elements, truncated."""
    return i64(a)


@inlined
def left_of(a):
    """Return a vector in the plane, turned to the left by a quarter."""
    return -a[1], a[0]


@inlined
def cross(a, b):
    """Return the cross product of two vectors; in the plane a number, above 0 if b points to the left of a."""
    z = a[0] * b[1] - a[1] * b[0]
    if len(a) == 2:
        return z
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], z


@inlined
def rotated(a, by):
    """Return a vector in the plane, rotated by the angle from the x axis to the unit vector `by`."""
    return a[0] * by[0] - a[1] * by[1], a[0] * by[1] + a[1] * by[0]


@on_each_axis
def element(arrays, k):
    """Return the k-th vector of a tuple of arrays."""
    return arrays[k]


@on_each_axis
def set_element(arrays, k, a):
    """Set the k-th vector of a tuple of arrays."""
    arrays[k] = a


@on_each_axis
def add_element(arrays, k, a):
    """Add a vector to the k-th of a tuple of arrays."""
    arrays[k] += a


read: Any = reading_of("")
"""read(record), in a kernel: the Position or Velocity that a record holds."""

put: Any = writing_of("")
"""put(record, a): set the Position or Velocity that a record holds."""

read_previous: Any = reading_of("previous_")
"""read_previous(record): the previous position that a record of Position holds."""

put_previous: Any = writing_of("previous_")
"""put_previous(record, a): set the previous position that a record of Position holds."""

read_acceleration: Any = reading_of("acceleration_")
"""read_acceleration(record): the acceleration that a record of Motion holds."""

put_acceleration: Any = writing_of("acceleration_")
"""put_acceleration(record, a): set the acceleration that a record of Motion holds."""


@inlined
def accelerate(motion, a):
    """Add a vector, rounded to float32, to the acceleration that a record of Motion holds."""
    put_acceleration(motion, add(read_acceleration(motion), to_f32(a)))
