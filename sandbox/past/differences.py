"""Where two recordings, or a recording and its replay, begin to differ: tick, entity, field and system."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.records import fields_of, item_of
from components.store.savepoint import Savepoint, words
from components.store.world import World
from sandbox.past.timeline import Timeline
from sandbox.state.meta import canonical
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase


@dataclass(frozen=True)
class Divergence:
    """The first thing that differs.

    Attributes:
        tick: at whose end it does.
        entity: a serial; None where it is no value of an entity.
        field: "Velocity.x", or another part of the state.
        system: the one that made it differ; "commands" where an edit did, None where no system of this program does.
        one, other: the two values; of digests a sentence, and nothing.
    """

    tick: int
    entity: int | None
    field: str
    one: str
    other: str
    system: str | None = None


def first_divergence(one: Timeline, other: Timeline) -> Divergence | None:
    """Where two recordings begin to differ: by keyframes, then tick by tick, then system by system.

    Raises:
        ValueError: they have no tick in common.
    """
    low = max(one.recording.first, other.recording.first)
    high = min(one.branch.last, other.branch.last)
    if low > high:
        raise ValueError("they have no tick in common")
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
    """Where two recordings that run alike here did not when they were made, by another program: a digest tells."""
    for timeline in (one, other):
        timeline.settle_digests()
    found = [timeline.differs for timeline in (one, other) if timeline.differs is not None]
    if not found:
        return None
    tick, why = min(found)
    return Divergence(tick, None, "digest", why, "")


def _at(one: Timeline, other: Timeline, tick: int) -> Divergence | None:
    """What differs at a tick."""
    for timeline in (one, other):
        timeline.seek(tick)
    return difference_of(one.simulation.world, other.simulation.world)


def _system(one: Timeline, other: Timeline, tick: int) -> str | None:
    """The system of the tick after this one that makes them differ."""
    _at(one, other, tick)
    worlds = one.simulation.world, other.simulation.world
    pipelines = [world.resource(Pipeline) for world in worlds]
    names = [[system.name for system in p.systems if system.phase is not Phase.RENDER] for p in pipelines]
    if names[0] != names[1]:
        return None
    savepoints = [Savepoint.take(world) for world in worlds]
    for world in worlds:
        world.begin_tick()
    found = None
    for name in names[0]:
        for world, pipeline in zip(worlds, pipelines, strict=True):
            world.enter()
            pipeline.by_name[name].process(world)
        if difference_of(*worlds, transient=True) is not None:
            found = name
            break
    for world, savepoint in zip(worlds, savepoints, strict=True):
        savepoint.restore(world)
    return found or ("commands" if _commands_differ(one, other, tick + 1) else None)


def _commands_differ(one: Timeline, other: Timeline, tick: int) -> bool:
    def at(timeline: Timeline) -> str:
        branch = timeline.branch
        return repr(branch.commands[branch.commands_before(tick) : branch.commands_through(tick)])

    return at(one) != at(other)


def difference_of(one: World, other: World, *, transient: bool = False) -> Divergence | None:
    """The first value, by serial, that differs in two worlds; `transient`: also of what is no state."""
    tick = one.tick
    first, second = Savepoint.take(one), Savepoint.take(other)
    orders = np.argsort(first.serial), np.argsort(second.serial)
    serials = first.serial[orders[0]], second.serial[orders[1]]
    if not np.array_equal(*serials):
        some = int(np.setxor1d(*serials)[0])
        lives = ["lives" if some in known else "does not live" for known in serials]
        return Divergence(tick, some, "entity", *lives)
    found: Divergence | None = None
    for name in sorted({*first.records} & {*second.records}):
        here = _first_in(tick, name, first, second, transient)
        if here is not None and (found is None or (here.entity or 0) < (found.entity or 0)):
            found = here
    if found is None and not transient and canonical(one) != canonical(other):
        found = Divergence(tick, None, "settings", "", "")
    return found


def _first_in(tick: int, name: str, one: Savepoint, other: Savepoint, transient: bool) -> Divergence | None:
    values = [_by_serial(savepoint, name) for savepoint in (one, other)]
    (serials, first), (others, second) = values
    if not np.array_equal(serials, others):
        some = int(np.setxor1d(serials, others)[0])
        has = ["is there" if some in known else "is missing" for known in (serials, others)]
        return Divergence(tick, some, name, *has)
    component = next(component for component in one.components if component.__name__ == name)
    found: Divergence | None = None
    for field in fields_of(component):
        for key in field.columns if transient or not field.transient else ():
            differs = words(first[item_of(key)]) != words(second[item_of(key)])
            if differs.any():
                place = int(np.argmax(differs))
                if found is None or serials[place] < (found.entity or 0):
                    pair = [str(values[item_of(key)][place]) for values in (first, second)]
                    found = Divergence(tick, int(serials[place]), key, *pair)
    return found


def _by_serial(savepoint: Savepoint, name: str) -> tuple[NDArray[np.int64], NDArray[Any]]:
    kept = savepoint.records[name]
    serials = savepoint.serial[kept.rows]
    order = np.argsort(serials)
    return serials[order], kept.values[order]
