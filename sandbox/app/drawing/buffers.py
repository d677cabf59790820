"""Buffers on the graphics card: instances drawn in one call, and records that shaders look up by index."""

from __future__ import annotations

import math

import numpy as np
from arcade import ArcadeContext
from arcade.gl import BufferDescription, Program, Texture2D
from numpy.typing import NDArray

from sandbox.render.room import SPARE, fits

FORMATS = {"<f4": "f", "<u4": "u", "|u1": "f1"}  # arcade's names of formats, by numpy's
FIRST_CAPACITY = 1024  # instances
WIDTH = 1024  # of the texture; every graphics card supports as many lines, enough for a million records


class Instances:
    """Buffers of instances, which grow and shrink with what is uploaded.

    Attributes:
        count: the number of instances last uploaded.
    """

    def __init__(self, context: ArcadeContext, dtype: np.dtype[np.void]) -> None:
        """Make an empty buffer.

        Args:
            dtype: its fields are scalars or vectors of float32, uint32, or uint8, which shaders read as 0 to 1.
        """
        self.count = 0
        kinds, names = [dtype[name] for name in dtype.names or ()], dtype.names or ()
        formats = " ".join(f"{math.prod(kind.shape)}{FORMATS[kind.base.str]}" for kind in kinds)
        self._buffers = [context.buffer(reserve=FIRST_CAPACITY * dtype.itemsize, usage="stream") for _ in range(2)]
        self._geometries = [
            context.geometry([BufferDescription(buffer, formats, names, instanced=True)]) for buffer in self._buffers
        ]

    def upload(self, instances: NDArray[np.void]) -> None:
        """Upload an array of the buffer's dtype."""
        self.count = len(instances)
        if not self.count:
            return
        # In turn, because the graphics card may still draw from the one that was filled last. Orphaning a single one
        # would do too, but new memory costs 18 ms per 16 MB where the processor draws, and writing 1 ms.
        self._buffers.reverse()
        self._geometries.reverse()
        if not fits(self._buffers[0].size, instances.nbytes):
            self._buffers[0].orphan(size=SPARE * instances.nbytes)
        self._buffers[0].write(instances.view(np.uint8).data)

    def draw(self, program: Program, mode: int, vertices: int) -> None:
        """Draw all instances, each with some vertices; make no draw call if there are none."""
        if self.count:
            self._geometries[0].render(program, mode=mode, vertices=vertices, instances=self.count)


class Records:
    """A texture of records for lookup in shaders: record n is at (n % WIDTH, n / WIDTH)."""

    def __init__(self, context: ArcadeContext, words: int) -> None:
        """Make an empty texture; `words`: 32-bit words per record."""
        self._context, self._words = context, words
        self._held: NDArray[np.uint32] = np.zeros((0, words), np.uint32)
        self._texture = self._made(1)

    def hold(self, records: NDArray[np.generic]) -> None:
        """Upload records, (n,), unless they are the same as before."""
        words = records.view(np.uint32).reshape(-1, self._words)
        if np.array_equal(words, self._held):
            return
        self._held = words
        lines = -(-len(words) // WIDTH)
        if lines > self._texture.height:
            self._texture = self._made(2 * lines)
        whole = np.zeros((lines * WIDTH, self._words), np.uint32)
        whole[: len(words)] = words
        # Through a buffer, so that this thread need not wait until the graphics card has finished drawing.
        self._texture.write(self._context.buffer(data=whole.tobytes(), usage="stream"), viewport=(0, 0, WIDTH, lines))

    def use(self, unit: int) -> None:
        """Bind the texture to a texture unit."""
        self._texture.use(unit)

    def _made(self, lines: int) -> Texture2D:
        nearest = self._context.NEAREST
        return self._context.texture((WIDTH, lines), components=self._words, dtype="u4", filter=(nearest, nearest))
