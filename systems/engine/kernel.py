"""How kernels are compiled: the same bits everywhere, when they are first called, and once for all (`kernel_cache.py`).

Loading numba takes half a second: a kernel is a `Late` until it is first called, so that what runs none, such as
`boids check`, does not wait for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, update_wrapper
from inspect import signature
from typing import Any

from systems.engine.interrupts import interrupted_at_end
from systems.engine.kernel_cache import Locator, cache_folder, is_cold

Function = Callable[..., Any]

before_compiling: Callable[[], None] | None = None  # what is done before the first call where no kernels are kept yet
_below: str | None = ""  # the folder of the cache in which kernels declared now are kept; None: they are not


class Late:
    """Something of numba's that is made when it is first needed; a kernel that uses it gets what was made."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    @cached_property
    def made(self) -> Any:
        return self._make()

    def __call__(self, *arguments: Any) -> Any:
        return self.made(*arguments)

    @property
    def _numba_type_(self) -> Any:
        """As what numba knows it where it is called from a function that somebody compiles without us."""
        return self.made._numba_type_


class Kernel(Late):
    """A function that is compiled when it is first called.

    Attributes:
        py_func: the function as it was written, as numba calls it.
    """

    def __init__(self, function: Function, **options: Any) -> None:
        super().__init__(lambda: _compiled(function, options))
        self.py_func, self._was_called = function, False
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        if self._was_called:
            return self.made(*arguments)
        global before_compiling
        if before_compiling is not None:
            prepare, before_compiling = before_compiling, None
            if is_cold():
                prepare()
        names, name = vars(sys.modules.get(self.__module__, self)), self.py_func.__name__
        if names.get(name) is self:
            names[name] = self.made  # from now on its module calls it directly
        with interrupted_at_end():  # one that comes while LLVM calls Python back would be lost
            result = self.made(*arguments)
        self._was_called = True
        return result


def _prange() -> Any:
    import numba

    return numba.prange


prange: Any = Late(_prange)


@contextmanager
def cached_apart(folder: str | None) -> Iterator[None]:
    """Kernels declared within have a cache of their own below that of ours; None: they are not cached.

    Those of mods: what changes in a mod must not meet what is left of an older one.
    """
    global _below
    before, _below = _below, folder
    try:
        yield
    finally:
        _below = before


def kernel(function: Function) -> Function:
    """Compile a function that systems call: numba's `njit`, cached, exact (no fastmath), running without the GIL.

    It takes arrays and numbers, and calls other kernels and `inlined` functions; division by zero gives inf or nan.
    """
    return Kernel(function, below=_below)


def parallel_kernel(function: Function) -> Function:
    """The same for one that runs on all threads; each index of its `prange` writes only its own output.

    Writes to columns of a named tuple that stand in the `prange` body itself are lost, without a word from numba
    (0.68): let the body call an `inlined` function that writes.
    """
    return Kernel(function, below=_below, parallel=True)


def for_each_row(function: Function) -> Function:
    """Make of a function for one row a kernel that runs it for many, on all threads: `rows` go in place of `row`.

        @for_each_row
        def _fall(row, motion, gravity):
            motion[row].acceleration_y -= gravity

        _fall(rows, motion, f32(9.81))

    The function is `inlined`. For each row it writes only into what belongs to that row.
    """
    return looping(function, "(rows, {given}):\n    for k in prange(len(rows)):\n        one(rows[k], {given})\n")


def looping(function: Function, loop: str, **names: Any) -> Function:
    """Make of a function a parallel kernel that calls it in a loop.

    Args:
        loop: the kernel's text behind its name. There the function, which is `inlined`, is called `one`, and `{given}`
            stands for its arguments but the first.
        names: what the text names beside `one` and `prange`.
    """
    given = ", ".join([*signature(function).parameters][1:])
    names |= {"prange": prange, "one": inlined(function), "__name__": function.__module__}
    text = f"def {function.__name__}{loop.format(given=given)}"
    exec(compile(text, f"<{function.__module__}.{function.__name__}>", "exec"), names)
    return parallel_kernel(names[function.__name__])


def subroutine(function: Function) -> Function:
    """Compile a function that kernels call rarely enough to pay for a call; it may make arrays."""
    return Kernel(function)


def outlined(function: Function) -> Function:
    """Compile a function that kernels call for a few boids only, kept out of their loops; it can make no arrays."""
    return Kernel(function, _nrt=False)


def inlined(function: Function) -> Function:
    """Compile a function that becomes part of the kernels that call it; it can make no arrays.

    numba counts references to arrays with atomic operations: per boid they would cost more than flocking does. A
    function that makes no array needs no counting.
    """
    return Kernel(function, forceinline=True, _nrt=False)


def _compiled(function: Function, options: dict[str, Any]) -> Any:
    import llvmlite.binding
    import numba

    # One accumulator per sum: with several, candidates beyond the last full round of them run one by one.
    llvmlite.binding.set_option("boids", "-force-vector-interleave=1")
    names = function.__globals__
    for name in function.__code__.co_names:  # attributes too: one may bear the name of the function itself
        late = names.get(name)
        if isinstance(late, Late) and getattr(late, "py_func", None) is not function:
            names[name] = late.made
    below, folder = options.pop("below", None), cache_folder()
    if folder is None or below is None:
        return numba.njit(error_model="numpy", nogil=True, **options)(function)
    from numba.core import caching

    keeper: Any = caching.CompileResultCacheImpl  # a setting for this is in newer versions of numba only
    Locator.folder, Locator.options = folder / below, repr(sorted(options.items()))
    before, keeper._locator_classes = keeper._locator_classes, [Locator]
    try:
        return numba.njit(error_model="numpy", nogil=True, cache=True, **options)(function)
    finally:
        keeper._locator_classes = before
