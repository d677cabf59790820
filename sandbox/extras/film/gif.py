"""Makes GIF files, frame by frame.

The palette is chosen half from still and half from moving pixels, so that a few small birds get their colours beside a
large sky. The dither pattern is fixed, so that pixels stay the same where nothing moves; such pixels are transparent
and compress well.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import GifImagePlugin, Image

Pixels = NDArray[np.uint8]

COLOURS = 255  # besides the transparent one
SAME = 255  # index of the transparent colour, for unchanged pixels
SAMPLE = 20_000  # pixels from which the palette is chosen, still and moving ones each
SHADES = 32  # levels of red, green and blue each in the lookup table of the nearest colour


class Gif:
    """A GIF file that frames are added to."""

    def __init__(self, size: tuple[int, int], examples: Sequence[Pixels]) -> None:
        """Write the header; `examples`: frames from which the palette of all is chosen."""
        palette = choose_colours(examples)
        self._nearest = _nearest(palette)
        self._size = size
        self._shown: Pixels | None = None
        self._pattern = _pattern(size)
        self._parts = [
            b"GIF89a" + struct.pack("<HHBBB", *size, 0xF7, 0, 0),
            palette.tobytes().ljust(768, b"\0"),
            b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0",  # loop forever
        ]

    def add(self, pixels: Pixels, seconds: float) -> None:
        """Add a frame, (height, width, 3), that is shown for some seconds."""
        mixed = np.clip(pixels + self._pattern, 0, 255).astype(np.uint8) // (256 // SHADES)
        indices = self._nearest[mixed[..., 0], mixed[..., 1], mixed[..., 2]]
        frame, (left, top) = indices, (0, 0)
        if self._shown is not None:
            same = indices == self._shown
            left, top, right, bottom = _box(~same)
            frame = np.where(same, np.uint8(SAME), indices)[top:bottom, left:right]
        self._shown = indices
        image = Image.fromarray(frame).convert("P")
        self._parts += GifImagePlugin.getdata(
            image,
            (left, top),
            duration=round(seconds * 1000),
            transparency=SAME,
            disposal=1,
            include_color_table=False,
        )

    def finished(self) -> bytes:
        """Return the contents of the file."""
        return b"".join([*self._parts, b";"])


def _box(changed: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """Return the bounding box of the changed pixels, at least one pixel: left, top, right, bottom."""
    across, down = np.flatnonzero(changed.any(0)), np.flatnonzero(changed.any(1))
    if not len(across):
        return 0, 0, 1, 1
    return int(across[0]), int(down[0]), int(across[-1]) + 1, int(down[-1]) + 1


def choose_colours(examples: Sequence[Pixels]) -> Pixels:
    """Return a palette of at most COLOURS for these frames, (n, 3)."""
    stack = np.stack(examples).astype(np.int16)
    moves = (np.ptp(stack, axis=0).max(-1) > 24).ravel()
    still, moving = examples[0].reshape(-1, 3)[~moves], np.concatenate([e.reshape(-1, 3)[moves] for e in examples])
    samples = [np.resize(p[:: len(p) // SAMPLE + 1], (SAMPLE, 3)) for p in (still, moving) if len(p)]
    sample = np.concatenate(samples)
    image = Image.fromarray(sample.reshape(-1, 100, 3))
    colours = image.quantize(COLOURS, Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE)
    palette = np.array(colours.getpalette(), np.uint8).reshape(-1, 3)
    return palette[:COLOURS]


def _nearest(palette: Pixels) -> Pixels:
    """Return a table of the index of the nearest colour, (SHADES,) * 3, by the level of red, green and blue."""
    step = 256 // SHADES
    shades = np.stack(np.meshgrid(*[np.arange(SHADES) * step + step // 2] * 3, indexing="ij"), -1).astype(np.float32)
    colours = palette.astype(np.float32)
    far = (colours**2).sum(1) - 2 * shades.reshape(-1, 3) @ colours.T
    nearest: Pixels = far.argmin(1).astype(np.uint8).reshape((SHADES,) * 3)
    return nearest


def _pattern(size: tuple[int, int]) -> NDArray[np.int16]:
    """Return an ordered dither pattern (Bayer 1973), int16 (height, width, 1), of half a level up and down."""
    ordered = np.zeros((1, 1))
    for _ in range(3):
        ordered = np.block([[4 * ordered, 4 * ordered + 2], [4 * ordered + 3, 4 * ordered + 1]])
    shades = np.rint(((ordered + 0.5) / 64 - 0.5) * 256 / SHADES).astype(np.int16)
    return np.tile(shades, (size[1] // 8 + 1, size[0] // 8 + 1))[: size[1], : size[0], None]
