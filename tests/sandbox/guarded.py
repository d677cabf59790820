"""Living worlds in which systems of a mod run under a guard."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import esper
import numpy as np

from components.flock import EVERYONE
from components.life import Energy
from components.motion import Velocity
from components.store.declare import component, integer, number, vector
from components.store.resources import resource
from components.store.world import World
from sandbox import api
from sandbox.mods.check.strict import StrictGuard
from sandbox.mods.find.fault import Fault
from sandbox.mods.run.guard import Guard
from sandbox.parts import BUILT_IN
from sandbox.simulation import Simulation
from systems.engine.app import installed
from systems.engine.ledger import Ledger
from systems.engine.system import Phase, System
from systems.flocking.flock_grid import FlockGrid
from tests.sandbox.test_same_everywhere import every_kind

HERE = Path(__file__).parent


@resource
class Season:
    """What time of the year it is."""

    warmth: float = number(0.5, "", 0, 1, "how warm it is")
    drift: tuple[float, float] = vector("u/s", "where the leaves go")


@component
class Hat:
    """No world knows it."""

    size: float = number(1, "u", 0, 9, "how large")


class Faulty(System):
    """Pushes to the right until its tick comes; then it does what it shouldn't."""

    phase = Phase.LIFE
    writes = (Velocity, "Energy.level", "Perception.reach", Season, Ledger)
    after = tuple(system.name for system in installed(BUILT_IN).systems)
    strength: float = number(1, "u/s²", 0, 10, "how hard it pushes")
    times: int = integer(1, "", 0, 10, "how often it pushes")

    def __init__(self, at: int, trespass: str | Callable[[World], object] = "") -> None:
        super().__init__()
        self.at, self.trespass = at, doing(trespass) if isinstance(trespass, str) else trespass

    def run(self, world: World) -> None:
        NAMES["system"] = self
        velocity = world.table.columns["Velocity.x"]
        velocity[world.table.rows(Velocity)] += 1
        if world.tick >= self.at:
            self.trespass(world)


NAMES = vars(api) | {
    "handle": lambda kind: esper.get_component(kind)[0][1],  # of the first who has it
    **{each.__name__: each for each in (Faulty, FlockGrid, Hat, Ledger, Season)},
    **{"EVERYONE": EVERYONE, "esper": esper, "np": np, "sys": sys},
}


def doing(lines: str) -> Callable[[World], object]:
    """What these lines of a file of the mod do, mine.py: they know NAMES, the world, and one who moves and eats."""
    code = compile(lines, str(HERE / "mine.py"), "exec")

    def do(world: World) -> None:
        table = world.table
        first = int(table.rows(Velocity, Energy)[0])
        of_the_world = {"world": world, "table": table, "columns": table.columns, "first": first}
        exec(code, NAMES | of_the_world | {"entity": int(table.serial[first])})

    return do


@dataclass
class Modded:
    """A simulation with systems of the mod "mine", whose files are these tests, and what went wrong."""

    simulation: Simulation
    faults: list[Fault]


@contextmanager
def modded(*systems: System, edges: str = "bounce", strict: bool = False) -> Iterator[Modded]:
    """A small world with animals of every kind and these systems, which a fault disables.

    Args:
        strict: they run as in `boids mod check`.
    """
    scene = every_kind()
    scene.settings.edges = edges
    with Simulation(scene) as simulation:
        world, faults = simulation.world, list[Fault]()

        def stop(world: World, system: System, fault: Fault) -> None:
            faults.append(fault)
            for system in systems:
                system.enabled = False

        for system in systems:
            system.guard = Guard("mine", HERE, stop)
            if strict:
                StrictGuard(system)
        world.resources[Season] = Season()
        simulation.pipeline.replace(world, (*simulation.pipeline.systems, *systems))
        yield Modded(simulation, faults)


def state(simulation: Simulation) -> tuple[str, dict[str, float]]:
    """What tells two worlds apart: the digest, and the resource of the mod."""
    return simulation.digest(), dict(simulation.world.resource(Season).stored)
