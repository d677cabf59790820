"""The commands of a recording's file: its lines, and what follows from them for branches and keyframes."""

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
    """Each line with its number, its branch and what it says.

    Args:
        branches: how many there are.
        in_order: branch by branch: then the last line may be one that can't be read, and says why.
    Raises:
        ValueError: a line can't be read, and what follows may be of any branch.
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
    """Whether somebody undid or did again after a tick of a branch, on it or on one that comes from it then."""
    return any(
        isinstance(done.command, Undo | Redo)
        for other in recording.branches
        if other.parting(branch) >= tick
        for done in other.commands[other.commands_before(tick) :]
    )


def mods_at(branch: Branch, tick: int, start: list[LoadedMod]) -> list[LoadedMod]:
    """The mods in the world at a tick, before its commands."""
    mods = {mod.id: mod for mod in start}
    for done in branch.commands[: branch.commands_before(tick)]:
        if isinstance(done.command, UseMods):
            mods |= {mod.id: mod for mod in done.command.mods}
    return [mods[name] for name in dependency_first({name: mod.manifest for name, mod in mods.items()})]
