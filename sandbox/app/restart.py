"""How the simulation that a window opened on is made again, for restarting."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from sandbox.commands import CommandQueue
from sandbox.simulation import Simulation

Make = Callable[[], Simulation]


def maker(simulation: Simulation) -> Make:
    """What makes it as it is now: from its scene, or, where that spawns nobody, from a copy of its state."""
    if simulation.tick == 0 and simulation.scene.entries:
        return _from_scene(simulation)
    return _from_state(simulation)


def _from_scene(simulation: Simulation) -> Make:
    scene, seed = simulation.scene, simulation.world.seed
    edits = list(simulation.world.resource(CommandQueue).log)

    def again() -> Simulation:
        made = Simulation(scene, seed)
        for done in edits:
            made.submit(done.command, done.joins)
        made.settle_commands()
        return made

    return again


def _from_state(simulation: Simulation) -> Make:
    """Keeps a snapshot in a folder that goes when nobody can restart from it any more."""
    import sandbox

    folder = tempfile.TemporaryDirectory(prefix="boids-")
    simulation.save(Path(folder.name) / "start.npz")

    def again() -> Simulation:
        return sandbox.load(Path(folder.name) / "start.npz")

    return again
