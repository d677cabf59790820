"""How kernels are compiled: the same bits everywhere, and a cache that never goes stale.

numba notices an edit of the file a kernel stands in, but not of the helpers it calls from other files, so the
cache folder's name carries a hash of every kernel source and of the versions that shape the machine code.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding
import numba
import numpy as np
from platformdirs import user_cache_path

import components

Function = Callable[..., Any]

SOURCES = (Path(__file__).parent.parent, Path(components.__file__).parent)
KEPT = 8  # cache folders, the newest ones
ROOM = 16 << 20  # bytes that must be free for a new one: three times what all kernels take

# One accumulator per sum: with several, candidates beyond the last full round of them run one by one.
llvmlite.binding.set_option("boids", "-force-vector-interleave=1")


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {np.__version__}".encode())
    for source in sorted(path for folder in SOURCES for path in folder.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path | None:
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


CACHE = _cache_folder()
_caches = CACHE is not None
if CACHE is not None:
    numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]


@contextmanager
def cached_apart(folder: str | None) -> Iterator[None]:
    """Kernels declared within have a cache of their own below that of ours; None: they are not cached.

    Those of mods: what changes in a mod must not meet what is left of an older one.
    """
    global _caches
    before, folder_before = _caches, numba.config.CACHE_DIR  # type: ignore[attr-defined]
    _caches = CACHE is not None and folder is not None
    if CACHE is not None and folder is not None:
        numba.config.CACHE_DIR = str(CACHE / folder)  # type: ignore[attr-defined]
    try:
        yield
    finally:
        _caches, numba.config.CACHE_DIR = before, folder_before  # type: ignore[attr-defined]


def is_cold() -> bool:
    """Whether kernels have still to be compiled."""
    return CACHE is None or not (CACHE / "warm").exists()


def mark_warm() -> None:
    """Note that every kernel is in the cache."""
    if CACHE is not None:
        (CACHE / "warm").touch()


def kernel(function: Function) -> Function:
    """Compile a function that systems call: numba's `njit`, cached, exact (no fastmath), running without the GIL.

    It takes arrays and numbers, and calls other kernels and `inlined` functions; division by zero gives inf or nan.
    """
    return _compiled(function, cache=_caches)


def parallel_kernel(function: Function) -> Function:
    """The same for one that runs on all threads; each index of its `prange` writes only its own output.

    Writes to columns of a named tuple that stand in the `prange` body itself are lost, without a word from numba
    (0.68): let the body call an `inlined` function that writes.
    """
    return _compiled(function, cache=_caches, parallel=True)


def subroutine(function: Function) -> Function:
    """Compile a function that kernels call rarely enough to pay for a call; it may make arrays."""
    return _compiled(function)


def aside(function: Function) -> Function:
    """Compile a function that kernels call for a few boids only, kept out of their loops; it can make no arrays."""
    return _compiled(function, _nrt=False)


def inlined(function: Function) -> Function:
    """Compile a function that becomes part of the kernels that call it; it can make no arrays.

    numba counts references to arrays with atomic operations: per boid they would cost more than flocking does. A
    function that makes no array needs no counting.
    """
    return _compiled(function, forceinline=True, _nrt=False)


def _compiled(function: Function, **options: Any) -> Function:
    make: Function = numba.njit(error_model="numpy", nogil=True, **options)
    return make(function)  # type: ignore[no-any-return]
