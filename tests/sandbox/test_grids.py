"""A grid of a mod's resource: snapshots, undo and reloads keep it, the digest tells it, its systems alone change it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from components.store.declare import component, grid
from components.store.fields import AMOUNT_SCALE
from components.store.grids import Grid
from components.store.resources import resource
from components.store.savepoint import Savepoint
from sandbox.design.scene import Entry
from sandbox.edit import Redo, SetResource, SetSetting, Spawn, Undo
from sandbox.files.container import RecordingError
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.together import mods_from
from sandbox.mods.run.upgrade import UseMods
from sandbox.opening import load
from sandbox.scenes.writer import scene_text
from sandbox.simulation import Simulation
from sandbox.undo.history import History
from systems.engine.system import System
from systems.engine.threads import exactly
from tests.edits import do
from tests.mods import write_mod
from tests.recordings import member_of, meta_in, snapshot_of, state_in, with_meta

SOIL = """
import numpy as np
from sandbox.api import Grid, Phase, Position, System, World, deposit, diffused, grid, kernel, raster_of, resource

@resource
class Soil:
    '''What is in the ground.'''

    dung: Grid = grid(20, "", 0, 1000, "how much was dropped"{dung})
    shade: Grid = grid(20, "", 0, 1, "only for eyes", drawn=True)

class Dropping(System):
    '''Everyone drops some, and it spreads.'''

    phase = Phase.LIFE
    reads = (Position,)
    {writes} = (Soil,)

    def run(self, world):
        soil, columns = world.resource(Soil), world.table.columns
        ground = raster_of(world, soil.dung)
        drop(world.table.rows(Position), columns["Position.x"], columns["Position.y"], ground)
        soil.dung = diffused(ground, 0.5, 0.99)

@kernel
def drop(rows, x, y, ground):
    for row in rows:
        deposit(ground, (x[row], y[row]), 0.5)

def install(app):
    app.add_resource(Soil)
    app.add_system(Dropping)
