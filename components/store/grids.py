"""The value of a grid field, `grid(...)`: an amount for each cell of the world, such as the soil's in a mod."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

PLANES = PICTURE, FLOOR = "picture", "floor"
"""Where a grid lies in a world with depth: over x and y, or over x and z."""
MOST_CELLS = 1024  # along each axis: a grid of that size takes 8 MB


@dataclass(frozen=True, eq=False, repr=False)
class Grid:
    """Amounts over the world. Grids are immutable, so a reference to one preserves the state.

    Attributes:
        cell_size: approximate width and height of a cell, u.
        amounts: int64 (cells_y, cells_x), in units of 1 / AMOUNT_SCALE, the first line at the bottom; read-only.
            Shape (0, 0) means 0 everywhere: nothing was put into it yet.
        plane: one of PLANES; the lines of a floor follow each other along z.
    """

    cell_size: float
    amounts: NDArray[np.int64]
    plane: str = PICTURE

    def __post_init__(self) -> None:
        amounts = np.array(self.amounts, np.int64, order="C")
        amounts.flags.writeable = False
        object.__setattr__(self, "amounts", amounts.view())

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Grid)
            and (self.cell_size, self.plane) == (other.cell_size, other.plane)
            and np.array_equal(self.amounts, other.amounts)
        )

    def __hash__(self) -> int:
        return hash((self.cell_size, self.amounts.shape))

    def __repr__(self) -> str:
        cells_y, cells_x = self.amounts.shape
        return f"Grid({cells_x} x {cells_y})"


def empty(cell_size: float, plane: str = PICTURE) -> Grid:
    """Return a grid that is 0 everywhere."""
    return Grid(cell_size, np.zeros((0, 0), np.int64), plane)


def grid_of(cell_size: float, value: Any, plane: str = PICTURE) -> Grid:
    """Return a grid with the amounts of another grid or of an array.

    Raises:
        ValueError: the amounts are not integers, not two-dimensional, or too many.
    """
    amounts = value.amounts if isinstance(value, Grid) else np.asarray(value)
    if amounts.ndim != 2 or amounts.dtype.kind not in "iu" or max(amounts.shape) > MOST_CELLS:
        raise ValueError(
            f"must be whole numbers in an array (cells_y, cells_x) with at most {MOST_CELLS:,} along each axis"
        )
    return Grid(cell_size, amounts, plane)
