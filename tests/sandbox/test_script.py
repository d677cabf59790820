"""A world from Python: what scripts and notebooks open, edit, run and read."""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sandbox
from sandbox import Sandbox, SandboxWarning, opening
from sandbox.api import Wander, randoms, stream
from sandbox.edit import SetField
from sandbox.files.write_recording import write_recording
from sandbox.past.timeline import Timeline
from sandbox.record import measured
from sandbox.toml.mistakes import SceneError
from systems.engine.settings import Settings
from tests.recordings import members_of, zipped

ROOT = Path(__file__).parents[2]
FLOCK = """
format = 1
seed = 7

[world]
size = [800, 600]
edges = "turn"
turn = { margin = 80, acceleration = 90 }

[[spawn]]
prefab = "starling"
count = 60
area = { rect = [100, 100, 600, 400] }
speed = [90, 120]
heading = 45
Flocker = { cohesion_strength = { mean = 4, sd = 1 } }
Look = { colour = "#ff8800" }

[[spawn]]
prefab = "hawk"
at = [400, 300]
velocity = [10, -20]

[[spawn]]
prefab = "wall"
points = [[600, 100], [720, 180], [640, 300]]
closed = true
"""


@pytest.fixture
def sim() -> Iterator[Sandbox]:
    with sandbox.new(size=(400, 300), seed=3) as made:
        made.spawn("starling", 30)
        made.spawn("hawk", 2, at=(200, 150))
        made.spawn("wall", points=[(10, 10), (60, 20)])
        made.spawn("food", 4)
        yield made


