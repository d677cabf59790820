"""`boids export`: what other programs read in its files is what happened in the world."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas
import polars
import pyarrow.parquet as pq
import pytest

import sandbox
from sandbox.edit import Despawn, SetField
from sandbox.extras.export.formats import PIECE, write
from sandbox.files.write_recording import write_recording
from sandbox.past.timeline import Timeline
from sandbox.scenes.bundled import find_scene
from sandbox.trajectory import FIXED, Column, Rows
from tests.command_line import ROOT, boids

POND = """
format = 1
name = "Pond"
seed = 3
[world]
size = [300, 200]
population_limit = 40
[prefabs.mayfly]
extends = "sheep"
Life = { max_age = 0.5, birth_level = 80 }
Energy = { level = 60, capacity = 160 }
[[spawn]]
prefab = "mayfly"
count = 12
[[spawn]]
prefab = "shark"
count = 2
[[spawn]]
prefab = "food"
at = [150, 100]
Food = { amount = 9e5, capacity = 1e6, radius = 300, bite = 100 }
"""
COLUMNS = ["x", "y", "vx", "vy", "energy", "Perception.neighbours", "Motion.drag_after_clamp", "Predator.target"]
ENDINGS = "parquet", "csv", "npz"


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    """A scene of mayflies, which are born and die all the time, and sharks, which have no energy."""
    path = tmp_path / "pond.toml"
    path.write_text(POND)
    return path


def export(*words: object) -> str:
    """Export something; returns what is said."""
    made = boids("export", *words)
    assert (made.returncode, made.stderr) == (0, "")
    return made.stdout


def refused(*words: object) -> str:
    made = boids("export", *words)
    assert (made.returncode, made.stdout) == (1, "")
    return made.stderr


def by_pandas(path: Path) -> dict[str, list[Any]]:
    frame = pandas.read_csv(path) if path.suffix == ".csv" else pandas.read_parquet(path)
    return {name: frame[name].tolist() for name in frame}


def by_polars(path: Path) -> dict[str, list[Any]]:
    return (polars.read_csv(path) if path.suffix == ".csv" else polars.read_parquet(path)).to_dict(as_series=False)


def by_duckdb(path: Path) -> dict[str, list[Any]]:
    found = duckdb.sql(f"SELECT * FROM '{path}'")
    return dict(zip(found.columns, map(list, zip(*found.fetchall(), strict=True)), strict=True))


def by_numpy(path: Path) -> dict[str, list[Any]]:
    with np.load(path, allow_pickle=False) as arrays:
        return {name: arrays[name].tolist() for name in arrays if name != "about"}


READERS = {"csv": (by_pandas, by_polars, by_duckdb), "parquet": (by_pandas, by_polars, by_duckdb), "npz": (by_numpy,)}


def plain(column: list[Any]) -> list[Any]:
    """The values with None where something is missing, as float32 if they are no whole numbers."""
    missing = (value is None or value == "" or value != value for value in column)
    rounded = (float(np.float32(value)) if isinstance(value, float) else value for value in column)
    return [None if lacks else value for lacks, value in zip(missing, rounded, strict=True)]


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_other_programs_read_are_the_rows_of_the_trajectory(pond: Path, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"flock.{ending}"
    said = export(pond, "--to", file, "--every", 6, "--columns", ",".join(COLUMNS), "--from", "0.5s", "--until", 90)
    assert said == f"Table: {file} (11 times, ticks 30 to 90)\n"
    with sandbox.load(pond, mods=[]) as sim:
        sim.step(30)
        record = sim.trajectory(60, every=6, columns=COLUMNS)
    for read in READERS[ending]:
        found = read(file)
        assert list(found) == list(record)
        for name in record:
            assert plain(found[name]) == plain(record[name].tolist()), (read, name)


def test_a_parquet_file_has_a_type_for_each_kind_of_value(pond: Path, tmp_path: Path) -> None:
    export(pond, "--to", tmp_path / "flock.parquet", "--until", 1, "--columns", ",".join(COLUMNS))
    types = {field.name: str(field.type) for field in pq.read_schema(tmp_path / "flock.parquet")}
    text = "dictionary<values=string, indices=int32, ordered=0>"
    assert types == {
        **{"tick": "int64", "time": "double", "serial": "int64", "kind": text},
        **dict.fromkeys(("x", "y", "vx", "vy"), "float"),
        **{"energy": "double", "Perception.neighbours": "int32", "Motion.drag_after_clamp": "bool"},
        "Predator.target": text,
    }
    found = pq.read_table(tmp_path / "flock.parquet")
    assert found["energy"].null_count == found["kind"].to_pylist().count("shark") == 4


TEXTS = "program", "file", "scene", "size", "edges", "digest"


def about(path: Path) -> dict[str, Any]:
    """What a file tells of itself."""
    if path.suffix == ".csv":
        told: dict[str, Any] = json.loads(path.with_name(f"{path.name}.json").read_text("utf-8"))
        return told
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            return dict(json.loads(str(arrays["about"])))
    words = {key.decode(): value.decode() for key, value in pq.read_metadata(path).metadata.items()}
    schema = pq.read_schema(path)
    assert {(key.decode(), value.decode()) for key, value in schema.metadata.items()} < words.items()
    told = {key: value if key in TEXTS else json.loads(value) for key, value in words.items() if "ARROW" not in key}
    fields = {field.name: field.metadata for field in schema}
    return told | {"columns": {n: {k.decode(): v.decode() for k, v in f.items()} for n, f in fields.items()}}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_tells_the_units_and_how_to_make_it_again(pond: Path, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"flock.{ending}"
    words = ("--seed", 7, "--set", "Motion.max_speed=60", "--depth", 90)
    export(pond, "--to", file, "--every", 7, "--until", "0.4s", "--columns", "x,z,Perception.radius", *words)
    told = about(file)
    with sandbox.load(pond, mods=[], seed=7, depth=90) as sim:
        sim.set("Motion.max_speed", 60)
        sim.step(21)
        digest = sim.digest()
    expected = {
        "program": f"boids-sandbox {sandbox.__version__}",
        "physics": 1,
        "file": "pond.toml",
        "scene": "Pond",
        "seed": 7,
        "set": ["Motion.max_speed=60"],
        "mods": {},
        "size": "300 x 200 x 90",
        "edges": "wrap",
        "ticks_per_second": 60,
        "first_tick": 0,
        "last_tick": 21,
        "every": 7,
        "digest": digest,
    }
    assert {name: told[name] for name in expected} == expected
    assert told["columns"]["time"] == {"unit": "s", "meaning": "simulated time since the world began"}
    assert told["columns"]["z"] == {"unit": "u", "meaning": "distance from the back", "field": "Position.z"}
    assert told["columns"]["Perception.radius"]["unit"] == "u"
    assert str(tmp_path) not in json.dumps(told)


def test_of_a_recording_it_is_what_happened_there(pond: Path, tmp_path: Path) -> None:
    """With the edits of a person; to its end, unless it is told to stop before."""
    with sandbox.load(pond, mods=[]) as sim:
        timeline = Timeline(sim.simulation)
        serials, places = [], []
        for _ in range(80):
            if sim.tick == 20:
                sim.simulation.submit(SetField("Motion.max_speed", 20.0))
            if sim.tick == 50:
                sim.simulation.submit(Despawn(sim.select("shark")))
            timeline.step()
            serials += sim.select(has="Velocity").tolist() if sim.tick % 8 == 0 else []
            places += sim.positions[: len(sim.velocities)].tolist() if sim.tick % 8 == 0 and sim.tick > 60 else []
        write_recording(timeline, tmp_path / "pond.boids")
        timeline.leave()
    said = export(tmp_path / "pond.boids", "--to", tmp_path / "a.npz", "--every", 8, "--from", 8)
    assert "(10 times, ticks 8 to 80)" in said
    assert by_numpy(tmp_path / "a.npz")["serial"] == serials
    said = export(tmp_path / "pond.boids", "--to", tmp_path / "b.npz", "--from", 50, "--until", "0.9s")
    assert "(5 times, ticks 50 to 54)" in said
    kinds = by_numpy(tmp_path / "b.npz")
    assert {t for t, kind in zip(kinds["tick"], kinds["kind"], strict=True) if kind == "shark"} == set()
    assert refused(tmp_path / "pond.boids", "--to", tmp_path / "c.csv", "--until", "9s") == (
        "boids: --until 9s: must be at most 1.33333s, where it ends\n"
    )
    for word in (("--seed", 4), ("--depth", 40), ("--set", "flocking=false")):
        assert "a recording has its own seed, settings and depth" in refused(
            tmp_path / "pond.boids", "--to", tmp_path / "c.csv", *word
        )


def test_a_component_of_a_mod_is_exported_too(pond: Path, tmp_path: Path) -> None:
    mod = ROOT / "mods" / "magnet"
    (scene,) = sorted((mod / "scenes").glob("*.toml"))[:1]
    export(scene, "--mod", mod, "--to", tmp_path / "magnets.npz", "--until", 3, "--columns", "x,Magnet.radius")
    told = about(tmp_path / "magnets.npz")
    assert told["mods"] == {"magnet": "1.0"}
    assert told["columns"]["Magnet.radius"]["field"] == "Magnet.radius"
    assert "there is no column 'Magnet.radius'" in refused(
        pond, "--to", tmp_path / "b.npz", "--columns", "Magnet.radius"
    )


def test_where_nothing_moves_a_file_has_no_rows(tmp_path: Path) -> None:
    (tmp_path / "rocks.toml").write_text('format = 1\n[[spawn]]\nprefab = "obstacle"\nat = [100, 100]\n')
    for ending in ENDINGS:
        export(tmp_path / "rocks.toml", "--to", tmp_path / f"none.{ending}", "--until", 2)
    expected: dict[str, list[Any]] = {name: [] for name in ("tick", "time", "serial", "kind", "x", "y", "vx", "vy")}
    assert by_pandas(tmp_path / "none.parquet") == by_pandas(tmp_path / "none.csv") == expected
    assert by_numpy(tmp_path / "none.npz") == expected


def test_mistakes_are_told_before_anything_is_written(pond: Path, tmp_path: Path) -> None:
    (tmp_path / "flock.csv").write_text("kept")
    assert refused(pond, "--to", "flock.txt") == "boids: flock.txt: must end in .parquet, .csv or .npz\n"
    wrong = refused(pond, "--to", tmp_path / "flock.csv", "--columns", "x,Energy.levl")
    assert wrong == "boids: there is no column 'Energy.levl'; did you mean 'Energy.level'?\n"
    assert "there is no folder" in refused(pond, "--to", tmp_path / "no" / "flock.csv")
    assert "--from 1m: must be seconds" in refused(pond, "--to", tmp_path / "flock.csv", "--from", "1m")
    assert "must be 2s or later" in refused(pond, "--to", tmp_path / "flock.csv", "--from", "2s", "--until", "1s")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["flock.csv", "pond.toml"]
    assert (tmp_path / "flock.csv").read_text() == "kept"


def test_without_pyarrow_it_says_what_to_install(pond: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert refused(pond, "--to", "flock.parquet") == (
        'boids: flock.parquet: Parquet needs pyarrow: pip install "boids-sandbox[export]"; .csv and .npz need nothing\n'
    )
    export(pond, "--to", tmp_path / "flock.csv", "--until", 2)


def flocks(times: int, animals: int) -> Iterator[Rows]:
    """The rows of a large flock, made when they are asked for."""
    for tick in range(times):
        yield {
            "tick": np.full(animals, tick),
            "time": np.full(animals, tick / 60),
            "serial": np.arange(animals),
            "kind": np.full(animals, "boid"),
            "x": np.random.default_rng(tick).random(animals, np.float32),
        }


WIDE = *FIXED, Column("x", "float32", "u", "", "Position.x")


@pytest.mark.parametrize(("ending", "animals"), [("parquet", 10_000), ("csv", 1000), ("npz", 5000)])
def test_a_longer_recording_takes_no_more_memory(tmp_path: Path, ending: str, animals: int) -> None:
    peaks = []
    for times in (30, 90):
        tracemalloc.start()
        write(tmp_path / f"a.{ending}", WIDE, flocks(times, animals), {}, dict)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]


def test_parquet_is_written_in_groups_of_rows(tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", WIDE, flocks(40, 10_000), {}, dict)
    found = pq.read_metadata(tmp_path / "a.parquet")
    groups = [found.row_group(n).num_rows for n in range(found.num_row_groups)]
    assert sum(groups) == 400_000
    assert all(PIECE <= rows < PIECE + 10_000 for rows in groups[:-1])


def test_one_very_large_flock_is_written_in_pieces(tmp_path: Path) -> None:
    write(tmp_path / "a.csv", WIDE, flocks(2, PIECE + 1), {}, dict)
    found = polars.read_csv(tmp_path / "a.csv")
    assert found["serial"].to_list() == [*range(PIECE + 1)] * 2
    assert found["x"].cast(polars.Float32).to_list()[-3:] == list(flocks(2, PIECE + 1))[1]["x"][-3:].tolist()


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_ends_early_leaves_the_old_file(tmp_path: Path, ending: str) -> None:
    def broken() -> Iterator[Rows]:
        yield from flocks(3, 100)
        raise KeyboardInterrupt

    file = tmp_path / f"a.{ending}"
    file.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        write(file, WIDE, broken(), {}, dict)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(file.name, "old")]


def test_ctrl_c_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("old")
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "sandbox.cli.main",
            "export",
            str(find_scene("reef")),
            "--until",
            "9999s",
            "--to",
            "a.csv",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    until = time.monotonic() + 60
    while not any(path.stat().st_size for path in tmp_path.glob(".*.part")) and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.csv", "old")]


def test_what_is_wrong_is_said_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "flock.csv.json").mkdir()
    far = ("export", "ronan", "--from", "30000s", "--until", "30001s", "--to")
    told = boids(*far, tmp_path / "flock.csv")
    assert told.stderr == f"boids: {tmp_path / 'flock.csv.json'}: can't be written: it is a folder\n"
    assert boids(*far, tmp_path / "flock.npz", "--columns", "x, speedy").stderr.startswith(
        "boids: there is no column 'speedy'"
    )
    assert boids("export", "ronan", "--until", "1s", "--to", tmp_path / "a.npz", "--columns", "x, y").returncode == 0
