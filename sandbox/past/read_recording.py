"""Reads recordings. A file may be malicious, so all its contents are checked before anything runs."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from components.store.entities import Entities
from components.store.prefab import Prefab
from sandbox.edit import Redo, Undo
from sandbox.edit.queue import Done
from sandbox.files import named, reason
from sandbox.mods.load.assembly import assembled
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.loading import LoadedMod
from sandbox.mods.run.upgrade import UseMods
from sandbox.opening import is_picture
from sandbox.past.branch import Branch
from sandbox.past.command_text import read_command
from sandbox.past.in_picture import recording_in
from sandbox.past.journal import journal_file
from sandbox.past.keyframe import Keyframe
from sandbox.past.physics import PHYSICS
from sandbox.past.recording import Recording
from sandbox.past.recording_commands import memory_of, mods_at, of_kinds, undone_until
from sandbox.past.recording_file import COMMANDS, DIGEST, DIGESTS, FORMAT, HEAD, KEYFRAME, MEMBER, START, VIEWS
from sandbox.past.recording_head import MOST_TICK, branches_said, markers_said, mods_said, whole
from sandbox.past.timeline import Timeline
from sandbox.past.views import MOST, VIEW, read_views
from sandbox.simulation import Simulation
from sandbox.state.array_file import ArrayFile
from sandbox.state.budget import Budget
from sandbox.state.entity_arrays import read_entities
from sandbox.state.held_state import hold
from sandbox.state.json_text import read_table
from sandbox.state.snapshot import read_snapshot
from sandbox.state.strict_zip import StrictZip, Words
from sandbox.undo.size import size_of

MOST_HEAD, MOST_COMMANDS, MOST_DIGESTS, MOST_SNAPSHOT = 1 << 20, 256 << 20, 64 << 20, 1 << 30  # bytes
MOST_NAMES = 1 << 16  # bytes
OF_COMMAND, OF_DIGEST, OF_VIEW, OF_KEYFRAME = 512, 256, 320, 1 << 20  # bytes of memory beside what they hold


class RecordingError(ValueError):
    """A recording can't be opened; the message says which file, what is wrong and what would be right."""


WORDS = Words("a recording", "members", "a whole one is written by `boids run --record`", RecordingError)


def open_recording(path: str | os.PathLike[str], mods: LoadedMods) -> Timeline:
    """Open a recording at its first tick, with the mods that it began with.

    The path may be a `.boids` file, a picture with a recording (`Timeline.opens_at` is then its tick), or the folder of
    a journal. If a command can't be read, or needs a missing mod, the recording ends before it; see `Timeline.cut`.

    Raises:
        RecordingError: the file is no recording, is damaged, or needs something that this program lacks.
    """
    path = Path(path)
    mods.look(path)
    content: BinaryIO | None = None
    try:
        if is_picture(path):
            content = io.BytesIO(recording_in(path))
        elif path.is_dir():
            content = journal_file(path)
    except ValueError as error:
        raise RecordingError(f"{named(path)}: {error}") from None
    except OSError as error:
        raise RecordingError(f"{named(error.filename or path)}: can't be read: {reason(error)}") from None
    with closing(StrictZip(path, WORDS, content)) as file:
        timeline, tick = _Reader(file, mods).timeline()
    timeline.opens_at = tick if is_picture(path) else None
    return timeline