"""
SCENE = (
    'format = 1\nmods.required = ["soil"]\nworld = { size = [400, 300] }\nspawn = [{ prefab = "boid", count = 40 }]\n'
)


def soil_mod(folder: Path, writes: str = "writes", dung: str = "", version: str = "1.0") -> LoadedMods:
    python = SOIL.replace("{writes}", writes).replace("{dung}", dung)
    return mods_from([write_mod(folder / "soil", python, version=version)])


@pytest.fixture
def mods(tmp_path: Path) -> LoadedMods:
    return soil_mod(tmp_path)


@pytest.fixture
def field(tmp_path: Path, mods: LoadedMods) -> Iterator[Simulation]:
    (tmp_path / "field.toml").write_text(SCENE)
    with load(tmp_path / "field.toml", mods=mods) as simulation:
        yield simulation


def soil(simulation: Simulation) -> Any:
    return simulation.world.resource(simulation.world.declared["Soil"])


def test_it_begins_empty_and_covers_the_world(field: Simulation) -> None:
    assert not soil(field).dung.amounts.size
    field.step(10)
    assert soil(field).dung.amounts.shape == (15, 20)
    assert soil(field).dung.amounts.any()
    assert not field.mods.faults


def test_a_snapshot_keeps_it_and_goes_on_the_same(field: Simulation, mods: LoadedMods, tmp_path: Path) -> None:
    field.step(10)
    field.save(tmp_path / "a.boids")
    with load(tmp_path / "a.boids", mods=mods) as again:
        assert again.digest() == field.digest()
        assert (soil(again).dung.amounts == soil(field).dung.amounts).all()
        again.step(20)
        field.step(20)
        assert again.digest() == field.digest()


def test_threads_change_nothing(field: Simulation, mods: LoadedMods, tmp_path: Path) -> None:
    with exactly(1), load(tmp_path / "field.toml", mods=mods) as alone:
        alone.step(30)
    with exactly(2):
        field.step(30)
    assert (soil(field).dung.amounts == soil(alone).dung.amounts).all()


def test_the_digest_tells_it_apart_but_not_what_is_only_drawn(field: Simulation) -> None:
    field.step(5)
    before = field.digest()
    soil(field).shade = np.ones((15, 20), np.int64)
    assert field.digest() == before
    soil(field).dung = soil(field).dung.amounts + (np.indices((15, 20)).sum(0) == 0)
    assert field.digest() != before


def test_a_savepoint_shares_it_and_puts_it_back(field: Simulation) -> None:
    field.step(5)
    before, kept = field.digest(), soil(field).dung
    savepoint = Savepoint.take(field.world)
    assert savepoint.stored[type(soil(field))]["Soil.dung"] is kept
    field.step(5)
    savepoint.restore(field.world)
    assert field.digest() == before


def test_undo_gives_it_back_and_counts_it(field: Simulation) -> None:
    field.step(5)
    before = field.digest()
    do(field, SetResource("Soil.dung", np.full((15, 20), AMOUNT_SCALE)), Spawn(Entry("boid", 5)))
    after = field.digest()
    (step, _) = field.world.resource(History).undoable
    assert step.size >= 2 * 15 * 20 * 8
    do(field, Undo(), Undo())
    assert field.digest() == before
    do(field, Redo(), Redo())
    assert field.digest() == after


def test_undoing_an_edit_does_not_turn_time_back_for_it(field: Simulation) -> None:
    do(field, Spawn(Entry("boid", 5)))
    field.step(5)
    now = soil(field).dung
    do(field, Undo())
    assert soil(field).dung is now


def test_it_follows_the_size_of_the_world(field: Simulation) -> None:
    field.step(5)
    before = soil(field).dung.amounts
    do(field, SetSetting("width", 800))
    field.step()
    assert soil(field).dung.amounts.shape == (15, 40)
    assert soil(field).dung.amounts.sum() > before.sum()
    assert not field.mods.faults


def test_a_system_that_does_not_declare_it_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "field.toml").write_text(SCENE)
    with load(tmp_path / "field.toml", mods=soil_mod(tmp_path, "reads")) as simulation:
        with pytest.warns(UserWarning, match="Soil was changed by a system that doesn't declare it"):
            simulation.step()
        assert not soil(simulation).dung.amounts.size


def test_its_amounts_can_not_be_written_in_place(field: Simulation) -> None:
    field.step()
    with pytest.raises(ValueError, match="read-only"):
        soil(field).dung.amounts[0, 0] = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        soil(field).dung.amounts.flags.writeable = True


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (np.full((2, 2), 1001 * AMOUNT_SCALE), "every cell must be 0 to 1,000"),
        (np.full((2, 2), -1), "every cell must be 0 to 1,000"),
        (np.zeros((2, 2)), "must be whole numbers in an array"),
        (np.zeros((1025, 2), np.int64), r"must be whole numbers in .* with at most 1,024 along"),
        (np.zeros(4, np.int64), r"must be whole numbers in an array \(cells_y, cells_x\)"),
        ("much", "must be whole numbers in an array"),
    ],
)
def test_what_it_can_not_hold_is_refused(field: Simulation, value: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        field.submit(SetResource("Soil.dung", value))
    with pytest.raises(ValueError, match=rf"Soil\.dung = .*: {why}"):
        soil(field).dung = value


def test_no_scene_file_says_it(field: Simulation, mods: LoadedMods, tmp_path: Path) -> None:
    field.step(3)
    do(field, SetResource("Soil.dung", np.full((15, 20), AMOUNT_SCALE)))
    assert "dung" not in scene_text(field)
    (tmp_path / "a.toml").write_text(SCENE + "resources.Soil.dung = [[1]]\n")
    with pytest.raises(ValueError, match=r"a.toml:5:.*unknown key"):
        load(tmp_path / "a.toml", mods=mods)


def test_a_newer_version_of_the_mod_keeps_it_also_under_another_name(field: Simulation, tmp_path: Path) -> None:
    field.step(5)
    before = soil(field).dung
    renamed = SOIL.replace("dung", "humus").replace("{writes}", "writes").replace("{humus}", ', was="dung"')
    do(field, UseMods(mods_from([write_mod(tmp_path / "b" / "soil", renamed, version="1.1")]).loaded))
    assert soil(field).humus == before
    field.step(3)
    assert not field.mods.faults


def test_a_snapshot_of_an_older_version_opens_under_the_new_name(field: Simulation, tmp_path: Path) -> None:
    field.step(5)
    field.save(tmp_path / "a.boids")
    renamed = SOIL.replace("dung", "humus").replace("{writes}", "writes").replace("{humus}", ', was="dung"')
    newer = mods_from([write_mod(tmp_path / "b" / "soil", renamed, version="1.1")])
    with load(tmp_path / "a.boids", mods=newer) as again:
        assert soil(again).humus == soil(field).dung


def test_with_cells_of_another_size_it_begins_anew(field: Simulation, tmp_path: Path) -> None:
    field.step(5)
    finer = SOIL.replace("grid(20", "grid(10").replace("{writes}", "writes").replace("{dung}", "")
    do(field, UseMods(mods_from([write_mod(tmp_path / "b" / "soil", finer, version="1.1")]).loaded))
    assert not soil(field).dung.amounts.size


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        ([15, 21], "has 300 values, and must have 315"),
        ([15], "must be the numbers of cells along y and x"),
        ([-15, -20], "must be the numbers of cells along y and x"),
        ([1, 10**9], "must be the numbers of cells along y and x"),
        ("15 x 20", "must be the numbers of cells along y and x"),
    ],
)
def test_a_snapshot_with_another_shape_is_refused(
    field: Simulation, mods: LoadedMods, tmp_path: Path, shape: Any, why: str
) -> None:
    assert why in refused(field, mods, tmp_path, shape, lambda members: None)


def test_a_snapshot_without_its_amounts_or_with_wrong_ones_is_refused(
    field: Simulation, mods: LoadedMods, tmp_path: Path
) -> None:
    def spoil(members: dict[str, bytes]) -> None:
        members[name] = np.append(members[name][:-1], -1)

    name = "resources.Soil.dung"
    assert "is missing" in refused(field, mods, tmp_path, [15, 20], lambda members: members.pop(name))
    assert "every cell must be 0 to 1,000" in refused(field, mods, tmp_path, [15, 20], spoil)


def refused(field: Simulation, mods: LoadedMods, tmp_path: Path, shape: Any, change: Any) -> str:
    field.step(2)
    field.save(tmp_path / "a.boids")
    grids = {**meta_in(tmp_path / "a.boids")["grids"], "Soil.dung": shape}
    arrays = with_meta(state_in(tmp_path / "a.boids"), grids=grids)
    change(arrays)
    (tmp_path / "b.boids").write_bytes(snapshot_of(member_of(arrays)))
    with pytest.raises(RecordingError) as caught:
        load(tmp_path / "b.boids", mods=mods)
    return str(caught.value)


def test_it_is_declared_with_cells_and_bounds_that_can_be() -> None:
    with pytest.raises(ValueError, match="highest = 2000000: must be a number, -1,000,000 to 1,000,000"):
        grid(1, "", 0, 2_000_000, "wrong")
    for wrong in ((0, 0, 1), (float("inf"), 0, 1), (1, 1, 2)):
        with pytest.raises(ValueError, match="a grid has cells wider than 0 and holds"):
            grid(wrong[0], "", *wrong[1:], "wrong")

    @resource
    class Moor:
        """Fine."""

        water: Grid = grid(5, "", -10, 10, "how deep")

    assert Moor() == Moor()
    wet: Any = Moor()
    wet.water = [[1, -2], [3, 4]]
    assert wet != Moor()
    assert repr(wet) == "Moor(water=Grid(2 x 2))"


def test_neither_a_component_nor_a_system_holds_one() -> None:
    def water() -> Any:
        return grid(5, "", 0, 10, "how deep")

    with pytest.raises(ValueError, match=r"Bog\.water: only a resource can hold"):
        component(type("Bog", (), {"water": water()}))
    with pytest.raises(ValueError, match=r"Draining\.water: only a resource can hold a grid"):
        type("Draining", (System,), {"water": water()})
