"""What is derived from columns, kept as long as they stay the same: versions of components tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from components.store.table import EntityTable

P = ParamSpec("P")
R = TypeVar("R")
Derive = Callable[Concatenate[EntityTable, P], R]


def version_of(table: EntityTable, *components: type[Any]) -> tuple[int, ...]:
    """Numbers that stay the same as long as all rows, and the values of these components, surely do."""
    return (table.rows_version, *[table.versions[component.__name__] for component in components])


def kept_while_same(*components: type[Any]) -> Callable[[Derive[P, R]], Derive[P, R]]:
    """A function of a table, and of plain values, is called anew only when rows, these components or values changed.

    What it returns must depend on nothing else, and nobody may change it.
    """

    def decorate(derive: Derive[P, R]) -> Derive[P, R]:
        def derived(table: EntityTable, /, *values: P.args, **named: P.kwargs) -> R:
            made_of = version_of(table, *components), values
            known: tuple[Any, R] | None = table.kept.get(derive)
            if known is None or known[0] != made_of:
                known = table.kept[derive] = made_of, derive(table, *values, **named)
            return known[1]

        return derived

    return decorate
