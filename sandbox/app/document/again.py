"""Makes a world again, for restarting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from components.store.savepoint import Savepoint
from sandbox.edit import CommandQueue
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation

Shown = Simulation | Timeline  # what a window can show: a simulation at its beginning, or one with a recorded past
Make = Callable[[], Shown]


def simulation_of(shown: Shown) -> Simulation:
    """Return the simulation that is shown first."""
    return shown.simulation if isinstance(shown, Timeline) else shown


def maker(simulation: Simulation) -> Callable[[], Simulation]:
    """Return a function that makes the simulation again in its present state, without undo steps."""
    scene = replace(simulation.scene, loaded=tuple(simulation.mods.mods.values()))
    savepoint, commands = Savepoint.take(simulation.world), simulation.world.resource(CommandQueue).count

    def again() -> Simulation:
        made = Simulation(scene, populate=False, axes=savepoint.axes)
        savepoint.restore(made.world)
        made.world.resource(CommandQueue).forgotten = commands
        return made

    return again
