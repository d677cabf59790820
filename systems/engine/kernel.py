"""Decorators that compile kernels: lazily, cached (`kernel_cache.py`), and with the same results on every machine.

Importing numba takes half a second. A kernel is a `Late` until its first call, so that commands without kernels, such
as `boids check`, don't import it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, update_wrapper
from pathlib import Path
from typing import Any

from systems.engine.file_lock import Lock
from systems.engine.interrupts import interrupted_at_end
from systems.engine.kernel_cache import Locator, cache_folder, turn

Function = Callable[..., Any]

before_compiling: Callable[[], None] | None = None  # called once, before a kernel is compiled that is not in the cache
_calls = threading.local()  # `first`: whether this thread calls a kernel for the first time
_below: str | None = ""  # the subfolder of the cache for kernels declared now; None: they are not cached
_declared: list[Kernel] | None = None  # gets the kernels that are declared now


class NotCachedError(Exception):
    """A kernel must be compiled, and somebody asked to be called before that."""


class Late:
    """An object that needs numba, made when it is first used; kernels that use it get the object itself."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    @cached_property
    def made(self) -> Any:
        return self._make()

    def __call__(self, *arguments: Any) -> Any:
        return self.made(*arguments)

    @property
    def _numba_type_(self) -> Any:
        """The object's numba type, for functions that are compiled by numba directly."""
        return self.made._numba_type_


class Kernel(Late):
    """A function that is compiled when it is first called.

    Attributes:
        py_func: the Python function; numba uses the same name.
    """

    def __init__(self, function: Function, **options: Any) -> None:
        super().__init__(lambda: _compiled(function, options))
        self.py_func, self._was_called = function, False
        update_wrapper(self, function)
        if _declared is not None:
            _declared.append(self)

    def __call__(self, *arguments: Any) -> Any:
        if self._was_called:
            return self.made(*arguments)
        try:
            result = self._called_first(arguments)
        except NotCachedError:
            global before_compiling
            prepare, before_compiling = before_compiling, None
            if prepare is not None:
                prepare()
            result = self._called_first(arguments)
        self._was_called = True
        return result

    def _called_first(self, arguments: tuple[Any, ...]) -> Any:
        if before_compiling is not None and cache_folder() is None:
            raise NotCachedError
        names, name = vars(sys.modules.get(self.__module__, self)), self.py_func.__name__
        if names.get(name) is self:
            names[name] = self.made  # from now on code in its module calls the compiled function directly
        _calls.first = True
        try:
            with interrupted_at_end():  # an exception in a callback from LLVM would be lost
                return self.made(*arguments)
        finally:
            _calls.first = False


def _prange() -> Any:
    import numba

    return numba.prange


prange: Any = Late(_prange)


@contextmanager
def cached_apart(folder: str | None) -> Iterator[list[Kernel]]:
    """Cache the kernels declared in this context in a subfolder; None: don't cache them. Provide a list of them.

    For mods: a changed mod must not use the cached kernels of an older version.
    """
    global _below, _declared
    before, (_below, _declared) = (_below, _declared), (folder, [])
    try:
        yield _declared
    finally:
        _below, _declared = before


def kernel(function: Function) -> Function:
    """Compile a function that systems call: numba's `njit`, cached, without fastmath, releasing the GIL.

    Its arguments are arrays and numbers. It may call other kernels and `inlined` functions. Division by zero gives inf
    or nan.
    """
    return Kernel(function, below=_below)


def parallel_kernel(function: Function) -> Function:
    """Compile a kernel that runs on all threads; each iteration of its `prange` must write only its own output.

    numba (0.68) silently loses writes to arrays in a named tuple if they are in the `prange` body itself: let the body
    call an `inlined` function that writes.
    """
    return Kernel(function, below=_below, parallel=True)


def subroutine(function: Function) -> Function:
    """Compile a function that kernels call so rarely that the cost of a call does not matter; it may make arrays."""
    return Kernel(function, fragment=True)


def outlined(function: Function) -> Function:
    """Compile a function that kernels call for few boids only, and that is not inlined; it can't make arrays."""
    return Kernel(function, fragment=True, _nrt=False)


def inlined(function: Function) -> Function:
    """Compile a function that is inlined into the kernels that call it; it can't make arrays.

    numba counts references to arrays with atomic operations; for each boid these would take longer than flocking. A
    function that makes no arrays needs no counting.
    """
    return Kernel(function, fragment=True, forceinline=True, _nrt=False)


def release(kernels: Iterable[Kernel]) -> None:
    """Let go of kernels that nobody uses any more.

    numba keeps a compiled function for ever in a table for functions that call it, and with it the whole namespace of
    its module.
    """
    for made in [vars(kernel)["made"] for kernel in kernels if "made" in vars(kernel)]:
        for compiled in made.overloads.values():
            with suppress(KeyError):
                made.targetctx.remove_user_function(compiled.entry_point)
        made.overloads.clear()


def _compiled(function: Function, options: dict[str, Any]) -> Any:
    import llvmlite.binding
    import numba

    from systems.engine import kernel_fragments

    # One accumulator per sum: with several, the candidates after the last full round of the loop would run one by one.
    llvmlite.binding.set_option("boids", "-force-vector-interleave=1")
    names = function.__globals__
    for name in function.__code__.co_names:  # co_names has attributes too: one may have the name of the function itself
        late = names.get(name)
        if isinstance(late, Late) and getattr(late, "py_func", None) is not function:
            names[name] = late.made
    is_fragment, below, folder = options.pop("fragment", False), options.pop("below", None), cache_folder()
    usual: dict[str, Any] = {"error_model": "numpy", "nogil": True}
    if is_fragment:
        return kernel_fragments.made_fragment(function, Kernel(function), **usual, **options)
    usual["pipeline_class"] = kernel_fragments.KernelCompiler
    if folder is None or below is None:
        return kernel_fragments.without_failures(numba.njit(**usual, **options)(function))
    from numba.core import caching

    keeper: Any = caching.CompileResultCacheImpl  # only newer versions of numba have a setting for this
    Locator.folder, Locator.options = folder / below, repr(sorted(options.items()))
    before, keeper._locator_classes = keeper._locator_classes, [Locator]
    try:
        made: Any = kernel_fragments.without_failures(numba.njit(cache=True, **usual, **options)(function))
        if not below:  # a mod's are not compiled beforehand
            _compile_once(made, folder / made._cache._impl.locator.get_source_stamp())
        return made
    finally:
        keeper._locator_classes = before


def _compile_once(made: Any, path: Path) -> None:
    """Let only one process compile a kernel, for which others wait; `path`: of its lock, without an ending.

    Its first call raises NotCachedError if the cache does not have it and `before_compiling` is set.
    """
    load, compiled = made._cache.load_overload, made.compile
    turns: list[Lock | None] = []

    def load_or_compile(signature: Any, target: Any) -> Any:
        found = load(signature, target)
        if found is None and before_compiling is not None and getattr(_calls, "first", False):
            raise NotCachedError
        if found is None and not turns:
            turns.append(turn(path))
            found = load(signature, target)  # another process may have compiled it meanwhile
        return found

    def compile_in_turn(signature: Any) -> Any:
        try:
            return compiled(signature)
        finally:
            while turns:
                if lock := turns.pop():
                    lock.remove()

    made._cache.load_overload, made.compile = load_or_compile, compile_in_turn
