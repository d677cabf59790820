"""Returns values of entities as plain arrays, ordered by serial and as scene files write them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store.world import World
from sandbox.edit.command import find, find_prefab
from sandbox.serials import Serials
from sandbox.shown_values import shown_values


def serials_of(world: World, prefab: str | Iterable[str] | None, has: str | Iterable[str]) -> NDArray[np.int64]:
    """Return the serials of entities of these prefabs (None: of any) that have all these components, ascending.

    Raises:
        ValueError: a prefab or component is unknown; the message names the nearest.
    """
    table = world.table
    rows = table.rows(*(find("component", name, table.components) for name in list_of(has)))
    if prefab is not None:
        kinds = [world.prefab_index(find_prefab(world, name).name) for name in list_of(prefab)]
        rows = rows[np.isin(table.prefab[rows], kinds)]
    return read_only(np.sort(table.serial[rows]))


def values_of(world: World, key: str, serials: ArrayLike | None) -> NDArray[Any]:
    """Return the values of a field for these serials, in their order; None: for all entities that have it, by serial.

    Args:
        key: "Motion.max_speed" gives shape (n,); a vector ("Velocity", "Motion.acceleration") gives shape (n, 2), with
            depth (n, 3).
    Raises:
        ValueError: the field is unknown (the message names the nearest), or an entity is gone or lacks the component.
    """
    columns = world.table.columns
    keys = [f"{key}.{axis}" for axis in world.table.axes]
    if keys[-1] not in columns:
        find("field", key, columns)
        keys = [key]
    rows = _rows(world, key.split(".", 1)[0], serials)
    parts = [shown_values(world, name, rows) for name in keys]
    return read_only(parts[0] if len(parts) == 1 else np.stack(parts, axis=1))


def some_serials(serials: ArrayLike) -> Serials:
    """Make a set of serials from an array, a list or a single serial.

    Raises:
        ValueError: some are not whole numbers.
    """
    some: Any = [serials] if np.isscalar(serials) else serials
    return Serials(some)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only, because the world would not notice changes of it."""
    array.flags.writeable = False
    return array


def _rows(world: World, owner: str, serials: ArrayLike | None) -> NDArray[np.integer[Any]]:
    table = world.table
    component = table.components[owner]
    if serials is None:
        return table.rows_by_serial(component)
    some_serials(serials)  # raises an error if some are not serials
    given: Any = serials
    wanted = np.array([*given] if np.iterable(given) else [given], np.int64)
    found = table.rows_of(wanted)
    lacking = (found < 0) | ~table.has(found, component)
    for serial in wanted[lacking].tolist():
        gone = table.row_of(serial) < 0
        raise ValueError(f"there is no entity {serial}" if gone else f"entity {serial} has no {owner}")
    return found


def list_of(names: Any) -> list[str]:
    """Return names as a list: one name, or several."""
    return list(names) if isinstance(names, Iterable) and not isinstance(names, str | bytes) else [names]
