"""Parses the command lines of a recording's file, and derives from commands what is needed to read keyframes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandbox.edit.undoing import Redo, Undo
from sandbox.mods.find.order import dependency_first
from sandbox.mods.load.loading import LoadedMod
from sandbox.mods.run.bringing import UseMods
from sandbox.past.branch import Branch
from sandbox.past.recording import Recording
from sandbox.past.recording_head import whole
from sandbox.state.json_text import read_table


def lines_of(
    content: bytes, branches: int, *, in_order: bool
) -> Iterator[tuple[int, int, dict[str, Any] | ValueError]]:
    """Yield the number, branch and table of each line.

    Args:
        branches: the number of branches.
        in_order: whether the lines are sorted by branch. Then an unreadable line yields its error and ends the loop.
    Raises:
        ValueError: a line can't be read, and the lines are not sorted, so that it may be of any branch.
    """
    branch = 0
    for line, text in enumerate(content.splitlines(), 1):
        try:
            table = read_table(text, "a command")
            branch = whole(table, "branch", branch if in_order else 0, branches - 1)
        except ValueError as error:
            if not in_order:
                raise ValueError(f"{line}: {error}") from None
            yield line, branch, error
            return
        yield line, branch, table


def undoes_after(recording: Recording, branch: Branch, tick: int) -> bool:
    """Return whether there is an undo or redo after a tick of a branch, on it or on a branch that forks later."""
    return any(
        isinstance(done.command, Undo | Redo)
        for other in recording.branches
        if other.parting(branch) >= tick
        for done in other.commands[other.commands_before(tick) :]
    )


def mods_at(branch: Branch, tick: int, start: list[LoadedMod]) -> list[LoadedMod]:
    """Return the mods in the world at a tick, before the tick's commands."""
    mods = {mod.id: mod for mod in start}
    for done in branch.commands[: branch.commands_before(tick)]:
        if isinstance(done.command, UseMods):
            mods |= {mod.id: mod for mod in done.command.mods}
    return [mods[name] for name in dependency_first({name: mod.manifest for name, mod in mods.items()})]
