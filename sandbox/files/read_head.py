"""Reads and checks the head of a recording: numbers, mods, branches and markers."""

from __future__ import annotations

from typing import Any

from sandbox.files.container import HEAD, Container
from sandbox.files.json_text import read_table
from sandbox.files.members import FORMAT
from sandbox.past.branch import Branch

MOST_HEAD, MOST_COMMANDS = 1 << 20, 256 << 20  # bytes
MOST_TICK = 2**62
MOST_BRANCHES = 4096


class Head:
    """The contents of `recording.json`.

    Attributes:
        physics: the value of the program that recorded it.
        mods: id, version and content digest of each; the first `start_mods` were in the world at the beginning.
        command_bytes: how many bytes of commands are valid.
        branches: without their commands.
        branch, tick: what was shown last.
        markers: names of ticks, by branch and tick.
    """

    def __init__(self, file: Container) -> None:
        """Read it from a file.

        Raises:
            RecordingError: it is missing, or a value is invalid.
        """
        with file.at(HEAD):
            table = read_table(file.read(HEAD, MOST_HEAD), HEAD)
            if type(newest := table.get("format")) is int and newest > FORMAT:
                raise ValueError(f"has format {newest}, and this version reads up to {FORMAT}: a newer one opens it")
            whole(table, "format", 1, FORMAT)
            self.physics = whole(table, "physics", 0, MOST_TICK)
            self.mods = _mods(table)
            self.start_mods = whole(table, "mods_at_start", 0, len(self.mods))
            self.command_bytes = whole(table, "command_bytes", 0, MOST_COMMANDS)
            self.branches = _branches(table)
            self.branch = whole(table, "branch", 0, len(self.branches) - 1)
            self.tick = whole(table, "tick", self.branches[0].at, self.branches[self.branch].last)
            self.markers = _markers(table.get("markers", []), self.branches)

    @property
    def is_snapshot(self) -> bool:
        """Whether this is a snapshot: a recording of no ticks and without commands."""
        return not self.command_bytes and all(branch.last == self.branches[0].at for branch in self.branches)


def whole(table: dict[str, Any], key: str, low: int, high: int) -> int:
    """Return the integer of a key.

    Raises:
        ValueError: it is missing, no integer, or out of range.
    """
    value = table.get(key)
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{key} = {value!r:.60}: must be {low} to {high}")
    return value


def _mods(table: dict[str, Any]) -> list[tuple[str, str, str]]:
    mods = table.get("mods")
    if not isinstance(mods, list) or not all(
        isinstance(mod, list) and len(mod) == 3 and all(isinstance(part, str) for part in mod) for mod in mods
    ):
        raise ValueError("mods: must be a list of [id, version, content]")
    return [tuple(mod) for mod in mods]


def _branches(table: dict[str, Any]) -> list[Branch]:
    tables = table.get("branches")
    if not isinstance(tables, list) or not 0 < len(tables) <= MOST_BRANCHES:
        raise ValueError(f"branches: must be a list of 1 to {MOST_BRANCHES}")
    found: list[Branch] = []
    for one in tables:
        if not isinstance(one, dict):
            raise ValueError("branches: must be tables")
        parent = found[whole(one, "parent", 0, len(found) - 1)] if found else None
        low, high = (parent.at, parent.last) if parent else (0, MOST_TICK)
        at = whole(one, "at", low, high)
        found.append(Branch(parent, at, whole(one, "last", at, MOST_TICK)))
    return found


def _markers(markers: Any, branches: list[Branch]) -> dict[tuple[Branch, int], str]:
    found = {}
    for marker in markers if isinstance(markers, list) else [None]:
        if not isinstance(marker, list) or len(marker) != 3 or not isinstance(marker[2], str):
            raise ValueError("markers: must be a list of [branch, tick, name]")
        values = dict(zip(("branch", "tick"), marker[:2], strict=True))
        branch = branches[whole(values, "branch", 0, len(branches) - 1)]
        found[branch, whole(values, "tick", branch.at, branch.last)] = marker[2]
    return found
