"""Recordings in files: `.boids`.

A zip file, or a folder while a session lasts; in any order of members:

    recording.json              format, physics, scene, branches, what was shown, markers, mods
    start.npz                   the state that all began with, a snapshot
    commands.jsonl              one command a line: tick, branch, kind and what it says
    copies/K.npz                entities that were pasted
    digests.bin                 of some ticks: tick, branch, SHA-256; see `DIGEST`
    views.bin                   what was seen: tick, branch, x, y, width, height; see `VIEW`
    keyframes/BRANCH-TICK.npz   snapshots on the way; there need be none
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
KEYFRAMES = 1 << 20  # bytes of them that a file has, if nobody wants more
OF_STATE, OF_ENTITY = 4000, 26  # bytes that a packed state has, about
HEAD, START, COMMANDS, DIGESTS, VIEWS = "recording.json", "start.npz", "commands.jsonl", "digests.bin", "views.bin"
MEMBER = re.compile(
    r"recording\.json|start\.npz|commands\.jsonl|(digests|views)\.bin|copies/\d{1,9}\.npz"
    r"|keyframes/\d{1,9}-\d{1,19}\.npz",
    re.ASCII,
)


def write_recording(timeline: Timeline, path: str | os.PathLike[str], *, keyframes: int = KEYFRAMES) -> None:
    """Write all that was recorded, whole or not at all.

    Args:
        keyframes: so many bytes of them at most, as even in time as they are there: a later version shows them where
            it makes other ticks.
    Raises:
        WriteError: it can't be written; a file that stood there is whole.
    """
    hold_to_write(timeline, keyframes=keyframes)(path)


def hold_to_write(timeline: Timeline, *, keyframes: int = KEYFRAMES) -> Callable[[str | os.PathLike[str]], None]:
    """What writes all that is recorded now, as `write_recording` does; a thread may do it while the world goes on."""
    timeline.note_end()
    held, states = hold_recording(timeline), _hold_keyframes(timeline, keyframes)
    return lambda path: write_atomically(path, zipped(held, _fitting(states, keyframes)))


def hold_for(timeline: Timeline, tick: int) -> Callable[[str | os.PathLike[str]], None]:
    """What writes it for whoever will seek this tick: of keyframes only the one from which that is run."""
    timeline.note_end()
    recording, branch = timeline.recording, timeline.branch
    keyframe = branch.keyframe(max(tick, recording.first))
    states = [_hold_state(recording, branch, keyframe)] if keyframe.tick > recording.first else []
    held = hold_recording(timeline)
    return lambda path: write_atomically(path, zipped(held, [(name, state.packed()) for name, state in states]))


def zipped(held: HeldRecording, keyframes: Iterable[tuple[str, bytes]] = ()) -> bytes:
    """The bytes of the file; another thread may make them."""
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
    """What is recorded now, held still: a thread may write it while the world goes on.

    Attributes:
        head: what `recording.json` says, but for mods.
        commands: each with the number of its branch.
        digests: the content of `digests.bin`.
        views: of each branch.
    """

    head: dict[str, Any]
    start: HeldState
    start_mods: tuple[LoadedMod, ...]
    commands: list[tuple[int, Done]]
    digests: bytes
    views: list[dict[int, Seen]]


def hold_recording(timeline: Timeline, written: Mapping[int, int] | None = None) -> HeldRecording:
    """Hold it; `written`: how many commands of each branch, by its number, are in the file already."""
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
        (number, done)
        for number, branch in enumerate(branches)
        for done in branch.commands[branch.inherited + written.get(number, 0) :]
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
    """A state and the member that it is: of this moment, or of the last keyframe before if something was done in it.

    None where that is the start.
    """
    recording, branch, tick = timeline.recording, timeline.branch, timeline.tick
    if timeline.is_untouched and tick > recording.first:
        return _keyframe_name(recording, branch, tick), hold(timeline.simulation.world)
    keyframe = branch.keyframe(tick)
    return _hold_state(recording, branch, keyframe) if keyframe.tick > recording.first else None


class Members:
    """Makes members of a recording that refer to each other: commands name mods and copies by numbers."""

    def __init__(self, held: HeldRecording) -> None:
        self._mods, self._copies = Numbers(held.start_mods), Numbers()
        self._copies_given = 0

    def commands(self, held: HeldRecording) -> bytes:
        """The lines of commands."""
        return "".join(self._line(number, done) for number, done in held.commands).encode()

    def _line(self, branch: int, done: Done) -> str:
        table = {"tick": done.tick, "branch": branch, **({"joins": True} if done.joins else {})}
        table |= said(done.command, self._copies, self._mods)
        return json.dumps(table, allow_nan=False, separators=(",", ":")) + "\n"

    def new_copies(self) -> Iterator[tuple[str, bytes]]:
        """The entities that commands named since this was asked last, with the names of their members."""
        for number, entities in enumerate(self._copies.things[self._copies_given :], self._copies_given):
            yield f"copies/{number}.npz", _packed_copies(entities)
        self._copies_given = len(self._copies.things)

    def head(self, held: HeldRecording, **more: int) -> bytes:
        """The text of `recording.json`, after `commands`."""
        mods = [[mod.id, str(mod.manifest.version), mod.content.digest] for mod in self._mods.things]
        table = {**held.head, "mods": mods, "mods_at_start": len(held.start_mods), **more}
        return json.dumps(table, indent=1, allow_nan=False).encode()


class Numbers:
    """Gives things numbers, the same one to the same thing."""

    def __init__(self, things: Iterable[Any] = ()) -> None:
        self.things = [*things]
        self._numbers = {id(thing): number for number, thing in enumerate(self.things)}

    def __call__(self, thing: Any) -> int:
        number = self._numbers.setdefault(id(thing), len(self.things))
        if number == len(self.things):
            self.things.append(thing)
        return number


def _packed_copies(entities: Entities) -> bytes:
    names = json.dumps({"names": [prefab.name for prefab in entities.prefabs]}).encode()
    return pack({**arrays_of_entities(entities), "names": np.frombuffer(names, np.uint8)})


def _hold_keyframes(timeline: Timeline, most: int) -> list[tuple[str, HeldState]]:
    """Keyframes as even in time as they are there, the newest first, about so many bytes when they are packed.

    The first is not among them: it is the start.
    """
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
    """The state of a keyframe of a branch, and the member that it is."""
    with keyframe.simulation() as simulation:
        return _keyframe_name(recording, branch, keyframe.tick), hold(simulation.world)


def _keyframe_name(recording: Recording, branch: Branch, tick: int) -> str:
    """The member of a keyframe of a branch, or of one that it comes from."""
    return f"keyframes/{recording.branches.index(branch.owner(tick))}-{tick}.npz"


def _fitting(states: Iterable[tuple[str, HeldState]], most: int) -> Iterator[tuple[str, bytes]]:
    """The bytes of states, as long as they are no more than `most` in all."""
    for name, state in states:
        content = state.packed()
        most -= len(content)
        if most < 0:
            return
        yield name, content
