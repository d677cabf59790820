"""What a circle touches, against plain distances."""

from __future__ import annotations

import numpy as np
import pytest

from components.store.prefab import Prefab
from sandbox.design.scene import Entry, Scene
from sandbox.edit import Erase
from sandbox.simulation import Simulation
from systems.engine.settings import Settings
from tests.edits import do

SIZE = (300.0, 200.0)


def distance(a: np.ndarray, b: np.ndarray, place: np.ndarray, edges: str) -> float:
    """From a place to the nearest of 2,001 points of a line, in all copies of the world around."""
    points = a + np.linspace(0, 1, 2001)[:, None] * (b - a)
    offsets = points - place
    if edges == "wrap":
        offsets -= np.array(SIZE) * np.rint(offsets / SIZE)
    return float(np.hypot(*offsets.T).min())


@pytest.mark.parametrize("edges", ["wrap", "turn"])
def test_erase_removes_the_walls_and_the_things_within_a_circle(edges: str) -> None:
    rng = np.random.default_rng(5)
    ends = rng.uniform(-200, 500, (300, 4)).astype(np.float32).astype(float)
    ends[::3, 2:] = ends[::3, :2] + rng.normal(0, 5, (100, 2)).astype(np.float32)
    ends[0, 2:] = ends[0, :2]
    prefabs = {"wall": Prefab("wall", {"Wall": {}}), "thing": Prefab("thing", {"Position": {}})}
    keys = ("Wall.ax", "Wall.ay", "Wall.bx", "Wall.by")
    walls = [Entry("wall", values=dict(zip(keys, map(float, four), strict=True))) for four in ends]
    things = [Entry("thing", at=(float(x), 50.0)) for x in range(0, 300, 3)]
    scene = Scene(settings=Settings(*SIZE, edges=edges), prefabs=prefabs, entries=[*walls, *things])
    for x, y, radius in ((150, 100, 20), (2, 50, 30), (299, 199, 12), (40, 10, 0.5)):
        with Simulation(scene) as simulation:
            do(simulation, Erase(x, y, radius))
            table = simulation.world.table
            left = set(table.serial[: table.size].tolist())
        place = np.array([x, y], float)
        lines = [(four[:2], four[2:]) for four in ends] + [(np.array(e.at), np.array(e.at)) for e in things]
        away = np.array([distance(a, b, place, edges) for a, b in lines])
        sure = np.abs(away - radius) > 0.5
        expected = away > radius
        found = np.array([serial in left for serial in range(1, len(lines) + 1)])
        assert (found == expected)[sure].all()
        assert radius < 1 or not expected.all()


def test_erase_of_a_prefab_spares_the_others() -> None:
    prefabs = {name: Prefab(name, {"Wall": {"ax": 10.0, "bx": 50.0}}) for name in ("wall", "fence")}
    with Simulation(
        Scene(settings=Settings(*SIZE), prefabs=prefabs, entries=[Entry("wall"), Entry("fence")])
    ) as simulation:
        do(simulation, Erase(30, 0, 5, prefab="fence"))
        assert simulation.populations() == {"wall": 1}


def test_in_a_flat_world_erase_may_name_the_depth_0() -> None:
    prefabs = {"wall": Prefab("wall", {"Wall": {"ax": 10.0, "bx": 50.0}}), "thing": Prefab("thing", {"Position": {}})}
    entries = [Entry("wall"), Entry("thing", at=(30, 3)), Entry("thing", at=(30, 9))]
    with Simulation(Scene(settings=Settings(*SIZE), prefabs=prefabs, entries=entries)) as simulation:
        do(simulation, Erase(30, 0, 5, z=0))
        assert simulation.populations() == {"thing": 1}