def test_a_world_that_is_spawned_is_the_world_that_a_scene_file_describes() -> None:
    turn = {"margin": 80, "acceleration": 90}
    with sandbox.loads(FLOCK) as told, sandbox.new((800, 600), "turn", 7, turn=turn) as made:
        serials = made.spawn(
            *("starling", 60),
            **{"area": (100, 100, 600, 400), "speed": (90, 120), "heading": np.int32(45)},
            Flocker={"cohesion_strength": {"mean": np.float64(4), "sd": 1}},
            Look={"colour": "#ff8800"},
        )
        assert (serials.dtype, serials.tolist()) == (np.int64, [*range(1, 61)])
        assert made.spawn("hawk", at=np.array([400, 300]), velocity=(10, -20)).tolist() == [61]
        assert len(made.spawn("wall", points=[(600, 100), (720, 180), (640, 300)], closed=True)) == 3
        assert made.digest() == told.digest()
        made.run(20)
        told.step(20)
        assert made.digest() == told.digest()


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ({"cuont": 3}, "cuont = 3"),
        ({"count": -1}, "count = -1"),
        ({"at": (1, 2, 3)}, "at = [1, 2, 3]"),
        ({"at": (1, 2), "area": (1, 2, 3)}, "at = [1, 2]\narea = { circle = [1, 2, 3] }"),
        ({"points": [(1, 2), (1, 2)]}, "points = [[1, 2], [1, 2]]"),
        ({"speed": (90, 60)}, "speed = [90, 60]"),
        ({"Motion": {"max_sped": 3}}, "Motion = { max_sped = 3 }"),
        ({"Motion": {"max_speed": -3}}, "Motion = { max_speed = -3 }"),
        ({"Motion": {"max_speed": float("nan")}}, "Motion = { max_speed = nan }"),
        ({"Flocker": 3}, "Flocker = 3"),
        ({"Velocity": {"x": 3}}, "Velocity = { x = 3 }"),
        ({"Perception": {"radius": {"mean": 3}}}, "Perception = { radius = { mean = 3 } }"),
    ],
)
def test_a_mistake_in_a_spawn_is_told_as_one_in_a_scene_file_and_changes_nothing(
    sim: Sandbox, given: dict[str, Any], written: str
) -> None:
    before = sim.digest()
    with pytest.raises(SceneError) as in_file:
        sandbox.loads(f'format = 1\n[[spawn]]\nprefab = "starling"\n{written}\n')
    with pytest.raises(ValueError) as in_python:  # noqa: PT011, the whole text is compared
        sim.spawn("starling", **given)
    assert str(in_python.value).splitlines() == [mistake.sentence for mistake in in_file.value.mistakes]
    assert sim.digest() == before


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda sim: sim.spawn("starlin"), "prefab = 'starlin': unknown prefab; did you mean \"starling\"?"),
        (lambda sim: sim.spawn("hawk", area=(1, 2)), "area = [1, 2]: must be (x, y, radius) or (x, y, width, height)"),
        (lambda sim: sim.spawn("hawk", at=object), "must be a number, a text, True or False, or a list or table"),
        (lambda sim: sim.despawn(["a"]), "serials must be whole numbers"),
        (lambda sim: sim.despawn(1.5), "serials must be whole numbers"),
        (lambda sim: sim.despawn(None), "serials must be whole numbers"),
        (lambda sim: sim.column("Position.x", serials={99}), "there is no entity 99"),
        (lambda sim: sim.set("flockin", False), "there is no system 'flockin'; did you mean 'flocking'?"),
        (lambda sim: sim.set("flocking", 3), "flocking = 3: must be true or false"),
        (lambda sim: sim.set("Perceptin.radius", 3), "did you mean 'Perception.radius'?"),
        (lambda sim: sim.set("starlin.Look.size", 3), "there is no prefab 'starlin'; did you mean 'starling'?"),
        (lambda sim: sim.set("Look.size", -1), "Look.size = -1: must be 0.1 to 10,000 (u)"),
        (lambda sim: sim.set("world.edgs", "open"), "edges'?"),
        (lambda sim: sim.set("world.edges", "rap"), "edges = 'rap': must be one of wrap, turn, bounce, open"),
        (lambda sim: sim.set("world.size", (900, -1)), "must be 1 to 1,000,000 (u)"),
        (lambda sim: sim.set("world.size", 900), "world.size = 900: must be 2 numbers: [width, height] or 3: ["),
        (lambda sim: sim.set("world.size", (900, 600, -1)), "world.depth = -1: must be 0 to 1,000,000 (u)"),
        (lambda sim: sim.set("seed", -1), "seed = -1: must be 0 to"),
        (lambda sim: sim.set("commit.reorder_evry", 3), "did you mean 'reorder_every'?"),
        (lambda sim: sim.set("a.b.c", 3), "a.b.c: must be a system"),
        (lambda sim: sim.set("flocking", True, serials=[1]), "for chosen entities only a field can be set"),
        (lambda sim: sim.set("hawk.Look.size", 9, serials=[1]), "for chosen entities only a field can be set"),
        (lambda sim: sim.step(-5), "ticks = -5: must be 0 to"),
        (lambda sim: sim.step(1.5), "ticks = 1.5: must be a whole number"),
        (lambda sim: sim.run(-5), "ticks = -5: must be 0 to"),
        (lambda sim: sim.run(5, every=0), "every = 0: must be 1 to"),
        (lambda sim: sim.run(5, record="polarisation"), "no measure 'polarisation'; did you mean 'polarization'?"),
        (lambda sim: sim.measure("population.hawl"), "did you mean 'population.hawk'?"),
        (lambda sim: sim.column("Motion.max_sped"), "no field 'Motion.max_sped'; did you mean 'Motion.max_speed'?"),
        (lambda sim: sim.column("Look.size", [1, 999]), "there is no entity 999"),
        (lambda sim: sim.column("Food.amount", 1), "entity 1 has no Food"),
        (lambda sim: sim.select("hawl"), "there is no prefab 'hawl'; did you mean 'hawk'?"),
        (lambda sim: sim.select(has="Positon"), "there is no component 'Positon'; did you mean 'Position'?"),
        (lambda sim: sim.set(5, 1), "5: must be a system, SYSTEM.PARAMETER, COMPONENT.FIELD"),
        (lambda sim: sim.measure(1), "there is no measure 1"),
        (lambda sim: sim.measures("ordr"), "there is no system 'ordr'; did you mean 'order'?"),
        (lambda sim: sim.measures(["order", 1]), "there is no system 1"),
        (lambda sim: sim.measure("zzqq"), "there is no measure 'zzqq': there are entities, "),
        (lambda sim: sim.column("zzqq"), "there is no field 'zzqq': there are "),
        (lambda sim: sim.spawn("zzqq"), "unknown prefab: there are "),
        (lambda sim: sim.select("zzqq"), "there is no prefab 'zzqq': there are "),
        (lambda sim: sim.world.add(1, Wander, strength=-5), "Wander.strength = -5.0: must be 0 to 1,000,000 (u/s²)"),
        (lambda sim: randoms(sim.world, np.arange(1), "a"), "stream = 'a': must be the number of a stream"),
        (lambda _: stream(5), "stream(5): must be a name, like stream('vicsek noise')"),
        (lambda sim: sim.measure([1.0]), "there is no measure [1.0]"),
        (lambda sim: sim.column(1), "there is no field 1"),
        (lambda sim: sim.column([1.0]), "there is no field [1.0]"),
        (lambda sim: sim.run(1, record=[1.0]), "there is no measure 1.0"),
        (lambda sim: sim.run(1, record=1), "there is no measure 1"),
        (lambda sim: sim.select(1), "there is no prefab 1"),
        (lambda sim: sim.submit(1), "1: must be a command, like Spawn(Entry("),
        (lambda sim: sim.world.resource("Toll"), "resource('Toll'): must be a class, like resource(Settings)"),
        (lambda _: sandbox.loads(1), "1: must be the text of a scene file; sandbox.load opens a file"),
        (lambda _: sandbox.load(1), "1: must be the path of a file, or the name of a bundled scene"),
        (lambda sim: sim.picture(4), "4: must be the path of a file"),
        (lambda sim: sim.save(4), "4: must be the path of a file"),
        (lambda _: sandbox.study(3), "3: must be the path of a study or a folder of results, or the name of a bundled"),
        (lambda sim: sim.run(1, until=3), "until = 3: must be a function of the simulation"),
        (lambda _: sandbox.load("ronan", seed="3"), "seed = '3': must be a number, 0 to"),
        (lambda _: sandbox.load("ronan", seed=-1), "seed = -1: must be 0 to"),
        (lambda _: sandbox.loads("format = 1", seed=1.5), "seed = 1.5: must be a whole number"),
        (lambda _: sandbox.load("ronan", mods=1), "mods = 1: must be a list of folders"),
        (lambda _: sandbox.load("ronan", mods=[1]), "mods = [1]: must be a list of folders"),
        (lambda _: sandbox.new(size=(0, 4)), "world.size[0] = 0: must be 1 to 1,000,000 (u)"),
        (lambda _: sandbox.new(egdes="wrap"), 'world.egdes: unknown key; did you mean "edges"?'),
        (lambda _: sandbox.new(edges="rap"), "world.edges = 'rap': must be one of wrap, turn, bounce, open"),
        (lambda _: sandbox.new(seed=-1), "seed = -1: must be 0 to"),
        (lambda _: sandbox.loads("format = 1\n[world]\nsizes = 3"), "untitled:3:1: world.sizes: unknown key"),
    ],
)  # fmt: skip
def test_what_can_not_be_is_refused_with_a_sentence_and_changes_nothing(
    sim: Sandbox, wrong: Callable[[Sandbox], object], said: str
) -> None:
    before = sim.digest()
    with pytest.raises((ValueError, TypeError), match=re.escape(said)) as told:
        wrong(sim)
    assert "\n" not in str(told.value) or isinstance(told.value, SceneError)
    assert (sim.tick, sim.digest()) == (0, before)


