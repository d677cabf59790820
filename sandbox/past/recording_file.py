"""Writes recordings to files: `.boids`.

A recording is a zip file, or a folder while a session lasts. Its members, in any order:

    recording.json              format, physics, scene, branches, the tick shown, markers, mods
    start.npz                   the initial state, a snapshot
    commands.jsonl              one command per line: tick, branch, kind and fields
    copies/K.npz                entities that were pasted
    digests.bin                 digests of some ticks: tick, branch, SHA-256; see `DIGEST`
    views.bin                   where the camera looked: tick, branch, x, y, width, height; see `VIEW`
    keyframes/BRANCH-TICK.npz   snapshots of later ticks; optional
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import struct
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from components.store.entities import Entities
from sandbox.edit.queue import Done
from sandbox.files import write_atomically
from sandbox.mods.load.loading import LoadedMod
from sandbox.past.branch import Branch
from sandbox.past.command_text import said
from sandbox.past.keyframe import Keyframe
from sandbox.past.recording import Recording
from sandbox.past.timeline import Timeline
from sandbox.past.views import Seen, packed_views
from sandbox.state.array_file import ALWAYS, pack
from sandbox.state.entity_arrays import arrays_of_entities
from sandbox.state.held_state import HeldState, hold
from systems.engine.settings import Settings

FORMAT = 1
DIGEST = struct.Struct("<QI32s")
KEYFRAMES = 1 << 20  # bytes of keyframes in a file, by default
OF_STATE, OF_ENTITY = 4000, 26  # approximate bytes of a packed state: fixed, and per entity
HEAD, START, COMMANDS, DIGESTS, VIEWS = "recording.json", "start.npz", "commands.jsonl", "digests.bin", "views.bin"
KEYFRAME = re.compile(r"keyframes/(\d{1,9})-(\d{1,19})\.npz", re.ASCII)  # branch, tick
MEMBER = re.compile(
    r"recording\.json|start\.npz|commands\.jsonl|(digests|views)\.bin|copies/\d{1,9}\.npz"
    rf"|{KEYFRAME.pattern}",
    re.ASCII,
)


def write_recording(timeline: Timeline, path: str | os.PathLike[str], *, keyframes: int = KEYFRAMES) -> None:
    """Write a recording atomically.

    Args:
        keyframes: bytes of keyframes at most, evenly chosen of those in memory. A later version whose ticks differ
            shows these instead.
    Raises:
        WriteError: it can't be written; an existing file is unchanged.
    """
    hold_to_write(timeline, keyframes=keyframes)(path)


def hold_to_write(timeline: Timeline, *, keyframes: int = KEYFRAMES) -> Callable[[str | os.PathLike[str]], None]:
    """Copy the recording; return a function that writes it like `write_recording`, in another thread if wanted."""
    timeline.note_end()
    held, states = hold_recording(timeline), _hold_keyframes(timeline, keyframes)
    return lambda path: write_atomically(path, zipped(held, _fitting(states, keyframes)))


def hold_for(timeline: Timeline, tick: int) -> Callable[[str | os.PathLike[str]], None]:
    """Like `hold_to_write`, but with only the keyframe from which a tick can be reached."""
    timeline.note_end()
    recording, branch = timeline.recording, timeline.branch
    keyframe = branch.keyframe(max(tick, recording.first))
    states = [_hold_state(recording, branch, keyframe)] if keyframe.tick > recording.first else []
    held = hold_recording(timeline)
    return lambda path: write_atomically(path, zipped(held, [(name, state.packed()) for name, state in states]))


def zipped(held: HeldRecording, keyframes: Iterable[tuple[str, bytes]] = ()) -> bytes:
    """Return the bytes of the file; may be called in another thread."""
    members = Members(held)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name: str, data: bytes) -> None:
            member = zipfile.ZipInfo(name, ALWAYS)
            member.compress_type = zipfile.ZIP_STORED if name.endswith(".npz") else zipfile.ZIP_DEFLATED
            archive.writestr(member, data)

        add(START, held.start.packed())
        add(COMMANDS, members.commands(held))
        for name, data in members.new_copies():
            add(name, data)
        add(DIGESTS, held.digests)
        if views := packed_views(held.views):
            add(VIEWS, views)
        for name, data in keyframes:
            add(name, data)
        add(HEAD, members.head(held))
    return content.getvalue()


@dataclass(frozen=True)
class HeldRecording:
    """A copy of a recording, which a thread can write while the world goes on.

    Attributes:
        head: the contents of `recording.json` except mods.
        commands: the commands, each with the number of its branch.
        digests: the contents of `digests.bin`.
        views: the views of each branch.
    """

    head: dict[str, Any]
    start: HeldState
    start_mods: tuple[LoadedMod, ...]
    commands: list[tuple[int, Done]]
    digests: bytes
    views: list[dict[int, Seen]]


def hold_recording(timeline: Timeline, written: Mapping[int, int] | None = None) -> HeldRecording:
    """Copy a recording; `written`: the number of commands already in the file, by branch number; these are left out."""
    recording, written = timeline.recording, written or {}
    branches = recording.branches
    numbers = {branch: number for number, branch in enumerate(branches)}
    world = timeline.simulation.world
    head = {
        "format": FORMAT,
        "physics": recording.physics,
        "scene": timeline.simulation.scene.name,
        "seed": world.seed,
        "tick_rate": world.resource(Settings).tick_rate,
        "branch": numbers[timeline.branch],
        "tick": timeline.tick,
        "branches": [{"parent": numbers[b.parent] if b.parent else None, "at": b.at, "last": b.last} for b in branches],
        "markers": [[numbers[branch], tick, words] for (branch, tick), words in recording.markers.items()],
    }
    commands = [
        (number, done) for number, branch in enumerate(branches) for done in branch.own[written.get(number, 0) :]
    ]
    digests = b"".join(
        DIGEST.pack(tick, number, bytes.fromhex(digest))
        for number, branch in enumerate(branches)
        for tick, digest in sorted(branch.digests.items())
    )
    start_mods = branches[0].keyframe(recording.first).mods
    views = [branch.views.copy() for branch in branches]
    return HeldRecording(head, recording.start, start_mods, commands, digests, views)


def hold_keyframe(timeline: Timeline) -> tuple[str, HeldState] | None:
    """Return a state and the name of its member: the present one, or the last keyframe if this tick has commands.

    Return None if that is the initial state.
    """
    recording, branch, tick = timeline.recording, timeline.branch, timeline.tick
    if timeline.is_untouched and tick > recording.first:
        return _keyframe_name(recording, branch, tick), hold(timeline.simulation.world)
    keyframe = branch.keyframe(tick)
    return _hold_state(recording, branch, keyframe) if keyframe.tick > recording.first else None


class Members:
    """Makes the members of a file that refer to each other: commands refer to mods and copies by number."""

    def __init__(self, held: HeldRecording) -> None:
        self._mods, self._copies = Numbers(held.start_mods), Numbers()
        self._copies_given = 0

    def commands(self, held: HeldRecording) -> bytes:
        """Return the lines of `commands.jsonl`."""
        return "".join(self._line(number, done) for number, done in held.commands).encode()

    def _line(self, branch: int, done: Done) -> str:
        table = {"tick": done.tick, "branch": branch, **({"joins": True} if done.joins else {})}
        table |= said(done.command, self._copies, self._mods)
        return json.dumps(table, allow_nan=False, separators=(",", ":")) + "\n"

    def new_copies(self) -> Iterator[tuple[str, bytes]]:
        """Yield the copies that were first used since the last call, with the names of their members."""
        for number, entities in enumerate(self._copies.things[self._copies_given :], self._copies_given):
            yield f"copies/{number}.npz", packed_copies(entities)
        self._copies_given = len(self._copies.things)

    def head(self, held: HeldRecording, **more: int) -> bytes:
        """Return the text of `recording.json`; `commands` must have been called before, because it numbers the mods."""
        mods = [[mod.id, str(mod.manifest.version), mod.content.digest] for mod in self._mods.things]
        table = {**held.head, "mods": mods, "mods_at_start": len(held.start_mods), **more}
        return json.dumps(table, indent=1, allow_nan=False).encode()


class Numbers:
    """Numbers objects in order of first use; the same object always gets the same number."""

    def __init__(self, things: Iterable[Any] = ()) -> None:
        self.things = [*things]
        self._numbers = {id(thing): number for number, thing in enumerate(self.things)}

    def __call__(self, thing: Any) -> int:
        number = self._numbers.setdefault(id(thing), len(self.things))
        if number == len(self.things):
            self.things.append(thing)
        return number


def packed_copies(entities: Entities) -> bytes:
    """Return the bytes of a member with copied entities."""
    names = json.dumps({"names": [prefab.name for prefab in entities.prefabs]}).encode()
    return pack({**arrays_of_entities(entities), "names": np.frombuffer(names, np.uint8)})


def _hold_keyframes(timeline: Timeline, most: int) -> list[tuple[str, HeldState]]:
    """Choose keyframes evenly, the newest first, of about `most` bytes when packed; without that of the start."""
    recording = timeline.recording
    known = [
        (branch, keyframe)
        for branch in recording.branches
        for tick, keyframe in branch.keyframes.items()
        if tick > recording.first
    ]
    if not known or not most:
        return []
    largest = OF_STATE + OF_ENTITY * len(known[-1][1].savepoint.serial)
    every = max(math.ceil(len(known) * largest / most), 1)
    return [_hold_state(recording, *one) for one in known[::-every][: most // largest]]


def _hold_state(recording: Recording, branch: Branch, keyframe: Keyframe) -> tuple[str, HeldState]:
    """Return the name of the member of a keyframe, and its state."""
    with keyframe.simulation() as simulation:
        return _keyframe_name(recording, branch, keyframe.tick), hold(simulation.world)


def _keyframe_name(recording: Recording, branch: Branch, tick: int) -> str:
    """Return the name of the member of a keyframe; it names the branch that owns the tick."""
    return f"keyframes/{recording.branches.index(branch.owner(tick))}-{tick}.npz"


def _fitting(states: Iterable[tuple[str, HeldState]], most: int) -> Iterator[tuple[str, bytes]]:
    """Pack and yield states until their total would exceed `most` bytes."""
    for name, state in states:
        content = state.packed()
        most -= len(content)
        if most < 0:
            return
        yield name, content
