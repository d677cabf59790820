"""Renders words as arrays, for labels in the world."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import imgui_bundle
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

FONTS = Path(imgui_bundle.__file__).parent / "assets" / "fonts"
PIXELS = 64  # height of letters


def extent(words: str, size: float) -> tuple[float, float]:
    """Return width and height of a label, u; `size`: height of its letters, u."""
    high, wide = lettered(words).shape
    return size * wide / PIXELS, size * high / PIXELS


@lru_cache(maxsize=64)
def lettered(words: str) -> NDArray[np.float32]:
    """Return the coverage of each pixel by the letters, 0 to 1: (lines, columns), the lowest line first."""
    font = ImageFont.truetype(str(FONTS / "Roboto" / "Roboto-Regular.ttf"), PIXELS)
    left, top, right, low = font.getbbox(words)
    picture = Image.new("L", (max(int(right - left), 1) + 2, max(int(low - top), 1) + 2))
    ImageDraw.Draw(picture).text((1 - left, 1 - top), words, 255, font)
    return np.flipud(np.asarray(picture)).astype(np.float32) / np.float32(255)
