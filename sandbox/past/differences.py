"""Finds where two recordings, or a recording and its replay, begin to differ: tick, entity, field and system."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.savepoint import Savepoint, words
from components.store.world import World
from sandbox.explain.rehearsal import in_tick, one_by_one, rehearsal
from sandbox.files.state.entities import arrays_of_entities
from sandbox.files.state.meta import canonical
from sandbox.past.timeline import Timeline
from systems.engine.settings import Settings

NOBODY = np.zeros(0, np.int64)
MOST_SHOWN = 60  # characters of a setting


@dataclass(frozen=True)
class Divergence:
    """The first difference.

    Attributes:
        tick: the tick at whose end the states differ.
        serial: of the entity; None if the difference is not in an entity.
        field: "Velocity.x", or another part of the state: "systems.flocking".
        system: the system that caused it; "commands" if an edit did, None if it is unknown.
        one, other: the two values; for a digest, a sentence and an empty string.
    """

    tick: int
    serial: int | None
    field: str
    one: str
    other: str
    system: str | None = None


def first_divergence(one: Timeline, other: Timeline) -> Divergence | None:
    """Find where two recordings begin to differ: compare keyframes, then ticks, then systems. None if they are equal.

    Raises:
        ValueError: they have no tick in common.
    """
    low = max(one.recording.first, other.recording.first)
    high = min(one.branch.last, other.branch.last)
    if low > high:
        ticks = (f"{timeline.recording.first:,} to {timeline.branch.last:,}" for timeline in (one, other))
        raise ValueError(f"they have no tick in common: {', and '.join(ticks)}")
    if (begins := _at(one, other, low)) is not None:
        return begins
    rate = one.simulation.world.resource(Settings).tick_rate
    kept = {*range(low, high, rate), *one.branch.keyframes, *other.branch.keyframes, high}
    for tick in sorted(tick for tick in kept if low < tick <= high):
        if _at(one, other, tick) is None:
            low = tick
            continue
        for each in range(low + 1, tick + 1):
            found = _at(one, other, each)
            if found is not None:
                return replace(found, system=_system(one, other, each - 1))
    return _of_digests(one, other)


def _of_digests(one: Timeline, other: Timeline) -> Divergence | None:
    """Return the first recorded digest that differs from its replay, if any: another version made the recording."""
    for timeline in (one, other):
        timeline.settle_digests()
    found = [timeline.differs for timeline in (one, other) if timeline.differs is not None]
    if not found:
        return None
    tick, why = min(found)
    return Divergence(tick, None, "digest", why, "")


def _at(one: Timeline, other: Timeline, tick: int) -> Divergence | None:
    """Go to a tick in both and return the difference of the worlds, if any."""
    for timeline in (one, other):
        timeline.seek(tick)
    return difference_of(one.simulation.world, other.simulation.world)


def _system(one: Timeline, other: Timeline, tick: int) -> str | None:
    """Return the system of the next tick that makes the worlds differ, "commands", or None if it is unknown."""
    _at(one, other, tick)
    worlds = one.simulation.world, other.simulation.world
    systems = [in_tick(world) for world in worlds]
    if [system.name for system in systems[0]] != [system.name for system in systems[1]]:
        return None
    found = None
    with rehearsal(worlds[0]), rehearsal(worlds[1]):
        both = map(one_by_one, worlds, systems)
        for system, _ in zip(*both, strict=True):
            if difference_of(*worlds, transient=True) is not None:
                found = system.name
                break
    if found is None and repr(one.branch.commands_at(tick + 1)) != repr(other.branch.commands_at(tick + 1)):
        return "commands"
    return found


def difference_of(one: World, other: World, *, transient: bool = False) -> Divergence | None:
    """Return the first difference of two worlds, by serial; `transient`: compare transient fields too."""
    savepoints = Savepoint.take(one), Savepoint.take(other)
    living = np.sort(savepoints[0].serial), np.sort(savepoints[1].serial)
    if not np.array_equal(*living):
        return _alone(one.tick, "entity", living, ("lives", "does not live"))
    first, second = (arrays_of_entities(savepoint, transient=transient) for savepoint in savepoints)
    found = []
    for name in sorted({*savepoints[0].records} & {*savepoints[1].records}):
        owners = first.get(name, NOBODY), second.get(name, NOBODY)
        if not np.array_equal(*owners):
            found.append(_alone(one.tick, name, owners, ("is there", "is missing")))
            continue
        for key in (key for key in first if key.startswith(f"{name}.")):
            differs = words(first[key]) != words(second[key])
            if differs.any():
                index = int(np.argmax(differs))
                values = str(first[key][index]), str(second[key][index])
                found.append(Divergence(one.tick, int(owners[0][index]), key, *values))
    if found:
        return min(found, key=lambda divergence: divergence.serial or 0)
    if not transient and canonical(one) != canonical(other):
        return Divergence(one.tick, None, *_other_setting(_settings(one), _settings(other)))
    return None


def _settings(world: World) -> dict[str, Any]:
    """Return all that the digest counts and that is in no column, with prefabs by name."""
    content: dict[str, Any] = json.loads(canonical(world))
    return content | {"prefabs": {prefab["name"]: prefab for prefab in content["prefabs"]}}


def _other_setting(one: Any, other: Any, path: str = "") -> tuple[str, str, str]:
    """Return the path of the first difference between two tables, and the two values there."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            if one.get(key) != other.get(key):
                return _other_setting(one.get(key), other.get(key), f"{path}.{key}".removeprefix("."))
    first, second = ("not set" if value is None else json.dumps(value)[:MOST_SHOWN] for value in (one, other))
    return path, first, second


def _alone(
    tick: int, what: str, serials: tuple[NDArray[np.int64], NDArray[np.int64]], where: tuple[str, str]
) -> Divergence:
    """Return the first serial that is in only one of the worlds; `where`: the words for where it is, and is not."""
    some = int(np.setxor1d(*serials)[0])
    return Divergence(tick, some, what, *(where[0] if some in known else where[1] for known in serials))
