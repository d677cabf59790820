"""Compile every kernel before it is needed: the first start takes a while, so it says what it does.

Several processes compile at once. Each plays the whole rehearsal, but begins at another place: what another has
compiled meanwhile it finds in the cache. Whoever is first at the end has all.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from subprocess import DEVNULL
from typing import IO

from sandbox.explain.dry_run import Rehearsal
from systems.engine import kernel_cache

STDIN = 0
MOST_PROCESSES = 4  # each takes half a gigabyte


def steps() -> Iterator[tuple[int, int, str]]:
    """Compile step by step: yields how many acts are done, of how many, and the name of the one at hand.

    What others could not do, or where there is no cache to hand it over, this process does itself.
    """
    done = set[str]()
    if kernel_cache.cache_folder() is not None and kernel_cache.is_cold():
        for count, act in _compiled_by_others(min(os.cpu_count() or 1, MOST_PROCESSES)):
            done.add(act)
            yield len(done), count, act
    rehearsal = Rehearsal()
    count = len(rehearsal.acts)
    for act in rehearsal.acts:
        yield len(done), count, act
        rehearsal.play(act)
        done.add(act)
    rehearsal.close()
    kernel_cache.mark_warm()
    yield count, count, "done"


def warm_up() -> None:
    """Compile or load every kernel, silently."""
    for _ in steps():
        pass


def _compiled_by_others(processes: int) -> Iterator[tuple[int, str]]:
    """How many acts there are, and which one of several processes has played, until one has played all or none is left.

    Where the system has no room for so many processes, there are fewer.
    """
    told, tell = os.pipe()
    others: list[subprocess.Popen[bytes]] = []
    try:
        with os.fdopen(told) as lines:
            with suppress(OSError), os.fdopen(tell, "wb") as to_us:
                for place in range(processes):
                    others.append(_begin(place, processes, to_us))
            for line in lines:
                count, act = line.rstrip("\n").split(" ")
                if not act:
                    return
                yield int(count), act
    finally:
        for other in others:
            other.terminate()
            other.wait()


def _begin(place: int, processes: int, to_us: IO[bytes]) -> subprocess.Popen[bytes]:
    program = f"from sandbox.warm_up import compile_from; compile_from({place}, {processes})"
    # They tell through the descriptor of stdin, on which nothing else prints: a `sitecustomize` may be chatty.
    return subprocess.Popen([sys.executable, "-P", "-c", program], stdin=to_us, stdout=DEVNULL, stderr=DEVNULL)


def compile_from(place: int, processes: int) -> None:
    """What one of several processes does: tell how many acts there are and which it has played; at the end, none."""
    rehearsal = Rehearsal()
    first, rest = rehearsal.acts[: rehearsal.opening], rehearsal.acts[rehearsal.opening :]
    begin = place * len(rest) // processes
    for act in [*first, *rest[begin:], *rest[:begin]]:
        rehearsal.play(act)
        _tell(len(rehearsal.acts), act)
    _tell(len(rehearsal.acts), "")


def _tell(count: int, act: str) -> None:
    """A line in one piece, which `print` may write in several: other processes write to the same pipe."""
    os.write(STDIN, f"{count} {act}\n".encode())
