"""The number of threads for a tick: in a small world, waking another thread takes longer than it saves.

Idle threads spin for some microseconds, because the next kernel often comes soon, and then sleep. By default they would
spin for a millisecond, which costs far more as soon as another program needs a core too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from systems.engine.kernel import Late

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # both are read when the first parallel kernel is loaded
os.environ.setdefault("GOMP_SPINCOUNT", "3000")  # GNU's OpenMP: how often idle threads look for work before they sleep

entities_per_thread = 800  # waking a thread for fewer takes longer than the work


def _get_num_threads() -> Any:
    import numba

    if numba.config.NUMBA_NUM_THREADS == 1:  # type: ignore[attr-defined]
        return lambda: 1  # numba's function takes 2% of a tick of a small world
    return numba.get_num_threads


def _own_threads() -> Any:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def own_threads(_: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            made: Any = cgutils
            ask = made.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(64), []), "get_num_threads")
            return builder.call(ask, [])

        return types.int64(), generate

    return own_threads


threads: Any = Late(_get_num_threads)
"""threads(): the number of threads on which parallel kernels run now."""

own_threads: Any = Late(_own_threads)
"""own_threads(), in a parallel kernel: the number of its threads. Kernels with numba's own function can't be cached."""


class SuitedTo:
    """A context in which parallel kernels use a number of threads suited to a number of entities, at most the present
    number.
    """

    def __init__(self, count: int) -> None:
        self._worth = 1 + count // entities_per_thread

    def __enter__(self) -> None:
        self._allowed = threads()
        if self._worth < self._allowed:
            _set_threads(self._worth)

    def __exit__(self, *_: object) -> None:
        if self._worth < self._allowed:
            _set_threads(self._allowed)


def _set_threads(count: int) -> None:
    import numba

    numba.set_num_threads(count)


@contextmanager
def exactly(threads: int) -> Iterator[None]:
    """A context in which ticks use this number of threads, however small the world is; at most numba's maximum."""
    global entities_per_thread
    import numba

    allowed, before = numba.get_num_threads(), entities_per_thread
    _set_threads(min(threads, numba.config.NUMBA_NUM_THREADS))  # type: ignore[attr-defined]
    entities_per_thread = 1
    try:
        yield
    finally:
        entities_per_thread = before
        _set_threads(allowed)
