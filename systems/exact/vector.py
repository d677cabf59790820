"""Vectors in kernels: tuples of two numbers, or of three where the world has depth.

Each function is compiled for the tuples that it is called with, so none of them looks at the number of axes while it
runs; it refuses vectors of different lengths. In a kernel `if len(a) == 2` leaves out the other branch only if `a` is
an argument of the function. In the table a vector is a few items of a record, and in a spatial index
it is a tuple of arrays:

    read(position[row])               put(position[row], a)           of a record: Position or Velocity
    read_previous(position[row])      put_previous(position[row], a)
    read_acceleration(motion[row])    accelerate(motion[row], a)
    element(places, k)                set_element(places, k, a)       of arrays
    torus_in(cells)                                                   of items of a named tuple: see `items_of`
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import update_wrapper
from inspect import signature
from typing import Any

import numpy as np

from systems.engine.kernel import Function, Kernel, Late, inlined

f32, i32, i64 = np.float32, np.int32, np.int64
ZERO, ONE, TWO, HALF = f32(0), f32(1), f32(2), f32(0.5)
AXES = "xyz"


def refuse_unlike(kinds: Iterable[Any]) -> None:
    """Raise numba's TypingError if vectors of these types have different lengths."""
    from numba import types
    from numba.core.errors import TypingError

    lengths = {len(kind) for kind in kinds if isinstance(kind, types.Tuple | types.UniTuple)}
    if len(lengths) > 1:
        raise TypingError(f"vectors of {min(lengths)} and {max(lengths)} numbers: they must have the same number")


def _make_alike() -> Any:
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def alike(_: Any, values: Any) -> Any:
        refuse_unlike(values)
        return types.none(values), lambda context, builder, signature, arguments: context.get_dummy_value()

    return alike


alike: Any = Late(_make_alike)
"""alike((a, b, ...)), in a kernel: refuse to compile it if these vectors have different lengths."""


class OnEachAxis(Late):
    """A function of vectors, which kernels call without a function of its own: numba would compile that for each type.

    Attributes:
        py_func: the function of numbers; numba uses the same name.
    """

    def __init__(self, function: Function) -> None:
        super().__init__(lambda: _intrinsic(self))
        one: Any = function if isinstance(function, Kernel) else inlined(function)
        self.one, self.py_func = one, one.py_func
        update_wrapper(self, self.py_func)
        self.called = Kernel(_made_from("{name}({given})", self, {"_on_each": self}, "_on_each({given})"))

    @property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target

        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(self.made)


def on_each_axis(function: Function) -> Function:
    """Make a function of vectors that calls a function of their numbers for each axis; its first argument is a vector.

        @on_each_axis
        def sub(a, b):
            return a - b

    Arguments that are no vectors are the same for all axes.
    """
    return OnEachAxis(function)


def _made_from(head: str, on_each: OnEachAxis, names: dict[str, Any], result: str) -> Function:
    """Make a function from text: numba asks for one with the names of all arguments."""
    name, given = on_each.py_func.__name__, ", ".join(signature(on_each.py_func).parameters)
    names["__name__"] = on_each.__module__
    text = f"def {head}:\n    return {result}\n".format(name=name, given=given)
    exec(compile(text, f"<{on_each.__module__}.{name}>", "exec"), names)
    made: Function = names[name]
    return made


