"""Living worlds in which systems of a mod run under a guard."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import esper

from sandbox.mods.fault import Fault
from sandbox.mods.guard import Guard
from sandbox.simulation import Simulation
from systems.core.pipeline import Pipeline, System
from tests.sandbox.test_same_everywhere import every_kind

HERE = Path(__file__).parent


@dataclass
class Modded:
    """A simulation with systems of the mod "mine", whose files are these tests, and what went wrong."""

    simulation: Simulation
    faults: list[Fault]


@contextmanager
def modded(*systems: System, resources: tuple[type, ...] = ()) -> Iterator[Modded]:
    """A small world with animals of every kind and these systems, which a fault switches off."""
    with Simulation(every_kind(), populate=True) as simulation:
        world, faults = simulation.world, list[Fault]()

        def stop(fault: Fault) -> None:
            faults.append(fault)
            for system in systems:
                system.enabled = False

        for system in systems:
            system.guard = Guard("mine", HERE, stop)
        for resource in resources:
            world.resources[resource] = resource()
        world.enter()
        for built_in in simulation.pipeline.systems:
            esper.remove_processor(type(built_in))
        simulation.pipeline = Pipeline(world, (*simulation.pipeline.systems, *systems))
        world.resources[Pipeline] = simulation.pipeline
        yield Modded(simulation, faults)
