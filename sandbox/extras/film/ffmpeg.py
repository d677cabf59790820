"""Writes mp4 and webm with ffmpeg."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from subprocess import DEVNULL, PIPE
from typing import TYPE_CHECKING

from sandbox.extras.film.other_process import other_process
from sandbox.programs import find_program

if TYPE_CHECKING:
    from PIL.Image import Image

COLOURS = (
    *("-vf", "scale=out_color_matrix=bt709", "-pix_fmt", "yuv420p"),
    *("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"),
)
H264 = ("-c:v", "libx264", "-preset", "medium", "-crf", "18")
VP9 = ("-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "28", "-cpu-used", "4", "-row-mt", "1")
MP4, WEBM = ("-movflags", "+faststart", "-f", "mp4"), ("-f", "webm")
SAMPLES = ("-f", "s16le", "-ar", "44100", "-ac", "2")
QUIET = ("-hide_banner", "-loglevel", "error", "-y")


def find_ffmpeg() -> str | None:
    """Return the path of ffmpeg: the one on PATH, else that of the package imageio-ffmpeg; None if there is none."""
    if found := find_program("ffmpeg"):
        return found
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        return None


def encode(
    program: str, codec: tuple[str, ...], frames: Iterator[Image], size: tuple[int, int], fps: int, path: str
) -> None:
    """Encode frames into a file.

    Args:
        program: the path of ffmpeg.
        codec: of the pictures and the file, like (*H264, *MP4).
        size: width and height in pixels, both even.
        fps: frames per second.
    Raises:
        OSError: ffmpeg failed; the message has its last line.
    """
    from_us = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", str(fps), "-i", "-")
    command = [program, *QUIET, *from_us, *COLOURS, *codec, path]
    with other_process(command, PIPE) as (process, complaint):
        assert process.stdin is not None
        for frame in frames:
            try:
                process.stdin.write(frame.tobytes())
            except BrokenPipeError:  # ffmpeg has ended; caught only here, as it may also come from our stdout
                break
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        if process.wait():
            raise OSError(f"ffmpeg failed: {complaint()}")


def add_sound(program: str, format: tuple[str, ...], film: str, samples: str, path: str) -> None:
    """Write the pictures of a film and samples (SAMPLES) into another file; `format`: MP4 or WEBM.

    Raises:
        OSError: ffmpeg failed; the message has its last line.
    """
    command = [program, *QUIET, "-i", film, *SAMPLES, "-i", samples, "-c:v", "copy", *format, path]
    with other_process(command, DEVNULL) as (process, complaint):
        if process.wait():
            raise OSError(f"ffmpeg failed: {complaint()}")
