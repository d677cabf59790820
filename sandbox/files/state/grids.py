"""Grids of declared resources in a state: `meta` has their numbers of cells along y and x, arrays their amounts."""

from __future__ import annotations

import math
from typing import Any

from components.store.fields import Field, Kind
from components.store.grids import MOST_CELLS
from components.store.resources import Resource
from components.store.world import World
from sandbox.design.resource_tables import declared_resources
from systems.engine.app import App

PREFIX = "resources."  # of the names of arrays


def grids_of(kind: type) -> list[Field]:
    """Return the fields of a resource that are grids and part of the state."""
    fields = kind.fields.values() if issubclass(kind, Resource) else ()
    return [field for field in fields if field.kind is Kind.GRID and not field.transient]


def shown_grids(world: World, *, drawn: bool) -> dict[str, list[int]]:
    """Return the size of each non-empty grid, by key; `drawn`: also of grids that matter only for drawing."""
    stored = {field.key: world.resource(kind).stored for kind in world.declared.values() for field in grids_of(kind)}
    fields = [field for kind in world.declared.values() for field in grids_of(kind) if drawn or not field.drawn]
    sizes = {field.key: [*stored[field.key][field.key].amounts.shape] for field in fields}
    return {key: size for key, size in sizes.items() if math.prod(size)}


def stored_grids(sizes: Any, app: App) -> dict[str, tuple[Field, tuple[int, int]]]:
    """Return the field and the size of each grid in a file, by the name of its array.

    Args:
        sizes: by key, from `meta`.
    Raises:
        ValueError: something is invalid; the message says what would be right.
    """
    if not isinstance(sizes, dict):
        raise ValueError("grids: must be a table")
    found, known = {}, dict[str, Field]()
    for kind in declared_resources(app).values():
        known |= {key: field for field in grids_of(kind) for key in (f"{field.owner}.{field.was}", field.key)}
    for key, size in sizes.items():
        if key not in known:
            raise ValueError(f"holds a grid {key!r} that this version does not know")
        if not (isinstance(size, list) and len(size) == 2 and all(_is_length(length) for length in size)):
            raise ValueError(f"grids.{key}: must be the numbers of cells along y and x, 1 to {MOST_CELLS:,}")
        found[f"{PREFIX}{key}"] = known[key], (size[0], size[1])
    return found


def _is_length(length: object) -> bool:
    return type(length) is int and 1 <= length <= MOST_CELLS
