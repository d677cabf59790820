"""Caches results computed from columns, as long as the versions of their components stay the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from components.store.table import EntityTable

P = ParamSpec("P")
R = TypeVar("R")
Derive = Callable[Concatenate[EntityTable, P], R]


def version_of(table: EntityTable, *components: type[Any]) -> tuple[int, ...]:
    """Return numbers that change whenever rows, or values of these components, may have changed."""
    return (table.rows_version, *[table.versions[component.__name__] for component in components])


def kept_while_same(*components: type[Any]) -> Callable[[Derive[P, R]], Derive[P, R]]:
    """Cache the last result of a function of a table and other values, until rows, these components or values change.

    The result must depend on nothing else, and must not be changed.
    """

    def decorate(derive: Derive[P, R]) -> Derive[P, R]:
        def derived(table: EntityTable, /, *values: P.args, **named: P.kwargs) -> R:
            made_of = version_of(table, *components), values, named
            known: tuple[Any, R] | None = table.kept.get(derive)
            if known is None or known[0] != made_of:
                known = table.kept[derive] = made_of, derive(table, *values, **named)
            return known[1]

        return derived

    return decorate