EDITS: dict[str, Callable[[Sandbox], object]] = {
    "place fish × 12": lambda sim: sim.spawn("fish", 12, area=(100, 100, 50)),
    "remove × 5": lambda sim: sim.despawn(sim.select("starling")[3:8]),
    "set radius of starling": lambda sim: sim.set("starling.Perception.radius", 80),
    "set size": lambda sim: sim.set("Look.size", np.float32(7)),
    "set colour": lambda sim: sim.set("Look.colour", "#ff0000", serials=sim.select("hawk")),
    "set x": lambda sim: sim.set("Position.x", 5, serials=7),
    "disable flocking": lambda sim: sim.set("flocking", False),
    "set reorder every of commit": lambda sim: sim.set("commit.reorder_every", 9),
    "set edges": lambda sim: sim.set("world.edges", "bounce"),
    "set margin": lambda sim: sim.set("world.turn.margin", 20),
    "set seed": lambda sim: sim.set("seed", 9),
    "set width": lambda sim: sim.set("world.size", (500, 200)),
}


@pytest.mark.parametrize("label", EDITS)
def test_every_edit_is_carried_out_at_once_and_can_be_undone_and_redone(sim: Sandbox, label: str) -> None:
    before = sim.digest()
    EDITS[label](sim)
    after = sim.digest()
    assert after != before
    assert (sim.undo(), sim.digest()) == (label, before)
    assert (sim.redo(), sim.digest()) == (label, after)


def test_a_size_of_three_numbers_gives_depth(sim: Sandbox) -> None:
    before = sim.digest()
    sim.set("world.size", (500, 200, 300))
    assert sim.world.resource(Settings).size == (500, 200, 300)
    assert sim.positions.shape[1] == 3
    sim.undo()
    assert sim.digest() == before


def test_where_there_is_nothing_to_undo_nothing_happens() -> None:
    with sandbox.new() as sim:
        assert (sim.undo(), sim.redo()) == (None, None)


def test_what_is_set_for_nobody_is_set_for_nobody(sim: Sandbox) -> None:
    before = sim.digest()
    sim.set("Look.size", 9, serials=[])
    sim.despawn([])
    assert sim.digest() == before


