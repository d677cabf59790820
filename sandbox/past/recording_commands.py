"""Derives from the commands of a recording what they take, and what is needed to read its keyframes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from components.store.entities import Entities
from sandbox.edit.command import Command
from sandbox.edit.queue import Done
from sandbox.mods.find.order import dependency_first
from sandbox.mods.load.loading import LoadedMod
from sandbox.mods.run.upgrade import UseMods
from sandbox.past.branch import Branch

OF_ARRAY = 128  # bytes of an array beside its values
Special = Mapping[Branch, Sequence[Done]]


def memory_of(value: object) -> int:
    """Return the bytes of a command or a part of it, without entities and mods, which several commands share."""
    if isinstance(value, Entities | LoadedMod):
        return 0
    if isinstance(value, np.ndarray):
        return value.nbytes + OF_ARRAY
    parts: Iterable[object] = value if isinstance(value, tuple) else ()
    if isinstance(value, dict):
        parts = (*value, *value.values())
    elif hasattr(value, "__dict__"):
        parts = (vars(value),)
    return sys.getsizeof(value) + sum(map(memory_of, parts))


def of_kinds(branches: Iterable[Branch], *kinds: type[Command]) -> Special:
    """Return the commands of these kinds that each branch has of its own."""
    return {branch: [done for done in branch.own if isinstance(done.command, kinds)] for branch in branches}


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
