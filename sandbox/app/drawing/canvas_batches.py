"""Batches of the canvas's figures: a record per figure, and a draw call per kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from arcade import ArcadeContext
from numpy.typing import NDArray

from sandbox.app.drawing.buffers import Instances
from sandbox.app.drawing.view_block import view_program
from sandbox.render.scenery import copies

f32, u8 = np.float32, np.uint8
LINE = np.dtype(
    [
        ("begin", f32, 2),
        ("end", f32, 2),
        ("width", f32),
        ("head", f32),
        ("halo", f32),
        ("colour", u8, 4),
        ("fades_to", u8, 4),
    ]
)
ROUND = np.dtype(
    [
        ("centre", f32, 2),
        ("heading", f32, 2),
        ("radius", f32),
        ("grow", f32),
        ("fan", f32),
        ("lean", f32),
        ("width", f32),
        ("halo", f32),
        ("fill", u8, 4),
        ("line", u8, 4),
    ]
)
BOX = np.dtype([("low", f32, 2), ("high", f32, 2), ("width", f32), ("halo", f32), ("fill", u8, 4), ("line", u8, 4)])
LETTER = np.dtype([("low", f32, 2), ("high", f32, 2), ("cell", f32), ("halo", f32), ("colour", u8, 4)])
PLACES = {"begin", "end", "centre", "low", "high"}  # fields that are shifted in a copy on a torus

Records = NDArray[np.void]
Torus = tuple[float, ...]


class Batch:
    """The shader program and buffer of one kind of figure, and the records waiting to be drawn."""

    def __init__(self, context: ArcadeContext, dtype: np.dtype[np.void], *shaders: str) -> None:
        self.program = view_program(context, *shaders)
        self.waiting: list[Records] = []
        self._instances = Instances(context, dtype)

    def put(self, made: Records, low: Any, high: Any, torus: Torus | None) -> None:
        """Add records with these bounding boxes; on a torus, also their copies across the edges."""
        if torus is not None:
            which, shift = copies(low, high, torus)
            if len(which) != len(made) or shift.any():
                made = made[which]
                for name in PLACES.intersection(made.dtype.names or ()):
                    made[name] += shift
        self.waiting.append(made)

    def draw(self, context: ArcadeContext) -> None:
        self._instances.upload(np.concatenate(self.waiting))
        self._instances.draw(self.program, context.TRIANGLE_STRIP, 4)
