"""How the simulation that a window opened on is made again, for restarting."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from sandbox.edit import CommandQueue
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.simulation import Simulation
from sandbox.state.snapshot import read_snapshot

Make = Callable[[], Simulation]


def maker(simulation: Simulation) -> Make:
    """What makes it as it is now: from its scene, or, where that spawns nobody, from a copy of its state."""
    if simulation.tick == 0 and simulation.scene.entries and not simulation.world.resource(CommandQueue).forgotten:
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
    folder = tempfile.TemporaryDirectory(prefix="boids-")
    simulation.save(Path(folder.name) / "start.npz")
    mods = LoadedMods(tuple(simulation.mods.mods.values()))

    def again() -> Simulation:
        return read_snapshot(Path(folder.name) / "start.npz", mods=mods)

    return again
