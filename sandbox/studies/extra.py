"""What only studies need is installed apart from the program: its absence is told in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

EXTRA = ("SALib", "dask", "distributed", "matplotlib", "plotly", "pyarrow", "scipy")


class MissingError(ImportError, ValueError):
    """A package that studies need is not installed."""


@contextmanager
def extra() -> Iterator[None]:
    """Within, a package of the extra `study` that is not there is a MissingError that says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in EXTRA:
            raise
        raise MissingError(f'studies need {name}: pip install "boids-sandbox[study]"') from None
