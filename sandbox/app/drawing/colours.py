"""Colours as the world keeps them, taken apart."""

from __future__ import annotations

Rgb = tuple[int, int, int]  # each 0 to 255
Rgba = tuple[int, int, int, int]


def rgb_of(colour: int) -> Rgb:
    """Red, green and blue of 0xRRGGBB."""
    return colour >> 16 & 255, colour >> 8 & 255, colour & 255


def number_of(rgb: Rgb) -> int:
    """The inverse of `rgb_of`."""
    red, green, blue = rgb
    return red << 16 | green << 8 | blue
