"""Sweeps over one parameter of the example mods' models, for plots and verification tests.

Vicsek: polarization over noise. Couzin: polarization and milling over the width of the zone of orientation.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import sandbox

MODS = Path(__file__).parents[1] / "mods"
NOISES = tuple(range(0, 361, 40))  # degrees
WIDTHS = (0, 8, 16, 24, 32, 48, 64, 80, 96, 112)  # u
VICSEK_SEEDS, COUZIN_SEEDS = range(1, 9), range(1, 11)
EVERY = 10  # ticks between two measurements
COUZIN_ORDERS = "couzin_polarization", "couzin_milling"


def polarization(noise: float, seed: int, settling: int = 500, measured: int = 300) -> float:
    """Return the mean polarization of 400 boids on a torus of 10 x 10 radii, over `measured` ticks after `settling`."""
    with sandbox.new(size=(300, 300), seed=seed, mods=[MODS / "vicsek"]) as sim:
        sim.spawn("vicsek", 400, Vicsek={"noise": noise})
        return _means(sim, settling, measured, "vicsek_polarization")[0]


def orders(scene: str, seed: int, settling: int = 3000, measured: int = 500) -> tuple[float, ...]:
    """Return mean polarization and milling of the group in a scene of the mod `couzin`, measured in the same way."""
    with _couzin(scene, seed) as sim:
        return _means(sim, settling, measured, *COUZIN_ORDERS)


def orders_at(width: float, seed: int) -> tuple[float, ...]:
    """Return polarization and milling for a zone of orientation of this width, u."""
    with _couzin("couzin-torus", seed) as sim:
        sim.set("couzin.Couzin.orientation", width)
        return _means(sim, 3000, 500, *COUZIN_ORDERS)


def vicsek_sweep() -> NDArray[np.float64]:
    """Return polarization, (noises, seeds)."""
    return np.array([[polarization(noise, seed) for seed in VICSEK_SEEDS] for noise in NOISES])


def couzin_sweep() -> NDArray[np.float64]:
    """Return polarization and milling, (widths, seeds, 2)."""
    return np.array([[orders_at(width, seed) for seed in COUZIN_SEEDS] for width in WIDTHS])


def _couzin(scene: str, seed: int) -> sandbox.Sandbox:
    return sandbox.load(MODS / "couzin" / "scenes" / f"{scene}.toml", seed, mods=[MODS / "couzin"])


def _means(sim: sandbox.Sandbox, settling: int, measured: int, *measures: str) -> tuple[float, ...]:
    sim.step(settling)
    record = sim.run(measured, every=EVERY, record=measures)
    return tuple(float(record[name].mean()) for name in measures)
