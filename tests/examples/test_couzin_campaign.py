"""Couzin's three groups: one width makes a swarm, a torus or a parallel group (Couzin et al. 2002, figure 3)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bundled import opened

SETTLING, SOON = 3000, 1200  # ticks until a group is what it becomes; one of most seeds is by then
MEASURED, EVERY = 500, 10


def orders(group: str, seed: int, settling: int) -> tuple[float, float]:
    """Polarization and milling of a group, their means over the measured ticks."""
    with opened("couzin", f"couzin-{group}", seed) as simulation:
        simulation.step(settling)
        found = []
        for _ in range(MEASURED // EVERY):
            simulation.step(EVERY)
            measures = simulation.measures(["couzin_order"])
            found.append((measures["couzin_polarization"], measures["couzin_milling"]))
    polarization, milling = np.mean(found, axis=0)
    return float(polarization), float(milling)


def is_swarm(polarization: float, milling: float) -> bool:
    return polarization < 0.3 and milling < 0.35


def is_torus(polarization: float, milling: float) -> bool:
    return milling > 0.7


def is_parallel(polarization: float, milling: float) -> bool:
    return polarization > 0.9


GROUPS = {"swarm": is_swarm, "torus": is_torus, "parallel": is_parallel}


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_of_one_seed_is_what_its_scene_says(group):
    found = orders(group, 2, SOON)
    assert {name: is_one(*found) for name, is_one in GROUPS.items()} == {name: name == group for name in GROUPS}, found


@pytest.mark.verify
@pytest.mark.parametrize("group", GROUPS)
def test_eight_of_ten_seeds_and_more_make_the_group(group):
    found = [orders(group, seed, SETTLING) for seed in range(1, 11)]
    assert sum(GROUPS[group](*one) for one in found) >= 8, found
