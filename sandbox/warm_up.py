"""Compile every kernel before it is needed: the first start takes a while, so it says what it does.

Several processes compile at once. Each plays the whole rehearsal, but begins at another place: what another has
compiled meanwhile it finds in the cache. Whoever is first at the end has all.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

from sandbox.rehearsal import Rehearsal
from systems.core import kernel

MOST_PROCESSES = 4  # each takes half a gigabyte


def steps() -> Iterator[tuple[int, int, str]]:
    """Compile step by step: yields what is done, of how many, and the name of the step."""
    if kernel.CACHE is not None and kernel.is_cold():
        yield from _compiled_by_others(min(os.cpu_count() or 1, MOST_PROCESSES))
    rehearsal = Rehearsal()
    for act in rehearsal.acts:
        rehearsal.play(act)
    rehearsal.close()
    kernel.mark_warm()
    yield len(rehearsal.acts), len(rehearsal.acts), "done"


def warm_up() -> None:
    """Compile or load every kernel, silently."""
    for _ in steps():
        pass


def _compiled_by_others(processes: int) -> Iterator[tuple[int, int, str]]:
    """The steps that several processes do, until one has done all, or all have ended."""
    told, tell = os.pipe()
    others = [
        subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-c",
                f"from sandbox.warm_up import compile_from; compile_from({place}, {processes})",
            ],
            stdout=tell,
            stderr=subprocess.DEVNULL,
        )
        for place in range(processes)
    ]
    os.close(tell)
    done = set[str]()
    try:
        with os.fdopen(told) as lines:
            for line in lines:
                count, act = line.rstrip("\n").split(" ")
                if not act:
                    return
                done.add(act)
                yield len(done), int(count), act
    finally:
        for other in others:
            other.terminate()
            other.wait()


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
    os.write(sys.stdout.fileno(), f"{count} {act}\n".encode())
