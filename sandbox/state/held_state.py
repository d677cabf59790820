"""A simulation's state, held still: what a thread may sort, pack and write while the world goes on.

Taking it copies whole records and no more: sorting by serial and picking columns, most of the work, can wait for the
thread.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.fields import Field
from components.store.table import ComponentType, fields_of, item_of
from components.store.world import World
from sandbox.files import write_atomically
from sandbox.simulation import Simulation
from sandbox.state.array_file import pack
from sandbox.state.meta import meta_of

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class HeldRows:
    """The rows of a world, copied.

    Attributes:
        serials, prefabs: of every entity, int64 and int32 (n,), in no order.
        owners: for each component that anyone has, the serials of those who do, int64 (m,), and their records, (m,).
    """

    serials: NDArray[np.int64]
    prefabs: NDArray[np.int32]
    owners: dict[ComponentType, tuple[NDArray[np.int64], NDArray[np.void]]]

    def arrays(self) -> Arrays:
        """Every array of a snapshot but `meta`, shape (n,)."""
        arrays: Arrays = {"prefab": self.prefabs[np.argsort(self.serials)]}
        for component, (serials, records) in self.owners.items():
            order = np.argsort(serials)
            arrays[component.__name__] = serials[order]
            for key, _ in kept_columns(component):
                arrays[key] = records[item_of(key)][order]
        return arrays


@dataclass(frozen=True)
class HeldState:
    """All that a snapshot says; `meta` is a JSON text."""

    rows: HeldRows
    meta: bytes

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a snapshot, whole or not at all.

        Raises:
            WriteError: it can't be written; a file that stood there is whole.
        """
        write_atomically(path, pack({**self.rows.arrays(), "meta": np.frombuffer(self.meta, np.uint8)}))


def hold(simulation: Simulation) -> HeldState:
    """The state as it is now."""
    meta = json.dumps(meta_of(simulation), allow_nan=False).encode()
    return HeldState(hold_rows(simulation.world), meta)


def hold_rows(world: World) -> HeldRows:
    """The rows as they are now."""
    table, size = world.table, world.table.size
    owners = {
        component: table.copied(component) for component in table.components.values() if len(table.rows(component))
    }
    return HeldRows(table.serial[:size].copy(), table.prefab[:size].copy(), owners)


def kept_columns(component: ComponentType) -> list[tuple[str, Field]]:
    """The columns of a component that are state, each with its field."""
    return [(key, field) for field in fields_of(component) if not field.transient for key in field.columns]
