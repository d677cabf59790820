"""Reads the commands of a recording, and the mods and copied entities to which they refer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from components.store.entities import Entities
from components.store.fields import DEEP, FLAT
from components.store.prefab import Prefab
from sandbox.edit.command import Command
from sandbox.edit.queue import Done
from sandbox.files.command_tables import memory_of, read_command
from sandbox.files.container import COMMANDS, Container
from sandbox.files.json_text import read_table
from sandbox.files.read_head import MOST_COMMANDS, MOST_TICK, Head, whole
from sandbox.files.state.arrays import arrays_in
from sandbox.files.state.entities import expected_arrays, read_entities
from sandbox.files.state.state import META
from sandbox.mods.find.load_order import dependency_first
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.loading import LoadedMod
from sandbox.mods.run.upgrade import UseMods
from sandbox.past.branch import Branch
from sandbox.undo.size import size_of

MOST_NAMES = 1 << 16  # bytes
MOST_LINES = 150_000  # commands of a file
MOST_AT_ONCE = 100_000  # of a branch in one tick
OF_COMMAND = 512  # bytes of memory beside what it holds
Special = Mapping[Branch, Sequence[Done]]


class CommandReader:
    """Reads the commands of one file into its branches.

    Attributes:
        cut: why the recording ends before a command that can't be read; "" if it does not.
    """

    def __init__(self, file: Container, head: Head, mods: LoadedMods) -> None:
        self._file, self._head, self._mods = file, head, mods
        self._copies = dict[Any, Entities]()  # by their number in the file
        self.cut = ""

    def start_mods(self) -> list[LoadedMod]:
        """Return the mods that were in the world at the beginning.

        Raises:
            RecordingError: one is missing, or has changed.
        """
        with self._file.at("mods"):
            return [self._mod(index) for index in range(self._head.start_mods)]

    def branches(self) -> list[Branch]:
        """Read the commands of all branches; return the branches that remain.

        If a command can't be read, its branch ends before it, and later branches are dropped.
        """
        branches, file, number = self._head.branches, self._file, 0
        end, ticks, at_once = len(branches), [branch.at for branch in branches], Counter[int]()
        valid = self._head.command_bytes
        for line, text in enumerate(file.lines(COMMANDS, MOST_COMMANDS, valid) if valid else (), 1):
            if not end:  # no branch goes on
                break
            try:
                table = read_table(text, "a command")
                number = whole(table, "branch", 0, len(branches) - 1)
                if number >= end:
                    file.take(4 * len(text))  # bounds the time that is spent on what is left out
                    continue
            except ValueError as error:
                raise file.error(f"{COMMANDS}:{line}: {error}") from None
            before, branch = ticks[number], branches[number]
            try:
                ticks[number] = tick = whole(table, "tick", before, branch.last)
                at_once[number] = at_once[number] + 1 if tick == before else 1
                if line > MOST_LINES:
                    raise ValueError(f"there must be at most {MOST_LINES:,} commands")
                if at_once[number] > MOST_AT_ONCE:
                    raise ValueError(f"tick {tick} must have at most {MOST_AT_ONCE:,} commands")
                branch.own.append(self._done(tick, table))
            except ValueError as error:
                end = number
                problem = str(file.error(f"{COMMANDS}:{line}: {error}"))
                self._end(branch, max(ticks[number] - 1, branch.at), problem)
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
        values = {key: value for key, value in table.items() if key not in ("tick", "branch", "joins")}
        command = read_command(values, self._copied, self._mod)
        if type(command) is UseMods:  # `isinstance` is slow with protocols
            mods: object = command.mods
            if not (isinstance(mods, tuple) and all(isinstance(mod, LoadedMod) for mod in mods)):
                raise ValueError("mods: must be mods of this file")
        self._file.take(OF_COMMAND + memory_of(command))
        return Done(tick, command, joins)

    def _copied(self, number: Any) -> Entities:
        """Return the entities of a member; it is read once, however often they are pasted."""
        if type(number) is not int:
            raise ValueError(f"copies = {number!r:.60}: must be the number of a member copies/K.npy")
        if number not in self._copies:
            copies = self._read_copies(f"copies/{number}.npy")
            self._file.take(size_of(copies))
            self._copies[number] = copies
        return self._copies[number]

    def _read_copies(self, member: str) -> Entities:
        assembly = self._mods.assembly
        with arrays_in(self._file, member) as stored:
            self._file.check(self._file.members[member])
            meta = read_table(stored.first("meta", META, MOST_NAMES).tobytes(), "meta")
            names, axes = meta.get("names"), meta.get("axes", FLAT)
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise ValueError("names: must be a list of names of prefabs")
            if axes not in (FLAT, DEEP):
                raise ValueError(f"axes = {axes!r:.60}: must be {FLAT} or {DEEP}")
            prefabs = tuple(Prefab(name, {}) for name in names)
            found = stored.rest(expected_arrays(stored.lengths, axes, assembly))
            return read_entities(found, axes, assembly, prefabs, MOST_TICK)

    def _mod(self, number: Any) -> LoadedMod:
        """Return a mod by its number in the file; its content must be that of when this was recorded."""
        needed = self._head.mods
        if type(number) is not int or not 0 <= number < len(needed):
            raise ValueError(f"mod {number!r:.60}: must be 0 to {len(needed) - 1}")
        name, version, content = needed[number]
        there = [mod for mod in self._mods.loaded if mod.id == name]
        if there and there[0].content.digest == content:
            return there[0]
        what = "its files have changed" if there else "it is not enabled"
        raise ValueError(f"needs the mod {name} {version} as it was when this was recorded: {what}")


def of_kinds(branches: Iterable[Branch], *kinds: type[Command]) -> Special:
    """Return the commands of these kinds that each branch has of its own."""
    return {branch: [done for done in branch.own if type(done.command) in kinds] for branch in branches}


def undone_until(branch: Branch, undoes: Special) -> int:
    """Return the last tick of a branch from which an undo or redo can be reached, on it or one that forks later.

    Args:
        undoes: these commands of all branches.
    """
    shared = branch.shared_with(undoes)
    return max((min(shared[other], done[-1].tick) for other, done in undoes.items() if done), default=-1)


def mods_at(branch: Branch, tick: int, start: Iterable[LoadedMod], uses: Special) -> list[LoadedMod]:
    """Return the mods in the world at a tick, before the tick's commands.

    Args:
        start: the mods at the recording's beginning.
        uses: all commands that brought mods.
    """
    mods, last = dict[str, LoadedMod](), tick - 1
    for each in branch.ancestry():
        for done in reversed(uses[each]):
            if isinstance(done.command, UseMods) and done.tick <= last:
                mods = {mod.id: mod for mod in done.command.mods} | mods
        last = min(last, each.at)
    mods = {mod.id: mod for mod in start} | mods
    return [mods[name] for name in dependency_first({name: mod.manifest for name, mod in mods.items()})]
