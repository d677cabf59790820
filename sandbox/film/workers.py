"""The frames of a film, drawn by several processes in turn: the first draws one, the second the next, and so on.

Frames need not wait anywhere, however long the film is: each process draws its next one while those of the others are
written.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import chain, zip_longest
from typing import IO, TYPE_CHECKING, BinaryIO

from sandbox.film.film import Film
from sandbox.film.frames import frames
from sandbox.film.other_process import other_process
from sandbox.film.source import opened_to_film
from sandbox.mods.load.library import own_library
from sandbox.past.timeline import Timeline

if TYPE_CHECKING:
    from PIL.Image import Image

STDIN = 0


@contextmanager
def frames_by(processes: int, film: Film, timeline: Timeline) -> Iterator[Iterator[Image]]:
    """All frames of a film in order, drawn by so many processes: this one, and others until the block ends."""
    with ExitStack() as stack:
        others = [stack.enter_context(_frames_of(film, place, processes)) for place in range(1, processes)]
        own = stack.enter_context(closing(frames(film, timeline, 0, processes)))
        in_turn = chain.from_iterable(zip_longest(own, *others))
        yield (frame for frame in in_turn if frame is not None)


@contextmanager
def _frames_of(film: Film, first: int, every: int) -> Iterator[Iterator[Image]]:
    """Those frames that another process draws."""
    program = f"from sandbox.film.workers import draw; draw({pickle.dumps(film)!r}, {first}, {every})"
    told, tell = os.pipe()
    with (
        os.fdopen(told, "rb") as pixels,
        tempfile.TemporaryFile() as said,
        os.fdopen(tell, "wb") as to_us,  # the descriptor of stdin, on which nothing else prints
        other_process([sys.executable, "-P", "-c", program], to_us, said),
    ):
        to_us.close()
        yield _read(pixels, film, len(range(first, film.count, every)), said)


def _read(pixels: BinaryIO, film: Film, count: int, said: IO[bytes]) -> Iterator[Image]:
    from PIL.Image import frombytes

    size = 3 * film.size[0] * film.size[1]
    for _ in range(count):
        content = pixels.read(size)
        if len(content) < size:
            said.seek(0)
            lines = said.read().decode(errors="replace").splitlines() or ["it ended too early"]
            raise OSError(f"another process stopped drawing frames: {lines[-1]}")
        yield frombytes("RGB", film.size, content)


def draw(pickled: bytes, first: int, every: int) -> None:
    """What another process does: write the pixels of its frames to the descriptor of stdin."""
    film: Film = pickle.loads(pickled)
    timeline = opened_to_film(film.file, own_library(film.mods))
    with closing(timeline), os.fdopen(STDIN, "wb") as pixels:
        for frame in frames(film, timeline, first, every):
            pixels.write(frame.tobytes())
            pixels.flush()