def test_a_world_in_the_middle_of_a_tick_is_not_edited(sim: Sandbox) -> None:
    sim.world.begin_tick()
    with pytest.raises(RuntimeError, match="edit it between two ticks"):
        sim.spawn("hawk")
    sim.world.commit()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 37), max_size=30), st.integers(0, 2**32 - 1))
def test_arrays_are_in_order_of_serial_however_rows_lie(gone: list[int], shuffle: int) -> None:
    with sandbox.new(size=(400, 300)) as sim:
        sim.spawn("starling", 30, Motion={"max_speed": {"mean": 120, "sd": 20}})
        sim.spawn("wall", points=[(10, 10), (60, 20)])
        sim.spawn("food", 6)
        sim.despawn(gone)
        table = sim.world.table
        table.reorder(np.random.default_rng(shuffle).permutation(table.size))
        living = sorted({*range(1, 38)} - {*gone})
        assert sim.serials.tolist() == sim.select().tolist() == living
        flying = [serial for serial in living if serial <= 30]
        assert sim.select("starling").tolist() == sim.select(has=["Velocity", "Motion"]).tolist() == flying
        placed = [serial for serial in living if serial != 31]
        x, y = (table.columns[f"Position.{axis}"] for axis in "xy")
        assert sim.positions.tolist() == [[x[table.row_of(one)], y[table.row_of(one)]] for one in placed]
        assert sim.velocities.shape == (len(flying), 2)
        speeds = table.columns["Motion.max_speed"]
        some = flying[::-2]
        assert sim.column("Motion.max_speed", some).tolist() == [speeds[table.row_of(one)] for one in some]
        assert len(sim.column("Motion.max_speed")) == len(flying)


def test_arrays_are_copies_that_can_not_be_written(sim: Sandbox) -> None:
    arrays = {
        "positions": (sim.positions, np.float32, (36, 2)),
        "velocities": (sim.velocities, np.float32, (32, 2)),
        "accelerations": (sim.column("Motion.acceleration"), np.float32, (32, 2)),
        "serials": (sim.serials, np.int64, (37,)),
        "chosen": (sim.select("hawk"), np.int64, (2,)),
        "amounts": (sim.column("Food.amount"), np.float64, (4,)),
        "neighbours": (sim.column("Perception.neighbours"), np.int32, (32,)),
        "record": (sim.run(1, record="milling")["milling"], np.float64, (1,)),
    }
    before = {name: array.copy() for name, (array, _, _) in arrays.items()}
    sim.step(5)
    for name, (array, dtype, shape) in arrays.items():
        assert (array.dtype, array.shape) == (dtype, shape)
        assert np.array_equal(array, before[name])
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_values_are_read_and_set_as_a_scene_file_writes_them(sim: Sandbox) -> None:
    sim.set("hawk.Predator.hunts", ["starling", "fish"])
    assert sim.column("Look.shape")[0] == "bird"
    assert sim.column("Look.colour", sim.select("wall")).tolist() == ["#7a6f83"]
    assert sim.column("Predator.hunts").tolist() == [("starling", "fish")] * 2
    before = sim.digest()
    table = sim.world.table
    for serial in (1, 31, 33, 34):
        for component in table.components.values():
            for field in component.fields.values():
                if field.in_files and field.key in table.columns and table.has(table.row_of(serial), component):
                    sim.set(field.key, sim.column(field.key, serial)[0], serials=serial)
    assert sim.digest() == before


def test_a_run_records_what_was_asked_for_every_so_many_ticks() -> None:
    with sandbox.loads(FLOCK) as sim, sandbox.loads(FLOCK) as other:
        record = sim.run(25, every=10, record=["polarization", "population.starling", "population.fish"])
        assert list(record) == ["tick", "time", "polarization", "population.starling", "population.fish"]
        assert (record["tick"].tolist(), record["tick"].dtype, len(record)) == ([10, 20], np.int64, 2)
        assert record["time"].tolist() == [10 / 60, 20 / 60]
        assert record["population.fish"].tolist() == [0, 0]
        assert sim.tick == 25
        for n in range(2):
            other.step(10)
            assert record["polarization"][n] == other.measure("polarization") == other.measures()["polarization"]
            assert record["population.starling"][n] == other.populations()["starling"]
        other.step(5)
        assert sim.digest() == other.digest()
        again = sim.run(10, every=5, record="milling")
        assert again["tick"].tolist() == [30, 35]
        assert repr(again) == "<Record of 2 rows: tick, time, milling>"
        assert sim.run(0)["tick"].tolist() == []
        with pytest.raises(KeyError, match="did you mean 'milling'"):
            again["miling"]


