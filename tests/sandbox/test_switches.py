"""Whatever system is disabled, the world goes on."""

from __future__ import annotations

import numpy as np
import pytest

from sandbox.edit import SetEnabled
from sandbox.parts import BUILT_IN
from sandbox.simulation import Simulation
from systems.engine.app import installed
from systems.engine.system import Phase
from tests.sandbox.test_same_everywhere import every_kind

SYSTEMS = [s.name for s in installed(BUILT_IN).systems if not s.essential and s.phase is not Phase.RENDER]


@pytest.mark.parametrize("name", SYSTEMS)
def test_without_one_system_the_world_still_runs(name: str) -> None:
    with Simulation(every_kind()) as simulation:
        simulation.submit(SetEnabled(name, False))
        simulation.step(20)
        table = simulation.world.table
        assert simulation.tick == 20
        assert table.size > 0
        assert all(
            np.isfinite(column[: table.size]).all() for key, column in table.columns.items() if "Position" in key
        )
        simulation.measures()


def test_without_any_of_them_it_stands_still() -> None:
    with Simulation(every_kind()) as simulation:
        for name in SYSTEMS:
            simulation.submit(SetEnabled(name, False))
        simulation.step(1)
        places = simulation.world.table.columns["Position.x"].copy()
        simulation.step(20)
        assert (simulation.world.table.columns["Position.x"] == places).all()
