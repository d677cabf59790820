"""Ink: laid in fixed point, followed to where most of it is, the same with any number of threads and after saving."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sandbox
from components.store.fields import AMOUNT_SCALE
from sandbox.script.sandbox import Sandbox
from systems.engine.threads import exactly
from tests.bundled import MODS, opened

HEAD = 'format = 1\nmods.required = ["ink"]\nworld = { size = [400, 400], edges = "turn" }\n'


def paper(simulation: Any) -> Any:
    return simulation.world.resource(simulation.world.declared["Paper"])


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Sandbox]:
    """One that flies to the right in the middle of an empty paper, and looks 20 u ahead."""
    with sandbox.loads(HEAD, mods=[MODS / "ink"]) as sim:
        sim.spawn("ink", at=(200, 200), velocity=(60, 0), Ink={"distance": 20, "angle": 45, "turning": 900})
        yield sim


def test_what_everyone_lays_is_there_to_the_last_bit(one: Sandbox) -> None:
    one.set("ink_spreading.fading", 0)
    one.set("ink_spreading.full", 1000)
    one.spawn("ink", 99, area=(50, 50, 300, 300))
    one.step(5)
    assert paper(one).ink.amounts.sum() == 100 * 5 * round(300 / 60 * AMOUNT_SCALE)


@pytest.mark.parametrize(("x", "y", "turn"), [(214, 214, 1), (214, 186, -1), (220, 200, 0)])
def test_it_turns_to_where_more_ink_is(one: Sandbox, x: float, y: float, turn: int) -> None:
    spots = np.zeros((100, 100), np.int64)
    spots[int(y / 4) - 1 : int(y / 4) + 2, int(x / 4) - 1 : int(x / 4) + 2] = AMOUNT_SCALE
    paper(one).ink = spots
    one.step()
    speed = one.column("Velocity.x")[0], one.column("Velocity.y")[0]
    assert np.hypot(*speed) == pytest.approx(60, rel=1e-5)
    assert np.degrees(np.arctan2(speed[1], speed[0])) == pytest.approx(15 * turn, abs=1e-3)


def test_with_more_to_both_sides_it_turns_by_chance(one: Sandbox) -> None:
    spots = np.full((100, 100), AMOUNT_SCALE)
    spots[46:54] = 0
    paper(one).ink = spots
    one.spawn("ink", 200, at=(200, 200), velocity=(60, 0), Ink={"distance": 25, "angle": 45, "turning": 900})
    one.step()
    up = one.column("Velocity.y")[1:] > 1
    assert 60 < up.sum() < 140
    assert (np.abs(one.column("Velocity.y")[1:]) > 10).all()


def test_no_cell_holds_more_than_the_paper_takes(one: Sandbox) -> None:
    one.spawn("ink", 500, at=(200, 200))
    one.step(10)
    assert paper(one).ink.amounts.max() == 14 * AMOUNT_SCALE


def test_its_scene_draws_veins_and_goes_the_same_way_everywhere(tmp_path: Path) -> None:
    with exactly(1), opened("ink", "ink") as alone:
        alone.step(60)
        alone.save(tmp_path / "a.boids")
        alone.step(60)
        digest = alone.digest()
        amounts = paper(alone).ink.amounts
    with exactly(2), sandbox.load(tmp_path / "a.boids", mods=[MODS / "ink"]) as other:
        other.step(60)
        assert other.digest() == digest
        assert not other.mods.faults
    assert amounts.shape == (180, 320)
    assert (amounts > amounts.max() / 2).mean() < 0.6 < (amounts > amounts.max() / 100).mean()
