"""Splits colours into red, green and blue."""

from __future__ import annotations

Rgb = tuple[int, int, int]  # each 0 to 255
Rgba = tuple[int, int, int, int]


def shares_of(text: str) -> tuple[float, float, float]:
    """Return red, green and blue of "#rrggbb", each 0 to 1."""
    red, green, blue = (int(text[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue


def rgb_of(colour: int) -> Rgb:
    """Return red, green and blue of 0xRRGGBB, each 0 to 255."""
    return colour >> 16 & 255, colour >> 8 & 255, colour & 255
