"""What is sent to the graphics card: things that are drawn many at once, and records that shaders look up by number."""

from __future__ import annotations

import math

import numpy as np
from arcade import ArcadeContext
from arcade.gl import BufferDescription, Program, Texture2D
from numpy.typing import NDArray

FORMATS = {"<f4": "f", "<u4": "u", "|u1": "f1"}  # by numpy's names, as arcade writes them
FIRST_CAPACITY = 1024  # instances
WIDTH = 1024  # of the texture; every graphics card has as many lines: room for a million


class Instances:
    """Holds as many instances as were last uploaded; it grows with them.

    Attributes:
        count: how many it holds.
    """

    def __init__(self, context: ArcadeContext, dtype: np.dtype[np.void]) -> None:
        """`dtype`: its fields are float32, uint32 or, as shares of 255, uint8, one or several of a kind."""
        self.count = 0
        self._buffer = context.buffer(reserve=FIRST_CAPACITY * dtype.itemsize, usage="stream")
        kinds = [dtype[name] for name in dtype.names or ()]
        formats = " ".join(f"{math.prod(kind.shape)}{FORMATS[kind.base.str]}" for kind in kinds)
        self._geometry = context.geometry([BufferDescription(self._buffer, formats, dtype.names or (), instanced=True)])

    def upload(self, instances: NDArray[np.void]) -> None:
        """Send instances to the graphics card as they are."""
        self.count = len(instances)
        if not self.count:
            return
        # Orphaning lets the card keep the old data until it has drawn them.
        grown = self._buffer.size if instances.nbytes <= self._buffer.size else 2 * instances.nbytes
        self._buffer.orphan(size=grown)
        self._buffer.write(instances.view(np.uint8).data)

    def draw(self, program: Program, mode: int, vertices: int) -> None:
        """Draw so many vertices for each; without any there is no draw call."""
        if self.count:
            self._geometry.render(program, mode=mode, vertices=vertices, instances=self.count)


class Records:
    """Holds those that were last sent: number n is at (n % WIDTH, n / WIDTH)."""

    def __init__(self, context: ArcadeContext, words: int) -> None:
        """`words`: of 32 bits, in each record."""
        self._context, self._words = context, words
        self._held: NDArray[np.uint32] = np.zeros((0, words), np.uint32)
        self._texture = self._made(1)

    def hold(self, records: NDArray[np.generic]) -> None:
        """Have the graphics card hold these records, (n,)."""
        words = records.view(np.uint32).reshape(-1, self._words)
        if np.array_equal(words, self._held):
            return
        self._held = words
        lines = -(-len(words) // WIDTH)
        if lines > self._texture.height:
            self._texture = self._made(2 * lines)
        whole = np.zeros((lines * WIDTH, self._words), np.uint32)
        whole[: len(words)] = words
        # Through a buffer: this thread need not wait until the card has drawn what it draws.
        self._texture.write(self._context.buffer(data=whole.tobytes(), usage="stream"), viewport=(0, 0, WIDTH, lines))

    def use(self, unit: int) -> None:
        """Have shaders find them in this texture unit."""
        self._texture.use(unit)

    def _made(self, lines: int) -> Texture2D:
        nearest = self._context.NEAREST
        return self._context.texture((WIDTH, lines), components=self._words, dtype="u4", filter=(nearest, nearest))
