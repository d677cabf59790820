"""Functions of vectors in kernels, which do the same with the numbers of each axis: see `vector.py`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import update_wrapper
from inspect import signature
from typing import Any

from systems.engine.kernel import Function, Kernel, Late, inlined


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
