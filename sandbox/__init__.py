"""Floor 3: the program.

import sandbox

with sandbox.load("murmuration", seed=3) as simulation:
    simulation.step(600)
    print(simulation.digest())
    simulation.save("murmuration.npz")
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.simulation import Simulation

__all__ = ["load"]


def load(path: str | os.PathLike[str], seed: int | None = None) -> Simulation:
    """A simulation of a scene file, a bundled scene by its name, or a snapshot.

    Args:
        seed: instead of the scene's; with a snapshot, for what is random from now on.
    Raises:
        SceneError, SnapshotError: the file can't be opened; both are ValueErrors that name it and the mistake.
    """
    from sandbox.opening import load

    return load(path, seed)
