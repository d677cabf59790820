"""Functions that take vectors out of records and named tuples in kernels, and put them there."""

from __future__ import annotations

from typing import Any

from components.store.fields import DEEP
from systems.engine.kernel import Late


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
            there = [named.fields.index(name) for axis in DEEP if (name := prefix + axis) in named.fields]

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
    return [prefix + axis for axis in DEEP if prefix + axis in record.fields]
