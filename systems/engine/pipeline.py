"""The order of a tick.

    COMMANDS  the commands submitted since the last tick, one after another
    SENSE     keep previous positions, build the spatial indexes
    STEER     each system adds to the acceleration
    MOVE      integrate, clamp the speed, collisions, edges of the world
    LIFE      feeding, energy, ageing, births, deaths (queued)
    COMMIT    spawn and despawn: besides COMMANDS the only phase in which rows move
    MEASURE   measures of order, populations
    RENDER    the data to draw, as plain arrays; runs when a frame is drawn, not in the tick

Within a phase, systems run in the order in which they were installed, except where `before` and `after` demand another
one (`run_order.py`). If one of two systems writes what the other reads or writes, one of them must declare which runs
first; otherwise the pipeline refuses to start. Systems that only add to the same column need not. `before` and `after`
may name systems that are not installed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import esper

from components.store.world import World
from systems.engine.run_order import refuse_unknown_fields, resolve
from systems.engine.system import Phase, System
from systems.engine.threads import SuitedTo


class Pipeline:
    """The systems of a world in their resolved order, as processors of its esper world.

    Attributes:
        systems, by_name: all of them, in their order and by name.
        changing: those that write or add to a component, by its name.
    """

    def __init__(self, world: World, systems: Iterable[System]) -> None:
        """Make a pipeline of these systems; raises the errors of `replace`."""
        self.systems: tuple[System, ...] = ()
        self.replace(world, systems)

    def replace(self, world: World, systems: Iterable[System]) -> None:
        """Run these systems from now on.

        Raises:
            ValueError: two systems of one name, a circular or ambiguous order, or a field that no component has. The
                present systems stay then.
        """
        resolved = resolve(systems)
        refuse_unknown_fields(resolved, world.table.components.values())
        with world.at_work():
            for system in self.systems:
                esper.remove_processor(type(system))
            for k, system in enumerate(resolved):
                if system.phase is not Phase.RENDER:
                    esper.add_processor(system, priority=-k)
        self.systems, self.by_name = resolved, {system.name: system for system in resolved}
        self.changing: defaultdict[str, list[System]] = defaultdict(list)
        for system in resolved:
            for component in system.changes:
                self.changing[component].append(system)

    @property
    def stored(self) -> dict[str, Any]:
        """For savepoints, the parameters of each system, and "enabled", by names like "commit.reorder_every"."""
        return {f"{system.name}.{name}": value for system in self.systems for name, value in system.stored.items()}

    @stored.setter
    def stored(self, values: Mapping[str, Any]) -> None:
        for key, value in values.items():
            system, _, name = key.rpartition(".")
            if system in self.by_name:
                self.by_name[system].stored = {name: value}

    def tick(self, world: World) -> None:
        """Run all phases of a tick once."""
        world.begin_tick()
        with world.at_work(), SuitedTo(world.table.size):
            esper.process(world)

    def run(self, world: World, phases: Iterable[Phase]) -> None:
        """Run only the systems of these phases: COMMANDS and COMMIT while paused, RENDER for a frame."""
        wanted = set(phases)
        with world.at_work(), SuitedTo(world.table.size):
            for system in self.systems:
                if system.phase in wanted:
                    system.process(world)
