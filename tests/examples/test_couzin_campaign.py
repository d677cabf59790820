"""Couzin's groups: one width makes a swarm, a torus or a parallel group (Couzin et al. 2002, figure 3)."""

from __future__ import annotations

import pytest

from tools.model_sweeps import COUZIN_SEEDS, orders

SOON = 1200  # ticks, in which a group of most seeds is what it becomes


def is_swarm(polarization: float, milling: float) -> bool:
    return polarization < 0.3 and milling < 0.35


def is_torus(polarization: float, milling: float) -> bool:
    return milling > 0.7


def is_parallel(polarization: float, milling: float) -> bool:
    return polarization > 0.9


GROUPS = {"swarm": is_swarm, "torus": is_torus, "parallel": is_parallel}
DEEP = {
    "swarm": lambda polarization, milling: polarization < 0.3 and milling < 0.4,
    "torus": lambda polarization, milling: polarization < 0.5 and milling > 0.6,
    "dynamic": is_parallel,
    "parallel": is_parallel,
}


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_of_one_seed_is_what_its_scene_says(group):
    found = orders(f"couzin-{group}", 2, SOON)
    assert [name for name, is_one in GROUPS.items() if is_one(*found)] == [group], found


@pytest.mark.verify
@pytest.mark.parametrize("group", GROUPS)
def test_eight_of_ten_seeds_and_more_make_the_group(group):
    found = [orders(f"couzin-{group}", seed) for seed in COUZIN_SEEDS]
    assert len(found) == 10
    assert sum(GROUPS[group](*one) for one in found) >= 8, found


@pytest.mark.parametrize("group", DEEP)
def test_a_group_in_space_is_what_its_scene_says(group):
    assert DEEP[group](*orders(f"couzin-deep-{group}", 2, SOON))


@pytest.mark.verify
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("group", DEEP)
def test_in_space_too_eight_of_ten_seeds_and_more_make_the_group(group):
    found = [orders(f"couzin-deep-{group}", seed) for seed in COUZIN_SEEDS]
    assert sum(DEEP[group](*one) for one in found) >= 8, found
