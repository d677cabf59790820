"""Explain tells what the tick does: the same numbers, and nothing is changed by asking."""

from __future__ import annotations

import numpy as np
import pytest

import sandbox
from sandbox.explain import explain


@pytest.mark.parametrize("scene", ["ronan", "scarf", "birb", "quelea", "pallas"])
def test_the_sum_is_the_acceleration_of_the_tick(scene: str) -> None:
    with sandbox.load(scene, seed=5) as simulation:
        simulation.step(40)
        table = simulation.world.table
        serials = sorted(table.serial[: table.size].tolist())[::37]
        told = {serial: explain(simulation, serial) for serial in serials}
        simulation.step()
        for serial, why in told.items():
            row = table.rows_of(np.array([serial]))[0]
            used = [float(table.columns[f"Motion.acceleration.{axis}"][row]) for axis in ("x", "y")]
            assert list(why.acceleration) == used
            parts = np.sum(list(why.rules.values()), axis=0)
            assert np.allclose(parts, used, atol=1e-3 * (np.hypot(*used) + 1))


def test_asking_changes_nothing() -> None:
    with sandbox.load("ronan", seed=2) as asked, sandbox.load("ronan", seed=2) as left:
        for _ in range(20):
            asked.step()
            explain(asked, 17)
            left.step()
        assert asked.digest() == left.digest()


def test_who_is_not_there_can_not_be_explained() -> None:
    with sandbox.load("ronan") as simulation, pytest.raises(ValueError, match="there is no entity 5000"):
        explain(simulation, 5000)
