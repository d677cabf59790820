"""What a recording consists of, and its one writer.

A recording (`.boids`) is a zip file, or a folder while a session lasts. Its members, in any order:

    recording.json              format, physics, scene, branches, the tick shown, markers, mods
    start.npy                   the initial state
    commands.jsonl              one command per line: tick, branch, kind and fields
    copies/K.npy                entities that were pasted
    digests.bin                 digests of some ticks: tick, branch, SHA-256; see `DIGEST`
    views.bin                   where the camera looked: tick, branch, x, y, width, height; see `VIEW`
    deep_views.bin              the same of a world with depth: tick, branch, x, y, z, yaw, pitch, distance
    keyframes/BRANCH-TICK.npy   states of later ticks

All but the first two may be missing. A snapshot is a recording of no ticks: it has only these two.
"""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from components.store.entities import Entities
from components.store.fields import FLAT
from components.store.world import World
from sandbox.design.scene import Scene
from sandbox.edit.queue import Done
from sandbox.files.atomic import AnyPath, written_beside
from sandbox.files.command_tables import as_table
from sandbox.files.container import COMMANDS, DEEP_VIEWS, DIGESTS, HEAD, START, VIEWS, Member, write_zip
from sandbox.files.state.arrays import packed
from sandbox.files.state.entities import arrays_of_entities
from sandbox.files.state.state import HeldState, hold
from sandbox.mods.load.loading import LoadedMod
from sandbox.physics import PHYSICS
from systems.engine.settings import Settings

FORMAT = 1
DIGEST, VIEW, DEEP_VIEW = (struct.Struct(f"<QI{own}") for own in ("32s", "4f", "6f"))


@dataclass(frozen=True)
class HeldRecording:
    """A copy of a recording, which a thread can write while the world goes on.

    Attributes:
        head: the contents of `recording.json` except mods.
        commands: those that were not written yet, each with the number of its branch.
        digests: the contents of `digests.bin`.
        views: of each branch by tick, the elements of `Seen` or `SeenInSpace`.
        keyframes: states by the names of their members.
    """

    head: dict[str, Any]
    start: HeldState
    start_mods: tuple[LoadedMod, ...] = ()
    commands: tuple[tuple[int, Done], ...] = ()
    digests: bytes = b""
    views: tuple[Mapping[int, tuple[float, ...]], ...] = ()
    keyframes: tuple[tuple[str, HeldState], ...] = ()

    def write(self, path: AnyPath) -> None:
        """Write it to a file, atomically.

        Raises:
            WriteError: it can't be written; an existing file is unchanged.
        """
        with written_beside(path) as file:
            write_zip(file, Writer().members(self))

    def packed(self) -> bytes:
        """Return the bytes of the file."""
        content = io.BytesIO()
        write_zip(content, Writer().members(self))
        return content.getvalue()


def hold_moment(world: World) -> HeldRecording:
    """Copy the present state, as a recording of no ticks."""
    branch = {"parent": None, "at": world.tick, "last": world.tick}
    return HeldRecording(head_of(world, PHYSICS, [branch]), hold(world))


def head_of(world: World, physics: int, branches: list[dict[str, Any]], branch: int = 0) -> dict[str, Any]:
    """Return what `recording.json` says of a world that is shown now, on one of these branches."""
    return {
        "format": FORMAT,
        "physics": physics,
        "scene": world.resource(Scene).name,
        "seed": world.seed,
        "tick_rate": world.resource(Settings).tick_rate,
        "branch": branch,
        "tick": world.tick,
        "branches": branches,
    }


class Writer:
    """Makes the members of a recording; a journal lets it make them again and again, to add what came since."""

    def __init__(self) -> None:
        self._mods, self._copies = Numbers(), Numbers()
        self._begun, self._copies_given, self._bytes = False, 0, 0

    def members(self, held: HeldRecording) -> Iterator[Member]:
        """Yield the members, in an order such that a journal that is interrupted in between is whole.

        `commands.jsonl` has only the new lines; start and copies come once; all others as they are now. The head, which
        says how many bytes of commands are valid, comes after all that it needs, and before digests of its ticks.
        """
        if not self._begun:
            for mod in held.start_mods:
                self._mods(mod)
            yield held.start.member(START)
            self._begun = True
        lines = "".join(self._line(number, done) for number, done in held.commands).encode()
        self._bytes += len(lines)
        for number in range(self._copies_given, len(self._copies.things)):
            yield f"copies/{number}.npy", packed_copies(self._copies.things[number])
        self._copies_given = len(self._copies.things)
        if lines:
            yield COMMANDS, [lines]
        mods = [[mod.id, str(mod.manifest.version), mod.content.digest] for mod in self._mods.things]
        told = {"mods": mods, "mods_at_start": len(held.start_mods), "command_bytes": self._bytes}
        yield HEAD, [json.dumps({**held.head, **told}, indent=1, allow_nan=False).encode()]
        if held.digests:
            yield DIGESTS, [held.digests]
        seen = [(tick, n, *each) for n, views in enumerate(held.views) for tick, each in views.items()]
        for name, form, length in ((VIEWS, VIEW, 6), (DEEP_VIEWS, DEEP_VIEW, 8)):
            if own := [form.pack(*each) for each in seen if len(each) == length]:
                yield name, own
        yield from (state.member(name) for name, state in held.keyframes)

    def _line(self, branch: int, done: Done) -> str:
        table = {"tick": done.tick, "branch": branch, **({"joins": True} if done.joins else {})}
        table |= as_table(done.command, self._copies, self._mods)
        return json.dumps(table, allow_nan=False, separators=(",", ":")) + "\n"


class Numbers:
    """Numbers objects in order of first use; the same object always gets the same number."""

    def __init__(self) -> None:
        self.things: list[Any] = []
        self._numbers: dict[int, int] = {}

    def __call__(self, thing: Any) -> int:
        number = self._numbers.setdefault(id(thing), len(self.things))
        if number == len(self.things):
            self.things.append(thing)
        return number


def packed_copies(entities: Entities) -> Iterable[Any]:
    """Return the parts of a member with copied entities."""
    names: dict[str, Any] = {"names": [prefab.name for prefab in entities.prefabs]}
    if entities.axes != FLAT:
        names["axes"] = entities.axes
    return packed({"meta": np.frombuffer(json.dumps(names).encode(), np.uint8), **arrays_of_entities(entities)})
