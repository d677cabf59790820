"""The category of the warnings that scripts get, and what keeps the filters of warnings."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


class SandboxWarning(UserWarning):
    """A mod is not on or was stopped, or a command was refused: the simulation goes on without it."""


@contextmanager
def filters_kept() -> Iterator[None]:
    """Restore the filters of warnings if the block changes them.

    Unlike `catch_warnings` it forgets nothing else, so that a warning of every tick is shown once.
    """
    before = [*warnings.filters]
    try:
        yield
    finally:
        if warnings.filters != before:
            warnings.filters[:] = before  # type: ignore[index]
            with warnings.catch_warnings():  # tells Python that they have changed
                pass
