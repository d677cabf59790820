"""Colours as the world keeps them, taken apart."""

from __future__ import annotations

Rgb = tuple[int, int, int]  # each 0 to 255
Rgba = tuple[int, int, int, int]


def shares_of(text: str) -> tuple[float, float, float]:
    """Red, green and blue of "#rrggbb", each 0 to 1."""
    red, green, blue = (int(text[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue


def rgb_of(colour: int) -> Rgb:
    """Red, green and blue of 0xRRGGBB."""
    return colour >> 16 & 255, colour >> 8 & 255, colour & 255
