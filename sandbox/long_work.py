"""Long work says how far it is to whoever follows it, and ends early if nobody wants its result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_follower: ContextVar[Callable[[int, int], object] | None] = ContextVar("follower", default=None)


class GivenUpError(Exception):
    """Nobody wants the result of this work."""


def tell_how_far(done: int, count: int) -> None:
    """Say that `done` of `count` steps are done.

    Raises:
        GivenUpError: nobody wants the result.
    """
    if (follower := _follower.get()) is not None:
        follower(done, count)


@contextmanager
def followed(follower: Callable[[int, int], object]) -> Iterator[None]:
    """Pass what work in the block tells to a function, which may raise GivenUpError."""
    token = _follower.set(follower)
    try:
        yield
    finally:
        _follower.reset(token)
