"""Fragments of kernels: functions that become machine code only within the kernels that call them.

numba optimises and translates each function together with all that it calls. What a function calls that a kernel calls
would be optimised three times, although nobody else calls it. The code of a `Fragment` is linked into its callers as it
is, so that all is optimised once, in the kernel. Results are the same: no optimisation used here may change a float.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

PARFOR = "__numba_parfor_gufunc"  # begins the name of the function that numba makes of the body of a `prange`


class Fragment(JITCodeLibrary):
    """The code of a function that is linked into others."""

    is_called_by_python = True
    _is_translated = False

    def finalize(self) -> None:
        """Link what it calls; optimise and translate nothing."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._final_module.verify()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function; 0 if it is called by other functions only."""
        self._ensure_finalized()
        if not self.is_called_by_python or self.name.startswith(PARFOR):
            return 0
        if not self._is_translated:  # somebody's own `numba.njit` that a kernel calls
            self._optimize_final_module()
            self._finalize_final_module()
        return int(super().get_pointer_to_function(name))

    def _finalize_final_module(self) -> None:
        """Translate the code; numba calls this for a kernel from the cache that another kernel calls."""
        super()._finalize_final_module()
        self._is_translated = True

    @property
    def codegen(self) -> Any:
        """numba's code generator; of what is not translated, something that sets no environment."""
        return self._codegen if self._is_translated else self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: only code with Python objects uses its environment."""


class InnerFragment(Fragment):
    """A fragment that Python never calls."""

    is_called_by_python = False


class FragmentCompiler(Compiler):
    """Compiles a function into a fragment."""

    def compile_extra(self, function: Any) -> Any:
        return _compile(self, InnerFragment, super().compile_extra, function)


class KernelCompiler(Compiler):
    """Compiles a kernel; what numba compiles for it alone becomes fragments."""

    def compile_extra(self, function: Any) -> Any:
        return _compile(self, JITCodeLibrary, super().compile_extra, function)


class FragmentDispatcher(CPUDispatcher):
    """A fragment as an object; a call from Python calls `called`."""

    called: Callable[..., Any]

    def __call__(self, *arguments: Any) -> Any:
        return self.called(*arguments)


def made_fragment(function: Callable[..., Any], called: Callable[..., Any], **options: Any) -> Any:
    """Make a function a fragment; `called`: what a call from Python calls; the options are those of `numba.njit`."""
    options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": FragmentCompiler}
    made: Any = without_failures(numba.njit(**options)(function))
    made.__class__ = FragmentDispatcher
    made.called = called
    return made


class _Nothing(dict[Any, Any]):
    """Keeps nothing."""

    def __setitem__(self, key: Any, value: Any) -> None:
        pass


def without_failures(made: Any) -> Any:
    """Have numba not keep the errors of a function that it could not compile.

    They would hold the frames of all callers, and so the world, as long as there is the function.
    """
    made._compiler._failed_cache = _Nothing()
    return made


def _compile(compiler: Compiler, kind: type[JITCodeLibrary], compile_extra: Callable[[Any], Any], function: Any) -> Any:
    codegen = compiler.state.targetctx.codegen()
    compiler.state.library = kind(codegen, function.__qualname__)
    compiler.state.library.enable_object_caching()
    known = compiler.state.targetctx._defns
    before = set(known)
    with _all_fragments(codegen):
        compiled = compile_extra(function)
    for bodies in [one for one in known.keys() - before if getattr(one, "__name__", "").startswith(PARFOR)]:
        del known[bodies]  # its code is linked into the kernel, and nobody else calls it
    return compiled


@contextmanager
def _all_fragments(codegen: Any) -> Iterator[None]:
    """In this context, all code that numba generates becomes fragments; numba's lock keeps other threads out."""
    before, codegen._library_class = codegen._library_class, Fragment
    try:
        yield
    finally:
        codegen._library_class = before
