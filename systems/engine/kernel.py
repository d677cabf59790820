"""How kernels are compiled: the same bits everywhere, and a cache that never goes stale.

numba notices an edit of the file a kernel stands in, but not of the helpers it calls from other files, so the
cache folder's name carries a hash of every kernel source and of the versions that shape the machine code.

Loading numba takes half a second: a kernel is a `Late` until it is first called, so that what runs none, such as
`boids check`, does not wait for it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

import components

Function = Callable[..., Any]

SOURCES = (Path(__file__).parent.parent, Path(components.__file__).parent)
KEPT = 8  # cache folders, the newest ones
ROOM = 16 << 20  # bytes that must be free for a new one: three times what all kernels take

_below: str | None = ""  # the cache folder: where kernels declared now are kept; None: they are not


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

    def __init__(self, function: Function, options: dict[str, Any]) -> None:
        super().__init__(lambda: _compiled(function, options))
        self.py_func = function
        update_wrapper(self, function)


def _prange() -> Any:
    import numba

    return numba.prange


prange: Any = Late(_prange)


def _fingerprint() -> str:
    import llvmlite
    import numba
    import numpy as np

    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {np.__version__}".encode())
    for source in sorted(path for folder in SOURCES for path in folder.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path | None:
    """The folder for this version of the kernels, or None where none can be written or the disk is full."""
    root = Path(os.environ.get("BOIDS_CACHE_DIR") or user_cache_path("boids-sandbox", appauthor=False))
    folder = root / "kernels" / _fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    for old in sorted(folder.parent.iterdir(), key=lambda path: path.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)
    is_full = shutil.disk_usage(folder).free < ROOM and not (folder / "warm").exists()
    return None if is_full else folder


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


def is_cold() -> bool:
    """Whether kernels have still to be compiled."""
    folder = cache_folder()
    return folder is None or not (folder / "warm").exists()


def mark_warm() -> None:
    """Note that every kernel is in the cache."""
    if folder := cache_folder():
        (folder / "warm").touch()


def kernel(function: Function) -> Function:
    """Compile a function that systems call: numba's `njit`, cached, exact (no fastmath), running without the GIL.

    It takes arrays and numbers, and calls other kernels and `inlined` functions; division by zero gives inf or nan.
    """
    return _kernel(function, below=_below)


def parallel_kernel(function: Function) -> Function:
    """The same for one that runs on all threads; each index of its `prange` writes only its own output.

    Writes to columns of a named tuple that stand in the `prange` body itself are lost, without a word from numba
    (0.68): let the body call an `inlined` function that writes.
    """
    return _kernel(function, below=_below, parallel=True)


def subroutine(function: Function) -> Function:
    """Compile a function that kernels call rarely enough to pay for a call; it may make arrays."""
    return _kernel(function)


def outlined(function: Function) -> Function:
    """Compile a function that kernels call for a few boids only, kept out of their loops; it can make no arrays."""
    return _kernel(function, _nrt=False)


def inlined(function: Function) -> Function:
    """Compile a function that becomes part of the kernels that call it; it can make no arrays.

    numba counts references to arrays with atomic operations: per boid they would cost more than flocking does. A
    function that makes no array needs no counting.
    """
    return _kernel(function, forceinline=True, _nrt=False)


def _kernel(function: Function, **options: Any) -> Function:
    return Kernel(function, options)


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
    if keeps := folder is not None and below is not None:
        numba.config.CACHE_DIR = str(folder / below)  # type: ignore[attr-defined]
    return numba.njit(error_model="numpy", nogil=True, cache=keeps, **options)(function)
