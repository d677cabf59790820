"""How the simulation that a window opened on is made again, for restarting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from components.store.savepoint import Savepoint
from sandbox.edit import CommandQueue
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation

Shown = Simulation | Timeline  # what a window can show: a world at its beginning, or one with a past
Make = Callable[[], Shown]


def simulation_of(shown: Shown) -> Simulation:
    """The simulation that is shown first."""
    return shown.simulation if isinstance(shown, Timeline) else shown


def maker(simulation: Simulation) -> Callable[[], Simulation]:
    """What makes it as it is now; nothing can be undone then."""
    scene = replace(simulation.scene, loaded=tuple(simulation.mods.mods.values()))
    savepoint, commands = Savepoint.take(simulation.world), simulation.world.resource(CommandQueue).count

    def again() -> Simulation:
        made = Simulation(scene, populate=False)
        savepoint.restore(made.world)
        made.world.resource(CommandQueue).forgotten = commands
        return made

    return again
