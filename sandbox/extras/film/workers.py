"""Draws the frames of a film with several processes, which take turns frame by frame.

Each process draws its next frame while those of the others are written, so no frames have to be stored, however long
the film is.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, BinaryIO

from PIL.Image import Image, frombytes

from sandbox.extras.film.film import Film
from sandbox.extras.film.frames import frames
from sandbox.extras.film.other_process import other_process
from sandbox.mods.load.library import own_library
from sandbox.opening import opened_to_run
from sandbox.past.timeline import Timeline

if TYPE_CHECKING:
    from sandbox.extras.film.soundtrack import Soundtrack

STDIN = 0


@contextmanager
def frames_by(
    processes: int, film: Film, timeline: Timeline, sound: Soundtrack | None = None
) -> Iterator[Iterator[Image]]:
    """Iterate over all frames in order, drawn by this process and others, which run until the end of the block.

    Args:
        sound: takes up each tick in this process.
    """
    with ExitStack() as stack:
        others = [stack.enter_context(_frames_of(film, first, processes)) for first in range(1, processes)]
        own = stack.enter_context(closing(frames(film, timeline, 0, processes, sound)))
        in_turn = chain.from_iterable(zip_longest(own, *others))
        yield (frame for frame in in_turn if frame is not None)


@contextmanager
def _frames_of(film: Film, first: int, every: int) -> Iterator[Iterator[Image]]:
    """Iterate over the frames that another process draws."""
    program = f"from sandbox.extras.film.workers import draw; draw({pickle.dumps(film)!r}, {first}, {every})"
    told, tell = os.pipe()
    with (
        os.fdopen(told, "rb") as pixels,
        os.fdopen(tell, "wb") as to_us,  # becomes its stdin: used for output, because nothing else prints there
        other_process([sys.executable, "-P", "-c", program], to_us) as (_, complaint),
    ):
        to_us.close()
        yield _read(pixels, film, len(range(first, film.count, every)), complaint)


def _read(pixels: BinaryIO, film: Film, count: int, complaint: Callable[[], str]) -> Iterator[Image]:
    size = 3 * film.size[0] * film.size[1]
    for _ in range(count):
        content = pixels.read(size)
        if len(content) < size:
            raise OSError(f"another process stopped drawing frames: {complaint()}")
        yield frombytes("RGB", film.size, content)


def draw(pickled: bytes, first: int, every: int) -> None:
    """Run in another process: write the pixels of its frames to the descriptor of stdin."""
    film: Film = pickle.loads(pickled)
    timeline = opened_to_run(film.file, own_library(film.mods), budget=0)
    with closing(timeline), os.fdopen(STDIN, "wb") as pixels:
        for frame in frames(film, timeline, first, every):
            pixels.write(frame.tobytes())
            pixels.flush()
