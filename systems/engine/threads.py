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

    return numba.get_num_threads


threads: Any = Late(_get_num_threads)
"""threads(): how many threads parallel kernels run on now."""


class SuitedTo:
    """Within, parallel kernels run on as many threads as so many entities are worth, at most all that are allowed."""

    def __init__(self, entities: int) -> None:
        self._worth = 1 + entities // entities_per_thread

    def __enter__(self) -> None:
        import numba

        self._allowed = numba.get_num_threads()
        if self._worth < self._allowed:
            numba.set_num_threads(self._worth)

    def __exit__(self, *_: object) -> None:
        import numba

        if self._worth < self._allowed:
            numba.set_num_threads(self._allowed)


@contextmanager
def exactly(threads: int) -> Iterator[None]:
    """Within, ticks run on so many threads, however small their world is; at most as many as numba has."""
    global entities_per_thread
    import numba

    allowed, before = numba.get_num_threads(), entities_per_thread
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))  # type: ignore[attr-defined]
    entities_per_thread = 1
    try:
        yield
    finally:
        entities_per_thread = before
        numba.set_num_threads(allowed)
