"""What an exported file tells besides its rows: how to make them again, and the unit and meaning of each column."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import sandbox
from sandbox.physics import PHYSICS
from sandbox.simulation import Simulation
from sandbox.trajectory import Column
from systems.engine.settings import Settings


def recipe_of(simulation: Simulation, file: str, settings: Iterable[str], first: int, every: int) -> dict[str, Any]:
    """Return how to make the rows again, before they are written; `end_of` tells the rest.

    Args:
        file: from which the world came; only its name is kept.
        settings: those of `--set`.
        first: the tick of the first rows.
    """
    world, own = simulation.world, simulation.world.resource(Settings)
    return {
        "program": f"boids-sandbox {sandbox.__version__}",
        "physics": PHYSICS,
        "file": Path(file).name,
        "scene": simulation.scene.name,
        "seed": world.seed,
        "set": [*settings],
        "mods": {name: str(mod.manifest.version) for name, mod in simulation.mods.mods.items()},
        "size": " x ".join(f"{side:g}" for side in own.size),
        "edges": str(own.edges),
        "ticks_per_second": own.tick_rate,
        "first_tick": first,
        "every": every,
    }


def end_of(simulation: Simulation) -> dict[str, Any]:
    """Return when the last rows are, and the digest of the world at that tick, when they have been written."""
    return {"last_tick": simulation.tick, "digest": simulation.digest()}


def told_of(column: Column) -> dict[str, str]:
    """Return the unit and meaning of a column, and the field that a short name stands for."""
    told = {"unit": column.unit, "meaning": column.meaning, "field": column.key}
    return {name: words for name, words in told.items() if words}
