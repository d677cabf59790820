"""The models of the example mods, measured while one parameter goes from end to end: what the plots and campaigns tell.

Vicsek: polarization over noise. Couzin: polarization and milling over the width of the zone of orientation.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sandbox.simulation import Simulation

MODS = Path(__file__).parents[1] / "mods"
NOISES = tuple(range(0, 361, 40))  # degrees
WIDTHS = (0, 8, 16, 24, 32, 48, 64, 80, 96, 112)  # u
VICSEK_SEEDS, COUZIN_SEEDS = range(1, 9), range(1, 11)
EVERY = 10  # ticks between two looks
VICSEK = """
format = 1
mods.required = ["vicsek"]
world.size = [300, 300]
prefabs.vicsek = { extends = "vicsek", Vicsek = { noise = NOISE } }
spawn = [{ prefab = "vicsek", count = 400 }]
"""


def polarization(noise: float, seed: int, settling: int = 500, measured: int = 300) -> float:
    """Of 400 on a torus of 10 x 10 radii: the mean over the measured ticks, after those in which it settles."""
    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder) / "scene.toml"
        scene.write_text(VICSEK.replace("NOISE", str(noise)), "utf-8")
        with _opened("vicsek", scene, seed) as simulation:
            return float(_means(simulation, "vicsek_order", settling, measured)["vicsek_polarization"])


def orders(scene: str, seed: int, settling: int = 3000, measured: int = 500) -> tuple[float, float]:
    """Polarization and milling of the group of a scene of Couzin's: their means, as above."""
    with _opened("couzin", MODS / "couzin" / "scenes" / f"{scene}.toml", seed) as simulation:
        return _couzin(simulation, settling, measured)


def orders_at(width: float, seed: int) -> tuple[float, float]:
    """The same for a zone of orientation of this width, u."""
    from sandbox.edit import SetField

    with _opened("couzin", MODS / "couzin" / "scenes" / "couzin-torus.toml", seed) as simulation:
        simulation.submit(SetField("Couzin.orientation", width, prefab="couzin"))
        return _couzin(simulation, 3000, 500)


def vicsek_sweep() -> NDArray[np.float64]:
    """Polarization, (noises, seeds)."""
    return np.array([[polarization(noise, seed) for seed in VICSEK_SEEDS] for noise in NOISES])


def couzin_sweep() -> NDArray[np.float64]:
    """Polarization and milling, (widths, seeds, 2)."""
    return np.array([[orders_at(width, seed) for seed in COUZIN_SEEDS] for width in WIDTHS])


def _opened(mod: str, scene: Path, seed: int) -> Simulation:
    import sandbox

    return sandbox.load(scene, seed, mods=[MODS / mod])


def _couzin(simulation: Simulation, settling: int, measured: int) -> tuple[float, float]:
    found = _means(simulation, "couzin_order", settling, measured)
    return float(found["couzin_polarization"]), float(found["couzin_milling"])


def _means(simulation: Simulation, system: str, settling: int, measured: int) -> dict[str, float]:
    simulation.step(settling)
    looks = []
    for _ in range(measured // EVERY):
        simulation.step(EVERY)
        looks.append(simulation.measures([system]))
    return {name: float(np.mean([look[name] for look in looks])) for name in looks[0]}
