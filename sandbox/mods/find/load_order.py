"""Decides which mods are loaded, and in which order: dependencies first, then natural order of ids.

The result does not depend on the order in which mods were found or enabled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import groupby

from components.store.words import nearest
from sandbox.mods.find.finding import RANK, Found
from sandbox.mods.find.manifest import API, Manifest, shown
from sandbox.mods.find.versions import Requirement, natural


@dataclass(frozen=True)
class Order:
    """The mods that are to be loaded, and those that can't be.

    Attributes:
        mods: the mods to load, in order.
        refused: the reason for each mod that can't be loaded. Has all unreadable mods and all that another one with
            the same id keeps out; of the others only wanted ones.
    """

    mods: tuple[Found, ...]
    refused: Mapping[Found, str]


def in_order(found: Iterable[Found], wanted: Collection[str], preferred: Collection[Found] = ()) -> Order:
    """Return the order of the mods whose ids are wanted.

    Args:
        preferred: the mods that go before others with the same id, wherever these are.
    """
    choice = _Choice(found, wanted, preferred)
    choice.refuse_unmet_dependencies()
    choice.refuse_cycles()
    choice.refuse_unmet_dependencies()
    choice.refuse_conflicts()
    choice.refuse_unmet_dependencies()
    return Order(tuple(choice.taken[id] for id in dependency_first(choice.left)), choice.refused)


def dependency_first(mods: Mapping[str, Manifest]) -> Iterator[str]:
    """Yield the ids, each after those that it needs or uses; of those that may be next, the first in natural order.

    Raises:
        ValueError: there is a cycle.
    """
    if cycle := _find_cycle(loaded_before(mods)):
        raise ValueError(f"circular dependency: {' -> '.join([*cycle, cycle[0]])}")
    sorter = TopologicalSorter(loaded_before(mods))
    sorter.prepare()
    free: list[str] = []
    while sorter.is_active():
        free = sorted([*free, *sorter.get_ready()], key=natural)
        yield free[0]
        sorter.done(free.pop(0))


def loaded_before(mods: Mapping[str, Manifest]) -> dict[str, list[str]]:
    """For each of these mods, return which of them are loaded before it."""
    return {
        id: sorted({other.id for other in (*mod.depends, *mod.optional) if other.id in mods}, key=natural)
        for id, mod in mods.items()
    }


class _Choice:
    """The mods that may still be loaded (`left`, by id); each step refuses some of them.

    Attributes:
        taken: for each id the mod that counts, whether it is wanted or not.
    """

    def __init__(self, found: Iterable[Found], wanted: Collection[str], preferred: Collection[Found]) -> None:
        self.refused: dict[Found, str] = {}
        self.taken: dict[str, Found] = {}
        for id, namesakes in groupby(sorted(self._readable(found), key=_rank), lambda mod: mod.id):
            same = list(namesakes)
            self._take(id, same, [mod for mod in same if mod in preferred] or same)
        self.left: dict[str, Manifest] = {}
        for id in sorted(self.taken, key=natural):
            if id in wanted and self.taken[id] not in self.refused:
                self.left[id] = known_manifest(self.taken[id])
        for id, mod in list(self.left.items()):
            if mod.api > API:
                self._refuse(id, f"needs version {mod.api} of sandbox.api, and this program has {API}: update it")

    def refuse_unmet_dependencies(self) -> None:
        """Refuse mods with unmet dependencies, repeatedly, because a refused mod may leave others unmet."""
        while lacking := {id: why for id, mod in self.left.items() if (why := self._lacks(mod))}:
            for id, why in lacking.items():
                self._refuse(id, why)

    def refuse_cycles(self) -> None:
        while cycle := _find_cycle(loaded_before(self.left)):
            for index, id in enumerate(cycle):
                around = [*cycle[index:], *cycle[:index], id]
                self._refuse(id, f"circular dependency: {' -> '.join(around)}")

    def refuse_conflicts(self) -> None:
        """Refuse both mods of a conflict, because only the person knows which one to keep."""
        against: dict[str, set[str]] = {id: set() for id in self.left}
        for id, mod in self.left.items():
            for other in mod.conflicts:
                if other.id in self.left and other.met_by(self.left[other.id].version):
                    against[id].add(other.id)
                    against[other.id].add(id)
        names = {id: f"{id} {mod.version}" for id, mod in self.left.items()}
        for id, others in against.items():
            if others:
                told = " and ".join(names[other] for other in sorted(others, key=natural))
                self._refuse(id, f"conflicts with {told}: disable one of them")

    def _readable(self, found: Iterable[Found]) -> Iterator[Found]:
        for mod in found:
            if mod.manifest is None:
                self.refused[mod] = mod.wrong
            else:
                yield mod

    def _take(self, id: str, same: list[Found], namesakes: list[Found]) -> None:
        """Of the namesakes for one id take the one with the first origin, but refuse two mods of that origin."""
        first = self.taken[id] = namesakes[0]
        rivals = [mod for mod in namesakes if mod.origin is first.origin]
        for mod in same:
            others = [shown(other.folder) for other in rivals if other is not mod]
            if len(rivals) > 1 and mod in rivals:
                self.refused[mod] = f"{' and '.join(others)} has the same id: remove one of them or change its id"
            elif mod is not first:
                self.refused[mod] = f"{others[0]} ({first.origin.value}) has the same id and takes precedence"

    def _refuse(self, id: str, why: str) -> None:
        del self.left[id]
        self.refused[self.taken[id]] = why

    def _lacks(self, mod: Manifest) -> str:
        """Return the first unmet requirement of a mod and what to do about it; empty if all are met."""
        for needed in mod.depends:
            if why := self._missing(needed) or self._outdated(needed) or self._off(needed):
                return why
        there = [other for other in mod.optional if other.id in self.left]
        return next(filter(None, map(self._outdated, there)), "")

    def _missing(self, needed: Requirement) -> str:
        if needed.id in self.taken:
            return ""
        close = nearest(needed.id, list(self.taken))
        near = f'did you mean "{close}"?' if close else "put its folder beside this one"
        return f"needs {needed}, which is missing: {near}"

    def _outdated(self, needed: Requirement) -> str:
        there = known_manifest(self.taken[needed.id]).version
        return "" if needed.met_by(there) else f"needs {needed}, but {there} is there: put the right version there"

    def _off(self, needed: Requirement) -> str:
        if needed.id in self.left:
            return ""
        if self.taken[needed.id] in self.refused:
            return f"needs {needed}, which can't be loaded itself"
        return f"needs {needed}, which is not enabled: enable {needed.id} too"


def known_manifest(mod: Found) -> Manifest:
    """Return the manifest of a mod that is known to have a readable one."""
    assert mod.manifest is not None
    return mod.manifest


def _rank(mod: Found) -> tuple[str, int, str]:
    return mod.id, RANK[mod.origin], str(mod.folder)


def _find_cycle(before: Mapping[str, list[str]]) -> list[str]:
    """Return a dependency cycle, each id followed by one that it needs; empty if there is none."""
    try:
        TopologicalSorter(before).prepare()
    except CycleError as error:
        closed: list[str] = error.args[1]  # each comes before the next; the last equals the first
        return closed[:0:-1]
    return []
