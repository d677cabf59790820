"""How many threads share the work of a tick: in a small world, waking another takes longer than it saves.

Threads that have nothing to do sleep. By default they would keep their cores busy for a while, which costs much more
than waking them as soon as another program wants a core too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import numba

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # read when the first parallel kernel is loaded

ENTITIES = 2000  # that make another thread worthwhile
_entities = ENTITIES


@contextmanager
def suited_to(entities: int) -> Iterator[None]:
    """Within, parallel kernels run on as many threads as so many entities are worth, at most all that are allowed."""
    allowed = numba.get_num_threads()
    numba.set_num_threads(min(allowed, 1 + entities // _entities))
    try:
        yield
    finally:
        numba.set_num_threads(allowed)


@contextmanager
def exactly(threads: int) -> Iterator[None]:
    """Within, ticks run on so many threads, however small their world is; at most as many as numba has."""
    global _entities
    allowed, before = numba.get_num_threads(), _entities
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))  # type: ignore[attr-defined]
    _entities = 1
    try:
        yield
    finally:
        _entities = before
        numba.set_num_threads(allowed)
