"""Streams: animals begin along a curve, densest in its middle, and set out along it."""

from __future__ import annotations

import numpy as np
import pytest

from sandbox.design.prefabs import installed_prefabs
from sandbox.design.scene import Entry, Scene, Stream
from sandbox.parts import BUILT_IN
from sandbox.scenes.reader import read_scene
from sandbox.scenes.writer import save_scene
from sandbox.simulation import Simulation
from sandbox.toml.mistakes import SceneError
from systems.engine.app import installed
from systems.engine.settings import Settings
from systems.space.bounds import FARTHEST


def begun(entry: Entry) -> tuple[np.ndarray, np.ndarray]:
    """Places and velocities of all at the start, (n, 2)."""
    prefabs = installed_prefabs(installed(BUILT_IN))
    scene = Scene(settings=Settings(1000, 600, "open"), prefabs=prefabs, entries=[entry])
    with Simulation(scene) as simulation:
        columns, rows = simulation.world.table.columns, slice(0, entry.count)
        return tuple(np.stack([columns[f"{of}.{axis}"][rows] for axis in "xy"], 1) for of in ("Position", "Velocity"))


def test_they_are_strewn_along_the_curve_and_fly_along_it():
    place, velocity = begun(Entry("boid", 2000, area=Stream(((100, 100, 10), (500, 100, 60), (900, 500, 10)))))
    assert place.min(axis=0)[0] < 110
    assert place.max(axis=0)[0] > 880
    first, last = place[:, 0] < 300, place[:, 0] > 700
    assert np.abs(place[first, 1] - 100).max() < 80
    way = velocity / np.hypot(*velocity.T)[:, None]
    assert way[first].mean(axis=0) == pytest.approx([1, 0], abs=0.15)
    assert way[last].mean(axis=0) == pytest.approx([0.7, 0.7], abs=0.15)


def test_a_single_point_is_a_cloud_densest_in_its_middle_that_flies_every_way():
    place, velocity = begun(Entry("boid", 2000, area=Stream(((500, 300, 100),))))
    away = np.abs(place - (500, 300))
    assert away.max() <= 100
    assert np.median(away) < 30
    assert np.abs((velocity / np.hypot(*velocity.T)[:, None]).mean(axis=0)).max() < 0.1


def test_a_heading_goes_before_the_stream():
    _, velocity = begun(Entry("boid", 50, area=Stream(((0, 0, 5), (400, 0, 5))), heading=90))
    assert np.abs(velocity[:, 0]).max() < 1e-3


def test_a_stream_is_read_and_saved(tmp_path):
    file, saved = tmp_path / "river.toml", tmp_path / "saved.toml"
    file.write_text('format = 1\n[[spawn]]\nprefab = "boid"\ncount = 9\narea = { stream = [[1, 2, 3], [40, 50, 6]] }\n')
    scene = read_scene(file)
    assert scene.entries[0].area == Stream(((1, 2, 3), (40, 50, 6)))
    with Simulation(scene) as simulation:
        save_scene(simulation, saved)
    assert read_scene(saved).entries[0].area == scene.entries[0].area


@pytest.mark.parametrize("stream", ["[]", "[[1, 2]]", "7", "[[2000000, 0, 1]]", "[[1000000, 0, 9]]"])
def test_a_wrong_stream_is_refused_with_its_place(tmp_path, stream):
    file = tmp_path / "river.toml"
    file.write_text(f'format = 1\n[[spawn]]\nprefab = "boid"\narea = {{ stream = {stream} }}\n')
    with pytest.raises(SceneError, match=r"river\.toml:4:") as refused:
        read_scene(file)
    assert "max()" not in str(refused.value)


def test_a_curve_that_swings_out_stays_where_snapshots_may_have_animals(tmp_path):
    corners = ((-999e3, 999e3, 0), (999e3, 999e3, 0), (999e3, -999e3, 0), (-999e3, -999e3, 0))
    place, _ = begun(Entry("boid", 2000, area=Stream(corners)))
    assert np.abs(place).max() == FARTHEST
