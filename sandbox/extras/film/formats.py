"""The file formats of films, chosen by the suffix; a name without a suffix is a folder of PNG."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from PIL.Image import Image

from sandbox.extras.film import pillow
from sandbox.extras.film.ffmpeg import H264, MP4, VP9, WEBM, add_sound, encode, find_ffmpeg
from sandbox.files import named, written_beside

if TYPE_CHECKING:
    from sandbox.extras.film.soundtrack import Soundtrack

CODECS = {".mp4": (H264, MP4), ".webm": (VP9, WEBM)}
MOST_OF_GIF = 50  # frames per second: GIF counts in 0.01 s, and viewers slow down frames of less than 0.02 s
USUAL, USUAL_OF_GIF = 60, 25  # frames per second
MOST_SIDE = 8192  # pixels


class Format:
    """The format of a film, with its path, size and frame rate.

    Attributes:
        fps: frames per second.
    """

    def __init__(self, path: Path, size: tuple[int, int], fps: int | None = None) -> None:
        """Choose the format by the suffix; `fps` has a default for each format.

        Raises:
            ValueError: there is no such format, or it can't have this size or frame rate.
            OSError: ffmpeg is needed but not installed.
        """
        self.path, self.size, self.ending = path, size, path.suffix.lower()
        self.fps = fps or (USUAL_OF_GIF if self.ending == ".gif" else USUAL)
        self._ffmpeg = ""
        if self.ending in CODECS:
            self._choose_ffmpeg()
        elif self.ending == ".gif" and self.fps > MOST_OF_GIF:
            raise ValueError(f"--fps {fps}: a GIF has at most {MOST_OF_GIF} frames a second")
        elif self.ending not in ("", ".gif", ".webp"):
            raise ValueError(
                f"{named(path)}: a film is an .mp4, .webm, .gif or .webp, or without an ending a folder of PNG"
            )

    def _choose_ffmpeg(self) -> None:
        even = tuple(max(side // 2 * 2, 2) for side in self.size)
        if even != self.size:
            raise ValueError(
                f"--size {self.size[0]}x{self.size[1]}: a {self.ending} has even sides, like {even[0]}x{even[1]}"
            )
        found = find_ffmpeg()
        if found is None:
            raise OSError(
                f"{named(self.path)}: needs ffmpeg: install it, or the package imageio-ffmpeg; "
                "a .gif, a .webp and a folder of PNG need neither"
            )
        self._ffmpeg = found

    @property
    def is_heard(self) -> bool:
        """Whether a film in this format has sound."""
        return self.ending in CODECS

    def write(self, frames: Iterator[Image], count: int, sound: Soundtrack | None = None) -> None:
        """Write the film atomically; an existing file is replaced.

        Args:
            sound: has taken up each tick once all frames are drawn; None: a film without sound.
        Raises:
            WriteError: the film can't be written.
        """
        if not self.ending:
            pillow.write_folder(frames, count, self.path)
            return
        with written_beside(self.path) as file:
            if self.ending == ".gif":
                pillow.write_gif(frames, self.fps, file)
            elif self.ending == ".webp":
                pillow.write_webp(frames, count, self.fps, file)
            else:
                self._encode(frames, count, sound, file.name)

    def _encode(self, frames: Iterator[Image], count: int, sound: Soundtrack | None, path: str) -> None:
        codec, format = CODECS[self.ending]
        with tempfile.TemporaryDirectory(prefix="boids-film-", ignore_cleanup_errors=True) as folder:
            seen = path if sound is None else str(Path(folder, "seen"))
            encode(self._ffmpeg, (*codec, *format), frames, self.size, self.fps, seen)
            if sound is not None:
                samples = sound.finish(Fraction(count, self.fps))
                add_sound(self._ffmpeg, format, seen, str(samples), path)


def read_size(text: str) -> tuple[int, int]:
    """Return width and height in pixels, from "1280x720".

    Raises:
        ValueError: the text is not a size, or the size is out of range.
    """
    found = re.fullmatch(r"(\d{1,9})x(\d{1,9})", text, re.ASCII)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(1 <= side <= MOST_SIDE for side in size):
        raise ValueError(f"--size {text}: must be WIDTHxHEIGHT, each 1 to {MOST_SIDE:,} pixels, like 1280x720")
    return size
