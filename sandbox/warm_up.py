"""Compiles every kernel before it is needed, and reports the progress, because the first start takes a while.

Several processes compile at once. Each plays the whole rehearsal, but starts at a different act, and loads from the
cache what the others have compiled meanwhile. When the first of them has played all acts, everything is compiled.
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
    """Compile step by step; yield the number of acts done, the number of all, and the name of the current one.

    Finally this process plays all acts, to compile what the others could not, or everything if there is no cache.
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
    """Yield the number of acts and each act that a process has played, until a process has played all or none is left.

    If the system has no room for so many processes, there are fewer.
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
    # They write to the descriptor of stdin, because nothing else prints there: a `sitecustomize` may print to stdout.
    return subprocess.Popen([sys.executable, "-P", "-c", program], stdin=to_us, stdout=DEVNULL, stderr=DEVNULL)


def compile_from(place: int, processes: int) -> None:
    """Play all acts, as one of several processes; report their number and each act played, at the end an empty name."""
    rehearsal = Rehearsal()
    first, rest = rehearsal.acts[: rehearsal.opening], rehearsal.acts[rehearsal.opening :]
    begin = place * len(rest) // processes
    for act in [*first, *rest[begin:], *rest[:begin]]:
        rehearsal.play(act)
        _tell(len(rehearsal.acts), act)
    _tell(len(rehearsal.acts), "")


def _tell(count: int, act: str) -> None:
    """Write a line in one piece, as `print` may not: other processes write to the same pipe."""
    os.write(STDIN, f"{count} {act}\n".encode())
