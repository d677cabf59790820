"""Writes mp4 and webm with ffmpeg."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from subprocess import PIPE
from typing import TYPE_CHECKING, BinaryIO

from sandbox.film.other_process import other_process
from sandbox.programs import find_program

if TYPE_CHECKING:
    from PIL.Image import Image

COLOURS = (
    *("-vf", "scale=out_color_matrix=bt709", "-pix_fmt", "yuv420p"),
    *("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"),
)
H264 = ("-c:v", "libx264", "-preset", "medium", "-crf", "18", "-movflags", "+faststart", "-f", "mp4")
VP9 = ("-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "28", "-cpu-used", "4", "-row-mt", "1", "-f", "webm")


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
    program: str, codec: tuple[str, ...], frames: Iterator[Image], size: tuple[int, int], fps: int, file: BinaryIO
) -> None:
    """Encode frames into an existing named file.

    Args:
        program: the path of ffmpeg.
        codec: H264 or VP9.
        size: width and height in pixels, both even.
        fps: frames per second.
    Raises:
        OSError: ffmpeg failed; the message has its last line.
    """
    from_us = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", str(fps), "-i", "-")
    command = [program, "-hide_banner", "-loglevel", "error", "-y", *from_us, *COLOURS, *codec, file.name]
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
