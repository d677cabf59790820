"""Recordings in files: `.boids`.

A zip file, in any order of members:

    recording.json      format, physics, scene, ticks, branches, markers, mods
    start.npz           the state that all began with, a snapshot
    commands.jsonl      one command a line: tick, branch, kind and what it says
    copies/K.npz        entities that were pasted
    digests.bin         of some ticks: tick, branch, SHA-256; see `DIGEST`
    keyframes/TICK.npz  snapshots on the way that was shown when it was written; there need be none
"""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from components.store.entities import Entities
from sandbox.files import write_atomically
from sandbox.past.branch import Branch
from sandbox.past.command_text import said
from sandbox.past.recording import Recording
from sandbox.past.timeline import Timeline
from sandbox.state.array_file import ALWAYS, pack
from sandbox.state.entity_arrays import arrays_of_entities
from sandbox.state.held_state import hold
from systems.engine.settings import Settings

FORMAT = 1
DIGEST = struct.Struct("<QI32s")
HEAD, START, COMMANDS, DIGESTS = "recording.json", "start.npz", "commands.jsonl", "digests.bin"


def write_recording(timeline: Timeline, path: str | os.PathLike[str], *, keyframes: bool = False) -> None:
    """Write all that was recorded, whole or not at all; `keyframes`: also those of the present branch.

    Raises:
        WriteError: it can't be written; a file that stood there is whole.
    """
    write_atomically(path, packed(timeline, keyframes=keyframes))


def packed(timeline: Timeline, *, keyframes: bool = False) -> bytes:
    """The bytes of the file."""
    timeline.note_end()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _members(timeline, keyframes):
            member = zipfile.ZipInfo(name, ALWAYS)
            member.compress_type = zipfile.ZIP_STORED if name.endswith(".npz") else zipfile.ZIP_DEFLATED
            archive.writestr(member, data)
    return content.getvalue()


def _members(timeline: Timeline, keyframes: bool) -> Iterator[tuple[str, bytes]]:
    recording = timeline.recording
    mods, copies = Numbers(), Numbers()
    for mod in recording.branches[0].keyframe(recording.first).mods:
        mods(mod)
    in_start = len(mods.things)
    lines = [line for n, branch in enumerate(recording.branches) for line in _lines(n, branch, copies, mods)]
    yield START, recording.start.packed()
    yield COMMANDS, "".join(lines).encode()
    for number, entities in enumerate(copies.things):
        yield f"copies/{number}.npz", _packed_copies(entities)
    yield DIGESTS, _digests(recording)
    if keyframes:
        yield from _keyframes(timeline)
    yield HEAD, json.dumps(_head(timeline, mods, in_start), indent=1, allow_nan=False).encode()


class Numbers:
    """Gives things numbers, the same one to the same thing."""

    def __init__(self) -> None:
        self.things: list[Any] = []

    def __call__(self, thing: Any) -> int:
        for number, known in enumerate(self.things):
            if known is thing:
                return number
        self.things.append(thing)
        return len(self.things) - 1


def _head(timeline: Timeline, mods: Numbers, in_start: int) -> dict[str, Any]:
    recording = timeline.recording
    branches = recording.branches
    numbers = {id(branch): number for number, branch in enumerate(branches)}
    scene, world = timeline.simulation.scene, timeline.simulation.world
    return {
        "format": FORMAT,
        "physics": recording.physics,
        "scene": scene.name,
        "seed": world.seed,
        "tick_rate": world.resource(Settings).tick_rate,
        "branch": numbers[id(timeline.branch)],
        "branches": [
            {"parent": numbers[id(b.parent)] if b.parent else None, "at": b.at, "last": b.last} for b in branches
        ],
        "markers": [[numbers[id(branch)], tick, words] for (branch, tick), words in recording.markers.items()],
        "mods": [[mod.id, str(mod.manifest.version), mod.content.digest] for mod in mods.things],
        "mods_at_start": in_start,
    }


def _lines(number: int, branch: Branch, copies: Numbers, mods: Numbers) -> Iterator[str]:
    for done in branch.commands[branch.inherited :]:
        table = {"tick": done.tick, "branch": number, **({"joins": True} if done.joins else {})}
        table |= said(done.command, copies, mods)
        yield json.dumps(table, allow_nan=False, separators=(",", ":")) + "\n"


def _digests(recording: Recording) -> bytes:
    return b"".join(
        DIGEST.pack(tick, number, bytes.fromhex(digest))
        for number, branch in enumerate(recording.branches)
        for tick, digest in sorted(branch.digests.items())
    )


def _packed_copies(entities: Entities) -> bytes:
    names = json.dumps({"names": [prefab.name for prefab in entities.prefabs]}).encode()
    return pack({**arrays_of_entities(entities), "names": np.frombuffer(names, np.uint8)})


def _keyframes(timeline: Timeline) -> Iterator[tuple[str, bytes]]:
    """Snapshots of the keyframes on the way to the last tick of the present branch."""
    branch, first = timeline.branch, timeline.recording.first
    ticks = sorted({tick for known in timeline.recording.branches for tick in known.keyframes} - {first})
    for tick in (tick for tick in ticks if tick <= branch.last and branch.keyframe(tick).tick == tick):
        simulation = branch.keyframe(tick).simulation()
        yield f"keyframes/{tick}.npz", hold(simulation.world).packed()
        simulation.close()
