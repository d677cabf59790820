"""The optional packages `study`, which only studies need: reports in a sentence if one is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

PACKAGES = ("SALib", "dask", "distributed", "matplotlib", "pyarrow", "scipy")


class MissingError(ImportError, ValueError):
    """A package that studies need is not installed."""


def lacking() -> str:
    """Return a sentence that says what to install before a study can be run; "" if nothing is missing."""
    return next((_sentence(name) for name in PACKAGES if find_spec(name) is None), "")


def _sentence(name: str) -> str:
    return f'studies need {name}: pip install "boids-sandbox[study]"'


@contextmanager
def with_packages() -> Iterator[None]:
    """Turn the import error of one of the optional packages `study` into a MissingError that says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in PACKAGES:
            raise
        raise MissingError(_sentence(name)) from None
