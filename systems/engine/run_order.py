"""Resolves the order of systems from their declarations, and refuses ambiguous ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeVar

from components.store.handles import Component
from components.store.records import ComponentType
from components.store.words import did_you_mean
from systems.engine.system import Phase, System

S = TypeVar("S", bound="System | type[System]")


class AmbiguityError(ValueError):
    """Two systems need a declared order; `systems` are these."""

    def __init__(self, sentence: str, *systems: type[System]) -> None:
        super().__init__(sentence)
        self.systems = systems


def refuse_unknown_fields(systems: Iterable[System | type[System]], components: Iterable[ComponentType]) -> None:
    """Raise ValueError if a system names a field that no component has: a misspelt name would hide a conflict."""
    keys = {field.key for component in components for field in component.fields.values()}
    for system in systems:
        for name in (*system.reads, *system.writes, *system.adds):
            if isinstance(name, str) and name not in keys:
                near = did_you_mean(name, keys)
                raise ValueError(f"system {system.name} touches {name!r}, a field that no component has{near}")


def refuse_unknown_systems(systems: Iterable[type[System]], known: Iterable[type[System]]) -> None:
    """Raise ValueError if `before` or `after` of a system names a system that is unknown or of another phase."""
    phases = {system.name: system.phase for system in known}
    for system in systems:
        for name in (*system.before, *system.after):
            if name not in phases:
                near = did_you_mean(name, phases)
                raise ValueError(f"system {system.name} stands before or after {name!r}: there is no such system{near}")
            if phases[name] is not system.phase:
                raise ValueError(
                    f"system {system.name} stands before or after {name!r}, which runs in {phases[name].name}: "
                    f"in {system.phase.name} only the order of systems of {system.phase.name} can be said"
                )


def resolve(systems: Iterable[S]) -> tuple[S, ...]:
    """Return systems, or classes of systems, in the order in which they will run.

    Raises:
        ValueError: two systems have the same name, or the order has a cycle or is ambiguous.
    """
    installed = list(systems)
    kinds = tuple(system if isinstance(system, type) else type(system) for system in installed)
    return tuple(installed[k] for k in _resolved(kinds))


@lru_cache(maxsize=1)  # worlds are usually made of the same systems
def _resolved(kinds: tuple[type[System], ...]) -> tuple[int, ...]:
    """Return the index of the system that runs first, of the next one, and so on."""
    names = [kind.name for kind in kinds]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two systems are called {name}: rename one")
    ordered = [kind for phase in Phase for kind in _ordered_phase([kind for kind in kinds if kind.phase is phase])]
    return tuple(kinds.index(kind) for kind in ordered)


def _ordered_phase(systems: list[type[System]]) -> list[type[System]]:
    index_of = {system.name: k for k, system in enumerate(systems)}
    follows: dict[str, set[str]] = {system.name: set() for system in systems}
    for system in systems:
        for other in system.before:
            if other in follows:
                follows[other].add(system.name)
        follows[system.name] |= {other for other in system.after if other in follows}
    try:
        TopologicalSorter(follows).prepare()
    except CycleError as error:
        raise ValueError(f"circular order: {' -> '.join(error.args[1])}") from None
    order: dict[str, type[System]] = {}

    def add_after_its_own(name: str) -> None:
        if name not in order:
            for other in sorted(follows[name], key=lambda other: index_of[other]):
                add_after_its_own(other)
            order[name] = systems[index_of[name]]

    for system in systems:
        add_after_its_own(system.name)
    earlier: dict[str, set[str]] = {}  # all systems that must run before each one
    for name in order:
        earlier[name] = follows[name].union(*(earlier[other] for other in follows[name]))
    _refuse_ambiguity(systems, earlier)
    return list(order.values())


def _refuse_ambiguity(systems: list[type[System]], earlier: Mapping[str, set[str]]) -> None:
    touched = {system.name: _touched(system) for system in systems}
    for index, one in enumerate(systems):
        for other in systems[index + 1 :]:
            if one.name in earlier[other.name] or other.name in earlier[one.name]:
                continue
            if touched[one.name].isdisjoint(touched[other.name]):
                continue
            if shared := _conflict(one, other) or _conflict(other, one):
                sentence = (
                    f"systems {one.name} and {other.name} both touch {shared} in {one.phase.name} and neither says "
                    f"which goes first: declare `before` or `after`"
                )
                narrower = _narrower(one, other, shared) or _narrower(other, one, shared)
                raise AmbiguityError(sentence + narrower, one, other)


def _narrower(system: type[System], other: type[System], shared: str) -> str:
    """Return the advice to name single fields, if a system names a component of which another touches one field."""
    for what, does in (("reads", "use"), ("adds", "add to")):
        for kind in getattr(system, what):
            if isinstance(kind, type) and shared.startswith(f"{kind.__name__}.") and issubclass(kind, Component):
                keys = [field.key for field in kind.fields.values() if field.key != shared]
                both = [key for key in keys if key in other.adds and what == "adds"]  # systems may add in any order
                like = f', like "{(both or keys)[0]}"' if keys else ""
                return f"; or, if {system.name} does not {does} it, name fields in `{what}`, not {kind.__name__}{like}"
    return ""


def _conflict(one: type[System], other: type[System]) -> str | None:
    """Return a name that `one` changes and `other` touches such that the order matters, or None."""
    for touched in one.writes:
        for seen in (*other.reads, *other.writes, *other.adds):
            if shared := _overlap(touched, seen):
                return shared
    for touched in one.adds:
        for seen in other.reads:
            if shared := _overlap(touched, seen):
                return shared
    return None


def _touched(system: type[System]) -> set[str]:
    """Return the names of all components and resources that a system reads, writes or adds to."""
    return {_name(thing).partition(".")[0] for thing in (*system.reads, *system.writes, *system.adds)}


def _name(thing: Any) -> str:
    return thing if isinstance(thing, str) else thing.__name__


def _overlap(one: Any, other: Any) -> str | None:
    """Return the narrower of two names if one contains the other (Motion contains "Motion.acceleration"), else None."""
    a, b = _name(one), _name(other)
    if a == b or a.startswith(f"{b}."):
        return a
    return b if b.startswith(f"{a}.") else None
