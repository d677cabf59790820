"""Vectors in kernels: tuples of two numbers, or of three where the world has depth.

Each function is compiled for the tuples that it is called with, so none of them looks at the number of dimensions while
it runs. In the table a vector is a few items of a record, and in an index it is a tuple of arrays:

    read(position[row])               put(position[row], a)           of a record: Position or Velocity
    read_previous(position[row])      put_previous(position[row], a)
    read_acceleration(motion[row])    accelerate(motion[row], a)
    element(places, k)                set_element(places, k, a)       of arrays
"""

from __future__ import annotations

from typing import Any

import numpy as np

from systems.engine.kernel import Late, inlined

f32, i32, i64 = np.float32, np.int32, np.int64
ZERO, ONE, TWO, HALF = f32(0), f32(1), f32(2), f32(0.5)
AXES = "xyz"


@inlined
def add(a, b):
    """Return a + b."""
    if len(a) == 2:
        return a[0] + b[0], a[1] + b[1]
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined
def sub(a, b):
    """Return a - b."""
    if len(a) == 2:
        return a[0] - b[0], a[1] - b[1]
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined
def scaled(a, factor):
    """Return a * factor."""
    if len(a) == 2:
        return a[0] * factor, a[1] * factor
    return a[0] * factor, a[1] * factor, a[2] * factor


@inlined
def divided(a, divisor):
    """Return a / divisor."""
    if len(a) == 2:
        return a[0] / divisor, a[1] / divisor
    return a[0] / divisor, a[1] / divisor, a[2] / divisor


@inlined
def dot(a, b):
    """Return the dot product of a and b."""
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


@inlined
def filled(a, number):
    """Return a vector like a of which each component is this number."""
    return (number, number) if len(a) == 2 else (number, number, number)


@inlined
def largest(a):
    """Return the largest absolute value of a's components."""
    return max(abs(a[0]), abs(a[1])) if len(a) == 2 else max(abs(a[0]), max(abs(a[1]), abs(a[2])))


@inlined
def is_zero(a):
    """Return whether a is the zero vector."""
    if len(a) == 2:
        return a[0] == ZERO and a[1] == ZERO
    return a[0] == ZERO and a[1] == ZERO and a[2] == ZERO


@inlined
def to_f32(a):
    """Return a with float32 components."""
    return (f32(a[0]), f32(a[1])) if len(a) == 2 else (f32(a[0]), f32(a[1]), f32(a[2]))


@inlined
def to_f64(a):
    """Return a with float64 components."""
    if len(a) == 2:
        return np.float64(a[0]), np.float64(a[1])
    return np.float64(a[0]), np.float64(a[1]), np.float64(a[2])


@inlined
def to_i32(a):
    """Return a with int32 components, truncated."""
    return (i32(a[0]), i32(a[1])) if len(a) == 2 else (i32(a[0]), i32(a[1]), i32(a[2]))


@inlined
def to_i64(a):
    """Return a with int64 components, truncated."""
    return (i64(a[0]), i64(a[1])) if len(a) == 2 else (i64(a[0]), i64(a[1]), i64(a[2]))


@inlined
def left_of(a):
    """Return a vector in the plane, turned to the left by a quarter."""
    return -a[1], a[0]


@inlined
def cross(a, b):
    """Return the cross product of two vectors in the plane: above 0 if b points to the left of a."""
    return a[0] * b[1] - a[1] * b[0]


@inlined
def rotated(a, by):
    """Return a vector in the plane, rotated by the angle from the x axis to the unit vector `by`."""
    return a[0] * by[0] - a[1] * by[1], a[0] * by[1] + a[1] * by[0]


@inlined
def element(arrays, k):
    """Return the k-th vector of a tuple of arrays."""
    return (arrays[0][k], arrays[1][k]) if len(arrays) == 2 else (arrays[0][k], arrays[1][k], arrays[2][k])


@inlined
def set_element(arrays, k, a):
    """Set the k-th vector of a tuple of arrays."""
    arrays[0][k], arrays[1][k] = a[0], a[1]
    if len(arrays) == 3:
        arrays[2][k] = a[2]


@inlined
def add_element(arrays, k, a):
    """Add a vector to the k-th of a tuple of arrays."""
    set_element(arrays, k, add(element(arrays, k), a))


def _reading(prefix: str) -> Any:
    """Make a function of a record that returns its items prefix + x, y and, if it has depth, z, as a tuple."""

    def make() -> Any:
        from numba import types
        from numba.extending import intrinsic

        @intrinsic
        def reading(_: Any, record: Any) -> Any:
            names = _items(record, prefix)

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                values = [context.get_getattr(record, n)(context, builder, record, arguments[0], n) for n in names]
                return context.make_tuple(builder, signature.return_type, values)

            made: Any = types.UniTuple
            return made(record.typeof(names[0]), len(names))(record), generate

        return reading

    return Late(make)


def _writing(prefix: str) -> Any:
    """Make a function of a record and a vector that sets the record's items prefix + x, y and z."""

    def make() -> Any:
        from numba import types
        from numba.extending import intrinsic

        @intrinsic
        def writing(_: Any, record: Any, value: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                for k, name in enumerate(_items(record, prefix)):
                    number = builder.extract_value(arguments[1], k)
                    item = record.typeof(name)
                    number = context.cast(builder, number, value.types[k], item)
                    set_item = context.get_setattr(name, types.none(record, item))
                    set_item(builder, (arguments[0], number))
                return context.get_dummy_value()

            return types.none(record, value), generate

        return writing

    return Late(make)


def _items(record: Any, prefix: str) -> list[str]:
    return [prefix + axis for axis in AXES if prefix + axis in record.fields]


read: Any = _reading("")
"""read(record), in a kernel: the Position or Velocity that a record holds."""

put: Any = _writing("")
"""put(record, a): set the Position or Velocity that a record holds."""

read_previous: Any = _reading("previous_")
"""read_previous(record): the previous position that a record of Position holds."""

put_previous: Any = _writing("previous_")
"""put_previous(record, a): set the previous position that a record of Position holds."""

read_acceleration: Any = _reading("acceleration_")
"""read_acceleration(record): the acceleration that a record of Motion holds."""

put_acceleration: Any = _writing("acceleration_")
"""put_acceleration(record, a): set the acceleration that a record of Motion holds."""


@inlined
def accelerate(motion, a):
    """Add a vector, rounded to float32, to the acceleration that a record of Motion holds."""
    put_acceleration(motion, add(read_acceleration(motion), to_f32(a)))
