"""Writes films without ffmpeg: GIF, animated WebP, and folders of PNG."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
from PIL import Image

from sandbox.extras.film.gif import Gif
from sandbox.files import folder_beside

EXAMPLES = 60  # first frames, kept in memory to choose the colours of a GIF from
QUALITY = 85  # of WebP, to 100


def write_gif(frames: Iterator[Image.Image], fps: int, file: BinaryIO) -> None:
    """Write a GIF that loops."""
    begin = [np.asarray(frame) for frame in islice(frames, EXAMPLES)]
    gif = Gif((begin[0].shape[1], begin[0].shape[0]), (begin[0], begin[len(begin) // 2], begin[-1]))
    for number, pixels in enumerate(chain(begin, map(np.asarray, frames))):
        gif.add(pixels, _shown(number, fps, 100) / 100)
    file.write(gif.finished())


def write_webp(frames: Iterator[Image.Image], count: int, fps: int, file: BinaryIO) -> None:
    """Write an animated WebP of `count` frames that loops."""
    _Animation(frames, count).save(
        file, "WEBP", save_all=True, quality=QUALITY, duration=[_shown(number, fps, 1000) for number in range(count)]
    )


def _shown(number: int, fps: int, units: int) -> int:
    """Return the duration of a frame in whole units, rounded so that the errors don't add up."""
    return round((number + 1) * units / fps) - round(number * units / fps)


class _Animation(Image.Image):
    """An image sequence for Pillow's animation writer that holds only one frame in memory."""

    def __init__(self, frames: Iterator[Image.Image], count: int) -> None:
        super().__init__()
        self._frames, self._at, self.n_frames = frames, -1, count
        self.seek(0)

    def seek(self, frame: int) -> None:
        while self._at < frame:
            shown = next(self._frames)
            self._im, self._mode, self._size = shown.im, shown.mode, shown.size
            self._at += 1

    def tell(self) -> int:
        return self._at


def write_folder(frames: Iterator[Image.Image], count: int, folder: Path) -> None:
    """Write a folder of numbered PNG, completely or not at all.

    Raises:
        WriteError: the folder can't be written.
    """
    digits = len(str(count - 1))
    with folder_beside(folder) as beside:
        for number, frame in enumerate(frames):
            frame.save(beside / f"{number:0{digits}}.png")