@dataclass
class _Reader:
    """Reads one file."""

    file: StrictZip
    mods: LoadedMods
    cut: str = ""
    copies: dict[Any, Entities] = field(default_factory=dict)  # by their number in the file

    def timeline(self) -> tuple[Timeline, int]:
        """Read the recording; return it with the tick that was shown when it was written."""
        for member in self.file.members:
            if not MEMBER.fullmatch(member):
                raise self.file.error(f"holds {member!r}, which is not part of a recording")
        with self._named(HEAD):
            head = read_table(self.file.read(HEAD, MOST_HEAD), HEAD)
            if type(newest := head.get("format")) is int and newest > FORMAT:
                raise ValueError(f"has format {newest}, and this version reads up to {FORMAT}: a newer one opens it")
            whole(head, "format", 1, FORMAT)
            physics = whole(head, "physics", 0, MOST_TICK)
            self._needed = mods_said(head)
            start_mods = [self._mod(place) for place in range(whole(head, "mods_at_start", 0, len(self._needed)))]
            command_bytes = whole(head, "command_bytes", 0, MOST_COMMANDS) if "command_bytes" in head else None
        simulation = self._simulation(START, start_mods)
        with self._named(HEAD):
            branches = branches_said(head, simulation.tick)
            shown = whole(head, "branch", 0, len(branches) - 1)
            last = branches[shown].last
            tick = whole(head, "tick", simulation.tick, last) if "tick" in head else last
            markers = markers_said(head, branches)
        self._read_digests(branches)
        self._read_views(branches)
        branches = self._read_commands(branches, command_bytes)
        shown = min(shown, len(branches) - 1)
        recording = Recording(hold(simulation.world), Keyframe.take(simulation, 0), branches=branches)
        recording.physics = physics
        recording.markers = {(b, tick): name for (b, tick), name in markers.items() if b in branches and tick <= b.last}
        self._read_keyframes(recording, start_mods)
        newest = branches[shown].keyframe(branches[shown].last)
        if not recording.runs and newest.tick == recording.first:
            raise self.file.error(
                f"was recorded with physics {physics}, and this version has {PHYSICS}: it has no keyframes to show"
            )
        return Timeline(simulation, recording, branch=branches[shown], cut=self.cut), min(tick, branches[shown].last)

    def _simulation(self, member: str, mods: list[LoadedMod], budget: Budget | None = None) -> Simulation:
        """Make a simulation from a snapshot in the file, which must fit into the budget if there is one."""
        content = self.file.read(member, MOST_SNAPSHOT)
        snapshot = read_snapshot(self.file.path / member, LoadedMods(assembled(mods)), content, budget)
        snapshot.meta.scene.folder = self.file.path.absolute().parent
        simulation = Simulation(snapshot.meta.scene, populate=False)
        try:
            snapshot.restore(simulation.world)
        except ValueError:
            simulation.close()
            raise
        return simulation

    def _mod(self, number: Any) -> LoadedMod:
        """Return a mod by its number in the file; its content must be that of when this was recorded."""
        if type(number) is not int or not 0 <= number < len(self._needed):
            raise ValueError(f"mod {number!r:.60}: must be 0 to {len(self._needed) - 1}")
        name, version, content = self._needed[number]
        for mod in self.mods.loaded:
            if mod.id == name and mod.content.digest == content:
                return mod
        there = [mod for mod in self.mods.loaded if mod.id == name]
        what = "its files have changed" if there else "it is not enabled"
        raise ValueError(f"needs the mod {name} {version} as it was when this was recorded: {what}")

    def _read_commands(self, branches: list[Branch], size: int | None) -> list[Branch]:
        """Read the commands of all branches; return the branches that remain.

        If a command can't be read, its branch ends before it, and later branches are dropped.

        Args:
            size: valid bytes of a journal's commands, in which branches are mixed; None for a file.
        """
        number, end, ticks = 0, len(branches), [branch.at for branch in branches]
        lines = enumerate(self.file.lines(COMMANDS, MOST_COMMANDS, size), 1)
        while True:
            in_order = known = size is None
            try:
                line, text = next(lines, (0, b""))
                if not line:
                    break
                with self._named(f"{COMMANDS}:{line}"):
                    table = read_table(text, "a command")
                    number, known = whole(table, "branch", number if in_order else 0, len(branches) - 1), True
                    if number < end:
                        ticks[number] = whole(table, "tick", ticks[number], branches[number].last)
                        branches[number].own.append(self._done(ticks[number], table))
            except RecordingError as error:
                if not known:
                    raise
                self._end(branches[number], max(ticks[number] - 1, branches[number].at), str(error))
                end = number
                if in_order:
                    break
        for branch in branches:
            branch.inherited = branch.parent.commands_through(branch.at) if branch.parent else 0
        return branches[: end + 1]

    def _end(self, branch: Branch, last: int, why: str) -> None:
        """End a branch at this tick, because the next command can't be read."""
        branch.last, branch.own = last, [done for done in branch.own if done.tick <= last]
        branch.views = {tick: seen for tick, seen in branch.views.items() if tick <= last}
        branch.digests = {tick: digest for tick, digest in branch.digests.items() if tick <= last}
        self.cut = f"{why}; it plays to tick {last:,}"

    def _done(self, tick: int, table: dict[str, Any]) -> Done:
        joins = table.get("joins", False)
        if type(joins) is not bool:
            raise ValueError("joins: must be true or false")
        said = {key: value for key, value in table.items() if key not in ("tick", "branch", "joins")}
        command = read_command(said, self._copies, self._mod)
        if isinstance(command, UseMods):
            mods: object = command.mods
            if not (isinstance(mods, tuple) and all(isinstance(mod, LoadedMod) for mod in mods)):
                raise ValueError("mods: must be mods of this file")
        self.file.budget.take(OF_COMMAND + memory_of(command))
        return Done(tick, command, joins)

    def _copies(self, number: Any) -> Entities:
        """Return the entities of a member; it is read once, however often they are pasted."""
        if type(number) is not int:
            raise ValueError(f"copies = {number!r:.60}: must be the number of a member copies/K.npz")
        if number not in self.copies:
            copies = self._read_copies(number)
            self.file.budget.take(size_of(copies))
            self.copies[number] = copies
        return self.copies[number]

    def _read_copies(self, number: int) -> Entities:
        member = f"copies/{number}.npz"
        content = io.BytesIO(self.file.read(member, MOST_SNAPSHOT))
        with closing(ArrayFile(self.file.path / member, content)) as file:
            self.file.budget.check(file.size)
            header = file.headers.get("names")
            if header is None or header.length > MOST_NAMES:
                raise file.error("has no names of prefabs")
            said = file.read("names", np.dtype(np.uint8), header.length).tobytes()
            names = read_table(said, "names").get("names")
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise file.error("names must be a list of names of prefabs")
            prefabs = tuple(Prefab(name, {}) for name in names)
            return read_entities(file, self.mods.assembly, prefabs, MOST_TICK, {"names"})

    def _read_digests(self, branches: list[Branch]) -> None:
        content = self.file.read(DIGESTS, MOST_DIGESTS)
        if len(content) % DIGEST.size:
            raise self.file.error(f"{DIGESTS}: must be records of {DIGEST.size} bytes")
        self._take(DIGESTS, OF_DIGEST * len(content) // DIGEST.size)
        for tick, number, digest in DIGEST.iter_unpack(content):
            if number >= len(branches):
                raise self.file.error(f"{DIGESTS}: there is no branch {number}")
            branches[number].digests[tick] = digest.hex()

    def _read_views(self, branches: list[Branch]) -> None:
        if VIEWS in self.file.members:
            with self._named(VIEWS):
                content = self.file.read(VIEWS, MOST * VIEW.size)
                self._take(VIEWS, OF_VIEW * len(content) // VIEW.size)
                read_views(content, branches)

    def _read_keyframes(self, recording: Recording, start_mods: list[LoadedMod]) -> None:
        """Add the keyframes from which ticks can be run, or all if the physics differ; skip damaged ones.

        The latest are read first; those that don't fit into the budget are left out.
        """
        undone = dict[Branch, int]()
        undoes, uses = (of_kinds(recording.branches, *kinds) for kinds in ((Undo, Redo), (UseMods,)))
        names = (KEYFRAME.fullmatch(member) for member in self.file.members)
        found = [(int(name[2]), int(name[1]), name[0]) for name in names if name]
        for tick, number, member in sorted(found, reverse=True):
            try:
                if number >= len(recording.branches):
                    raise self.file.error(f"{member}: there is no branch {number}")
                branch = recording.branches[number]
                if not (branch.at < tick or branch.parent is None) or not recording.first < tick <= branch.last:
                    raise self.file.error(f"{member}: there is no tick {tick} on branch {number}")
                if branch not in undone:
                    undone[branch] = undone_until(branch, undoes)
                if recording.runs and tick <= undone[branch]:  # snapshots don't hold the undo history
                    continue
                self._take(member, OF_KEYFRAME)
                with self._simulation(member, mods_at(branch, tick, start_mods, uses), self.file.budget) as simulation:
                    if simulation.tick != tick:
                        raise self.file.error(f"{member}: is the state of tick {simulation.tick}")
                    keyframe = Keyframe.take(simulation, branch.commands_before(tick))
                    self._take(member, sum(array.nbytes for array in keyframe.arrays()))
            except ValueError as error:
                self.cut = self.cut or f"{error}; it is left out"
                continue
            recording.keep(branch, keyframe)

    def _take(self, member: str, size: int) -> None:
        """Charge bytes that a member takes to the budget of the file."""
        with self._named(member):
            self.file.budget.take(size)

    @contextmanager
    def _named(self, place: str) -> Iterator[None]:
        """Turn a ValueError in the block into a RecordingError that names the place in the file."""
        try:
            yield
        except RecordingError:
            raise
        except ValueError as error:
            told = str(error).replace("\n", "; ")
            raise self.file.error(f"{place}: {told}") from None
