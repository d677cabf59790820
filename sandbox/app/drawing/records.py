"""Records that shaders look up by number, in a texture; sent to the graphics card when they change."""

from __future__ import annotations

import numpy as np
from arcade import ArcadeContext
from arcade.gl import Texture2D
from numpy.typing import NDArray

WIDTH = 1024  # of the texture; every graphics card has as many lines: room for a million


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