def test_only_what_is_recorded_is_measured(sim: Sandbox) -> None:
    _, systems = measured(sim, ["milling", "population.hawk"])
    assert systems == ["population", "order"]


def test_a_run_ends_when_it_is_to(sim: Sandbox) -> None:
    record = sim.run(100, every=4, until=lambda s: s.tick > 9)
    assert (sim.tick, record["tick"].tolist()) == (12, [4, 8, 12])


def test_a_record_goes_into_a_data_frame_where_pandas_is_installed(
    sim: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    class DataFrame(dict[str, Any]):
        def set_index(self, name: str) -> DataFrame:
            return DataFrame({"index": self.pop(name), **self})

    record = sim.run(4, every=2, record="milling")
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=DataFrame))
    frame = record.to_pandas()
    assert list(frame) == ["index", "time", "milling"]
    assert frame["milling"] is record["milling"]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pandas is not installed"):
        record.to_pandas()


def test_it_is_saved_as_a_scene_or_as_its_exact_state(sim: Sandbox, tmp_path: Path) -> None:
    begun = sim.positions
    sim.run(3)
    sim.save(tmp_path / "state.boids")
    sim.save(tmp_path / "scene.toml")
    with sandbox.load(tmp_path / "state.boids") as same, sandbox.load(tmp_path / "scene.toml") as like:
        assert (same.digest(), same.tick) == (sim.digest(), 3)
        assert (like.populations(), like.tick) == (sim.populations(), 0)
        assert isinstance(same, Sandbox)
        assert like.positions[:30].tolist() == begun[:30].tolist()  # a crowd begins again where it began
        hawks, now = (world.column("Position", world.select("hawk")).tolist() for world in (like, sim))
        assert hawks == now
    assert (tmp_path / "scene.toml").read_text("utf-8").count("[[spawn]]") == 5
    with pytest.raises(ValueError, match=r"past\.npz: must end in \.boids .* or \.toml"):
        sim.save(tmp_path / "past.npz")
    with pytest.raises(ValueError, match=r"dusk\.jpg: a picture is a \.png"):
        sim.picture(tmp_path / "dusk.jpg")
    assert {path.name for path in tmp_path.iterdir()} == {"state.boids", "scene.toml"}


def test_a_recording_opens_at_its_end_and_one_that_can_not_be_played_to_it_says_so(tmp_path: Path) -> None:
    timeline = Timeline(opening.load("ronan"))
    for _ in range(40):
        if timeline.tick in (10, 20):
            timeline.simulation.submit(SetField("Motion.max_speed", 50.0 + timeline.tick))
        timeline.step()
    write_recording(timeline, tmp_path / "a.boids")
    with sandbox.load(tmp_path / "a.boids") as sim:
        assert (sim.tick, sim.digest()) == (40, timeline.simulation.digest())
        assert sim.undo() is not None
    with sandbox.load(tmp_path / "a.boids", seed=9) as sim:
        assert sim.world.seed == 9
    members = members_of((tmp_path / "a.boids").read_bytes())
    lines = members["commands.jsonl"]
    (tmp_path / "b.boids").write_bytes(zipped({**members, "commands.jsonl": lines.replace(b'"tick":20', b'"tick":-1')}))
    with pytest.warns(SandboxWarning, match=r"b\.boids: commands.jsonl:2: tick = -1: must be .*; it plays to tick 9"):
        sandbox.load(tmp_path / "b.boids").close()
    timeline.close()


def test_it_says_in_a_line_what_it_is() -> None:
    sim = sandbox.new(name="Pond")
    assert repr(sim) == "<Sandbox 'Pond': tick 0, nobody lives>"
    sim.spawn("fish", 1200)
    sim.spawn("shark")
    assert repr(sim) == "<Sandbox 'Pond': tick 0, fish 1,200, shark 1>"
    sim.close()
    assert repr(sim) == "<Sandbox 'Pond': closed>"


def test_every_public_name_stands_on_its_page() -> None:
    page = (ROOT / "docs/python.md").read_text("utf-8")
    missing = {f"sandbox.{name}" for name in sandbox.__all__ if f"sandbox.{name}" not in page}
    with sandbox.new() as sim:
        names = [name for name in dir(sim) if not name.startswith("_")]
    missing |= {f"sim.{name}" for name in names if f"`sim.{name}" not in page}
    assert not missing


@pytest.mark.parametrize("mods", ["drift", Path("drift")])
def test_a_single_folder_is_no_list_of_mods(mods: Any) -> None:
    with pytest.raises(ValueError, match="mods = 'drift': must be a list of folders"):
        sandbox.load("ronan", mods=mods)
