"""Trajectories: the rows are those of a plain loop of ticks and columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sandbox
from components.motion import Position, Velocity
from components.store.declare import choice, component, number
from sandbox.trajectory import columns_of, rows_now
from tests.mods import write_mod

LIVING = """
format = 1
seed = {seed}
[world]
size = [300, 200{depth}]
population_limit = 40
[prefabs.mayfly]
extends = "sheep"
Life = {{ max_age = 0.5, birth_level = 80, mutation = 0.2 }}
Energy = {{ level = 60, capacity = 160 }}
[[spawn]]
prefab = "mayfly"
count = 12
[[spawn]]
prefab = "shark"
count = 2
[[spawn]]
prefab = "obstacle"
at = [100, 100]
[[spawn]]
prefab = "food"
at = [150, 100]
Food = {{ amount = 9e5, capacity = 1e6, radius = 300, bite = 100 }}
"""
FIELDS = {
    "x": "Position.x",
    "y": "Position.y",
    "z": "Position.z",
    "vx": "Velocity.x",
    "vy": "Velocity.y",
    "vz": "Velocity.z",
    "energy": "Energy.level",
    "age": "Life.age",
}
FLAT = ["x", "y", "vx", "vy", "energy", "age", "Motion.drag_after_clamp", "Perception.neighbours", "Predator.target"]
DEEP = [*FLAT, "z", "vz"]
KINDS = "mayfly", "shark"


def values_by_serial(sim: sandbox.Sandbox, key: str) -> dict[int, object]:
    serials = sim.select(has=key.split(".")[0])
    return dict(zip(serials.tolist(), sim.column(key, serials).tolist(), strict=True))


def plain_rows(sim: sandbox.Sandbox, ticks: int, every: int, columns: list[str]) -> list[tuple[object, ...]]:
    """What a script would write by hand; None where an animal lacks the component."""
    rows = []
    for done in range(ticks + 1):
        if done % every == 0:
            values = [values_by_serial(sim, FIELDS.get(name, name)) for name in columns]
            kinds = {int(serial): kind for kind in KINDS for serial in sim.select(kind)}
            for serial in sim.select(has=["Position", "Velocity"]).tolist():
                own = (each.get(serial) for each in values)
                rows.append((sim.tick, sim.tick / 60, serial, kinds[serial], *own))
        if done < ticks:
            sim.step()
    return rows


def as_rows(record: sandbox.Record) -> list[tuple[object, ...]]:
    def plain(value: object) -> object:
        return None if value == "" or value != value else value

    return [tuple(map(plain, row)) for row in zip(*(record[name].tolist() for name in record), strict=True)]


@settings(max_examples=8, deadline=None)
@given(
    seed=st.integers(0, 99),
    before=st.integers(0, 30),
    ticks=st.integers(0, 60),
    every=st.integers(1, 20),
    deep=st.booleans(),
    picked=st.sets(st.sampled_from(DEEP)),
)
def test_the_rows_are_those_of_a_plain_loop(
    seed: int, before: int, ticks: int, every: int, deep: bool, picked: set[str]
) -> None:
    """Among mayflies, which are born and die all the time, and sharks, which have neither energy nor age."""
    columns = [name for name in (DEEP if deep else FLAT) if name in picked]
    text = LIVING.format(seed=seed, depth=", 150" if deep else "")
    with sandbox.loads(text, mods=[]) as one, sandbox.loads(text, mods=[]) as other:
        one.step(before)
        other.step(before)
        record = one.trajectory(ticks, every=every, columns=columns)
        assert list(record) == ["tick", "time", "serial", "kind", *columns]
        assert as_rows(record) == plain_rows(other, ticks, every, columns)
        assert (one.tick, one.digest()) == (other.tick, other.digest())


def test_the_born_begin_and_the_dead_end() -> None:
    with sandbox.loads(LIVING.format(seed=3, depth=""), mods=[]) as sim:
        at_first = set(sim.select(["mayfly", "shark"]).tolist())
        record = sim.trajectory(60, every=5)
        at_last = set(sim.select(["mayfly", "shark"]).tolist())
    of = {tick: set(record["serial"][record["tick"] == tick].tolist()) for tick in range(0, 61, 5)}
    assert (of[0], of[60]) == (at_first, at_last)
    assert at_first - at_last
    assert at_last - at_first


def test_by_default_a_row_is_place_and_velocity() -> None:
    for depth, columns in (("", "x y vx vy"), (", 150", "x y z vx vy vz")):
        with sandbox.loads(LIVING.format(seed=3, depth=depth), mods=[]) as sim:
            record = sim.trajectory(0)
        assert list(record) == ["tick", "time", "serial", "kind", *columns.split()]
        assert {record[name].dtype for name in columns.split()} == {np.dtype(np.float32)}


def test_a_whole_number_or_switch_is_a_float_so_that_it_can_be_missing() -> None:
    with sandbox.loads(LIVING.format(seed=3, depth=""), mods=[]) as sim:
        (hunter,) = sim.spawn("shark", Predator={"hunts": ["mayfly", "fish"]})
        record = sim.trajectory(1, columns=["Perception.neighbours", "Motion.drag_after_clamp", "Predator.hunts"])
    assert [record[name].dtype.kind for name in record] == ["i", "f", "i", "U", "f", "f", "U"]
    assert np.unique(record["Motion.drag_after_clamp"]).tolist() == [0.0]
    assert set(record["Predator.hunts"][record["serial"] == hunter].tolist()) == {"mayfly fish"}
    assert set(record["Predator.hunts"][record["serial"] != hunter].tolist()) == {""}


def test_a_component_of_a_mod_is_a_column_too(tmp_path: Path) -> None:
    mod = write_mod(
        tmp_path / "calm",
        "from sandbox.api import App, component, number\n\n\n@component\nclass Calm:\n"
        '    """Is calm."""\n\n    depth: float = number(4, "u", 0, 9, "how calm")\n\n\n'
        "def install(app: App) -> None:\n    app.add_component(Calm)\n",
    )
    with sandbox.new(mods=[mod]) as sim:
        sim.spawn("boid", 2)
        sim.spawn("boid", Calm={"depth": 7})
        assert sim.trajectory(0, columns="Calm.depth")["Calm.depth"].tolist()[2] == 7


def test_a_field_that_a_mod_gave_up_is_missing_from_then_on() -> None:
    def declared(field: object) -> type:
        return component(type("Calm", (), {"__doc__": "Is calm.", "__annotations__": {"depth": float}, "depth": field}))

    with sandbox.new() as sim:
        sim.world.table.declare(declared(number(4, "u", 0, 9, "how calm")))
        sim.spawn("boid", Calm={})
        columns = columns_of(sim.world, ["Calm.depth"])
        assert rows_now(sim.simulation, columns)["Calm.depth"].tolist() == [4]
        sim.world.table.redeclare(declared(choice("low", "high", default="low", help="how calm")))
        assert np.isnan(rows_now(sim.simulation, columns)["Calm.depth"]).tolist() == [True]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ("Velocty.x", r"there is no column 'Velocty.x'; did you mean 'Velocity.x'\?"),
        ("energie", r"there is no column 'energie'; did you mean 'energy'\?"),
        (["x", "z"], r"z: this world is flat: give \[world\] size a third number"),
        (["x", "y", "x"], r"the column 'x' would be there twice"),
        ("tick", r"the column 'tick' would be there twice"),
        ([3], r"there is no column 3"),
    ],
)
def test_a_wrong_column_is_told_with_the_right_one_and_nothing_runs(columns: object, said: str) -> None:
    with sandbox.new() as sim:
        with pytest.raises(ValueError, match=f"^{said}"):
            sim.trajectory(10, columns=columns)  # type: ignore[arg-type]
        assert sim.tick == 0


def test_where_nothing_moves_there_are_no_rows() -> None:
    with sandbox.new() as sim:
        sim.spawn("obstacle", at=(50, 50))
        assert not len(sim.world.table.rows(Position, Velocity))
        record = sim.trajectory(3)
    assert (len(record), list(record)) == (0, ["tick", "time", "serial", "kind", "x", "y", "vx", "vy"])
