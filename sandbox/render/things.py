"""What the scenery of flat worlds and of those with depth shares: its kinds and colours, and values of Look."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.look import SHAPES, Look
from components.store.records import ComponentType
from components.store.table import EntityTable

Rows = NDArray[np.int64]
AIR, PLANT, RING, ROCK, EDGE, FACE = 0, 4, 5, 6, 7, 8  # kinds of form; an AIR is AIR + Wind.kind
COLOURS = {AIR: 0xA9D3E6, PLANT: 0x8DB25A, RING: 0xFFD98A, ROCK: 0x5F5870, EDGE: 0x8C8296, FACE: 0x8C8296}
CORAL, TREE = SHAPES.index("coral"), SHAPES.index("tree")
RING_SIZE = 9.0  # u, for goals without a Look
STREAM = 202


def looked(table: EntityTable, rows: Rows, name: str, otherwise: ArrayLike) -> NDArray[Any]:
    """Return a field of Look; for rows without a Look, the value `otherwise`, or its elements if it is a column."""
    other = np.asarray(otherwise)
    looked = table.columns[f"Look.{name}"][rows]
    return np.where(table.has(rows, Look), looked, other[rows] if other.ndim else other).astype(looked.dtype)


def rows_of(table: EntityTable, *components: ComponentType) -> Rows:
    """Return the rows that have these components, by serial."""
    return table.rows_by_serial(*components).astype(np.int64)