def _intrinsic(on_each: OnEachAxis) -> Any:
    from numba import types
    from numba.core.errors import TypingError
    from numba.extending import intrinsic

    function = on_each.one.made

    def is_vector(kind: Any) -> bool:
        return isinstance(kind, types.Tuple | types.UniTuple)

    def resolve(typing: Any, *given: Any) -> Any:
        if not is_vector(given[0]):
            raise TypingError(
                f"{on_each.py_func.__name__}({given[0]}): must be a vector: a tuple of two or three numbers"
            )
        refuse_unlike(given)
        of_each = [tuple(kind[k] if is_vector(kind) else kind for kind in given) for k in range(len(given[0]))]
        one = typing.resolve_value_type(function)
        calls = [typing.resolve_function_type(one, kinds, {}) for kinds in of_each]
        returned: Any = types.Tuple([call.return_type for call in calls])  # type: ignore[no-untyped-call]

        def generate(context: Any, builder: Any, wanted: Any, values: Any) -> Any:
            numbers = []
            for k, call in enumerate(calls):
                caller = context.get_function(one, call)
                context.add_linking_libs(getattr(caller, "libs", ()))
                pairs = zip(values, given, strict=True)
                own = [builder.extract_value(value, k) if is_vector(kind) else value for value, kind in pairs]
                numbers.append(caller(builder, own))
            return context.make_tuple(builder, wanted.return_type, numbers)

        return returned(*given), generate

    made: Any = intrinsic(
        _made_from("{name}(_typing, {given})", on_each, {"_resolve": resolve}, "_resolve(_typing, {given})")
    )
    made.__class__ = type("CalledIntrinsic", (type(made),), {"__call__": lambda _, *values: on_each.called(*values)})
    return made


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


def reading_of(prefix: str) -> Any:
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


def writing_of(prefix: str) -> Any:
    """Make a function of a record and a vector that sets the record's items prefix + x, y and z."""

    def make() -> Any:
        from numba import types
        from numba.core.errors import TypingError
        from numba.extending import intrinsic

        @intrinsic
        def writing(_: Any, record: Any, value: Any) -> Any:
            names = _items(record, prefix)
            if len(names) != len(value):
                raise TypingError(
                    f"a vector of {len(value)} numbers: it must have {len(names)}, for {', '.join(names)}"
                )

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                for k, name in enumerate(names):
                    number = builder.extract_value(arguments[1], k)
                    item = record.typeof(name)
                    number = context.cast(builder, number, value.types[k], item)
                    set_item = context.get_setattr(name, types.none(record, item))
                    set_item(builder, (arguments[0], number))
                return context.get_dummy_value()

            return types.none(record, value), generate

        return writing

    return Late(make)


def items_of(prefix: str) -> Any:
    """Make a function of a named tuple that returns its items prefix + x, y and, if it has depth, z, as a tuple."""

    def make() -> Any:
        from numba import types
        from numba.core.errors import TypingError
        from numba.core.imputils import impl_ret_borrowed
        from numba.extending import intrinsic

        borrowed: Any = impl_ret_borrowed

        @intrinsic
        def items(_: Any, named: Any) -> Any:
            if not hasattr(named, "fields") or not hasattr(named, "types"):
                raise TypingError(f"must be a named tuple, not {type(named).__name__}")
            there = [named.fields.index(name) for axis in AXES if (name := prefix + axis) in named.fields]

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                values = [builder.extract_value(arguments[0], index) for index in there]
                made = context.make_tuple(builder, signature.return_type, values)
                return borrowed(context, builder, signature.return_type, made)

            returned: Any = types.Tuple([named.types[index] for index in there])  # type: ignore[no-untyped-call]
            return returned(named), generate

        return items

    return Late(make)


def part_of(prefix: str, kind: Any) -> Any:
    """Make a function of a named tuple that returns those of its items whose names begin so, as a named tuple `kind`.

    The arguments of parallel kernels can't hold tuples within tuples: so two of them are given as one.
    """

    def make() -> Any:
        from numba import types
        from numba.core.imputils import impl_ret_borrowed
        from numba.extending import intrinsic

        borrowed: Any = impl_ret_borrowed

        @intrinsic
        def part(_: Any, named: Any) -> Any:
            there = [named.fields.index(prefix + name) for name in kind._fields]
            returned: Any = types.BaseTuple

            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                values = [builder.extract_value(arguments[0], index) for index in there]
                made = context.make_tuple(builder, signature.return_type, values)
                return borrowed(context, builder, signature.return_type, made)

            return returned.from_types([named.types[index] for index in there], kind)(named), generate

        return part

    return Late(make)


def _items(record: Any, prefix: str) -> list[str]:
    from numba import types
    from numba.core.errors import TypingError

    if not isinstance(record, types.Record):
        raise TypingError(f"must be a record of a component, such as data.position[row], not {type(record).__name__}")
    return [prefix + axis for axis in AXES if prefix + axis in record.fields]


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
