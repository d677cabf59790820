"""Letters for texts in the world: a sheet with all that were needed so far, and where the letters of a text stand."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import imgui_bundle
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

FONTS = Path(imgui_bundle.__file__).parent / "assets" / "fonts"
PIXELS = 64  # height of letters
CELL = 96  # pixels: side of a letter's square in the sheet
PEN = 16, 24  # pixels from its lower left corner to where the letter begins, on the line
COLUMNS, LINES = 21, 42  # of the sheet, at most


class Lettering(NamedTuple):
    """Where the letters of a text stand, in heights of letters.

    Attributes:
        cells: the index of each letter in the sheet, float32 (n,).
        low: the lower left corner of its square, from the middle of the text, float32 (n, 2).
        extent: width and height of the text.
    """

    cells: NDArray[np.float32]
    low: NDArray[np.float32]
    extent: tuple[float, float]


class Sheet:
    """A picture of letters side by side; it grows.

    Attributes:
        pixels: coverage, uint8 (CELL lines of letters, CELL COLUMNS), the highest line first.
    """

    def __init__(self) -> None:
        self.pixels = np.zeros((0, CELL * COLUMNS), np.uint8)
        self._cells: dict[str, int] = {}

    def cell(self, letter: str) -> int:
        """Return the index of a letter, which is drawn if it is new; if there is no room left, that of the first."""
        if letter not in self._cells and len(self._cells) < COLUMNS * LINES:
            line, column = divmod(len(self._cells), COLUMNS)
            if not column:
                self.pixels = np.concatenate([self.pixels, np.zeros((CELL, CELL * COLUMNS), np.uint8)])
            square = Image.new("L", (CELL, CELL))
            ImageDraw.Draw(square).text((PEN[0], CELL - PEN[1]), letter, 255, _font(), anchor="ls")
            self.pixels[line * CELL :, column * CELL : (column + 1) * CELL] = np.asarray(square)
            self._cells[letter] = len(self._cells)
        return self._cells.get(letter, 0)

    def __len__(self) -> int:
        return len(self._cells)


SHEET = Sheet()


@cache
def _font() -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / "Roboto" / "Roboto-Regular.ttf"), PIXELS)


@lru_cache(maxsize=4096)
def lettered(words: str) -> Lettering:
    """Return where the letters of a text in one line stand."""
    left, top, right, bottom = _font().getbbox(words, anchor="ls")
    indices = [k for k, letter in enumerate(words) if letter.isprintable() and not letter.isspace()]
    begin = np.array([_font().getlength(words[:k]) for k in indices], np.float32)
    low = np.stack([begin - (left + right) / 2, np.full_like(begin, (top + bottom) / 2)], axis=1) - PEN
    cells = np.array([SHEET.cell(words[k]) for k in indices], np.float32)
    return Lettering(cells, (low / PIXELS).astype(np.float32), ((right - left) / PIXELS, (bottom - top) / PIXELS))


def extent(words: str, size: float) -> tuple[float, float]:
    """Return width and height of a text, u; `size`: height of its letters, u."""
    wide, high = lettered(words).extent
    return size * wide, size * high
