"""How many threads share the work of a tick: in a small world, waking another takes longer than it saves.

Threads that have nothing to do sleep after some microseconds, in which the next kernel often comes. By default they
would keep their cores busy for a millisecond, which costs far more as soon as another program wants a core too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from systems.engine.kernel import Late

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # both are read when the first parallel kernel is loaded
os.environ.setdefault("GOMP_SPINCOUNT", "3000")  # GNU's OpenMP: how often it looks for work before it sleeps

entities_per_thread = 800  # fewer are done sooner than another thread is awake


def _get_num_threads() -> Any:
    import numba

    if numba.config.NUMBA_NUM_THREADS == 1:  # type: ignore[attr-defined]
        return lambda: 1  # in no time: for small worlds numba's own takes a fiftieth of a tick
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
"""threads(): how many threads parallel kernels run on now."""

own_threads: Any = Late(_own_threads)
"""own_threads(), in a parallel kernel: how many threads it runs on. numba's own function for it can't be cached."""


class SuitedTo:
    """Within, parallel kernels run on as many threads as so many entities are worth, at most all that are allowed."""

    def __init__(self, entities: int) -> None:
        self._worth = 1 + entities // entities_per_thread

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
    """Within, ticks run on so many threads, however small their world is; at most as many as numba has."""
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
