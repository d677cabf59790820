"""The commands about mods as a person types them, from nothing to a mod that is on."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

import sandbox
from sandbox.design.scene import Entry
from sandbox.edit import RenamePrefab, Spawn
from sandbox.mods.find.trust import trust_file
from tests.command_line import boids
from tests.mods import EMPTY, write_mod


@pytest.fixture
def mod(tmp_path: Path):
    """Types `boids mod ...` in a working folder, as a person who keeps nothing yet."""

    def type_(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
        return boids("mod", *words, cwd=tmp_path, **{"COLUMNS": "200", **environment})

    return type_


def row(out: subprocess.CompletedProcess[str], id: str) -> str:
    return next((line for line in out.stdout.splitlines() if line.strip().startswith(f"{id} ")), "")


def test_from_nothing_to_a_mod_that_is_on_and_off_again(mod, tmp_path: Path) -> None:
    written = mod("new", "gust")
    assert "boids mod check mods/gust" in written.stdout
    checked = mod("check", "gust")
    assert (checked.returncode, checked.stdout[:15]) == (0, "mods/gust: good")
    assert " off " in row(mod("list"), "gust")
    assert "gust is on" in mod("enable", "gust").stdout
    listed = mod("list")
    assert "the working folder: mods/gust" in row(listed, "gust")
    assert " on " in row(listed, "gust")
    (tmp_path / "mods" / "gust" / "notes.txt").touch()
    assert "changed since it was enabled" in row(mod("list"), "gust")
    assert mod("disable", "gust").stdout == "gust is off\n"
    assert " off " in row(mod("list"), "gust")


def test_check_prints_a_line_for_each_mistake(mod, tmp_path: Path) -> None:
    write_mod(tmp_path / "mods" / "gust", version="one", titel="Gust")
    out = mod("check", "mods/gust")
    assert out.returncode == 1
    assert [line.split(" ")[0] for line in out.stdout.splitlines()] == [
        "mods/gust/mod.toml:2:1:",
        "mods/gust/mod.toml:5:1:",
    ]


def test_list_says_of_each_why_it_is_not_on(mod, tmp_path: Path) -> None:
    write_mod(tmp_path / "mods" / "gust", depends=["wind >= 2"])
    write_mod(tmp_path / "mods" / "wind")
    write_mod(tmp_path / "mods" / "twin", id="wind")
    write_mod(tmp_path / "mods" / "torn", "raise ValueError('torn [apart]')\n")
    (tmp_path / "mods" / "none").mkdir()
    (tmp_path / "mods" / "none" / "none.py").touch()
    assert mod("enable", "torn").returncode == 1
    out = mod("enable", "gust")
    assert (out.returncode, out.stderr) == (
        1,
        "boids: gust is enabled, but not on: needs wind>=2, but 1.0 is there: put the right version there\n",
    )
    listed = mod("list")
    assert "torn.py:1: ValueError: torn [apart]" in row(listed, "torn")
    assert "needs wind>=2, but 1.0 is there" in row(listed, "gust")
    assert "there is no mod.toml in it" in row(listed, "none")
    assert listed.stdout.count("has the same id: remove one of them or change its id") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["new", "My Mod"], 'did you mean "my_mod"?'),
        (["new", "boid"], "choose another"),
        (["enable", "nobody"], "there is no mod 'nobody'"),
        (["check", "nobody"], "there is no mod 'nobody'"),
        (["disable", "nobody"], "nobody is not enabled"),
        (["chek", "mods/gust"], "Did you mean 'check'"),
    ],
)
def test_a_mistake_ends_in_a_sentence(mod, words: list[str], said: str) -> None:
    out = mod(*words)
    assert out.returncode in (1, 2)
    assert said in out.stderr
    assert "Traceback" not in out.stderr + out.stdout


def test_a_broken_file_of_what_is_enabled_is_told_and_mended(mod) -> None:
    mod("new", "gust")
    path = trust_file()
    path.parent.mkdir(parents=True)
    path.write_text("enabled = [")
    out = mod("list")
    assert "can't be read, so no mod is enabled" in out.stderr
    assert " off " in row(out, "gust")
    assert mod("enable", "gust").returncode == 0
    assert " on " in row(mod("list"), "gust")
    assert sorted(os.listdir(path.parent)) == ["mods-unread.toml", "mods.toml"]


FAULTY = """
from sandbox.api import App, Phase, System, Velocity, World

print("imported")

class Gusts(System):
    phase = Phase.MOVE
    after = ("movement",)
    before = ("bounce", "collision", "wrap")
    reads = ("Velocity.x",)

    def run(self, world: World) -> None:
        print("runs")
        if world.tick == 3:
            world.table.columns["Velocity.x"][:] = 0

def install(app: App) -> None:
    print("installed")
    app.add_system(Gusts)
"""
SENTENCE = "gust: gust.py:15: what this line writes to is read-only: declare it in `writes` or `adds` of gusts"
FLOCK = 'format = 1\n[[spawn]]\nprefab = "boid"\ncount = 9\n'


@pytest.fixture
def flock(tmp_path: Path) -> Path:
    path = tmp_path / "flock.toml"
    path.write_text(FLOCK)
    return path


def test_run_tells_that_a_mod_was_stopped_and_fails(tmp_path: Path, flock: Path) -> None:
    folder = write_mod(tmp_path / "gust", FAULTY)
    out = boids("run", flock, "--ticks", 9, "--json", "--mod", folder)
    assert out.returncode == 1
    assert f"boids: the mod was stopped: {SENTENCE}" in out.stderr
    report = json.loads(out.stdout)
    assert report["mods"] == {"gust": "1.0"}
    assert [fault.split(" (")[0] for fault in report["faults"]] == [SENTENCE]
    good = boids("run", flock, "--ticks", 3, "--json", "--mod", folder)
    assert (good.returncode, json.loads(good.stdout)["faults"]) == (0, [])


@pytest.mark.parametrize("place", ['print("imported")', 'print("installed")', 'print("runs")'])
def test_a_mod_that_turns_warnings_into_errors_changes_nothing_for_others(
    tmp_path: Path, flock: Path, place: str
) -> None:
    strict = FAULTY.replace(place, '__import__("warnings").simplefilter("error")')
    out = boids("run", flock, "--ticks", 9, "--mod", write_mod(tmp_path / "gust", strict))
    assert out.returncode == 1
    assert out.stderr.splitlines()[-1].startswith(f"boids: the mod was stopped: {SENTENCE}")


def test_what_a_mod_prints_is_no_part_of_the_answer(tmp_path: Path, flock: Path) -> None:
    folder, told = write_mod(tmp_path / "gust", FAULTY), ""
    for words in (["run", flock, "--ticks", 2, "--json"], ["explain", flock, "--entity", 1, "--json"], ["schema"]):
        out = boids(*words, "--mod", folder)
        assert json.loads(out.stdout)
        told += out.stderr
    assert "installed" in told
    assert "runs" in told


def test_a_measure_that_is_no_number_is_null_in_json_and_words_in_the_table(tmp_path: Path, flock: Path) -> None:
    python = """
import numpy as np
from sandbox.api import Measures, Phase, System

class Mood(System):
    phase = Phase.MEASURE
    adds = (Measures,)

    def run(self, world):
        world.resource(Measures).values |= {"joy": np.float32(0.5), "grief": float("nan"), "awe": np.float64("inf")}

def install(app):
    app.add_system(Mood())
"""
    folder = write_mod(tmp_path / "mood", python)
    out = boids("run", flock, "--ticks", 2, "--json", "--mod", folder)
    assert (out.returncode, out.stderr) == (0, "")
    report = json.loads(out.stdout, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert {name: report["metrics"][name] for name in ("joy", "grief", "awe")} == {
        "joy": 0.5,
        "grief": None,
        "awe": None,
    }
    table = boids("run", flock, "--ticks", 2, "--mod", folder, "--metrics", tmp_path / "m.csv").stdout
    assert [table.count(f"{name:<20}"[:6]) for name in ("grief", "awe")] == [1, 1]
    none = {line.split()[0] for line in table.splitlines() if "no number (infinite or undefined)" in line}
    assert none == {"grief", "awe", "mean_energy", "anisotropy.9", "anisotropy.10"}  # of nine boids, without energy
    rows = list(csv.DictReader((tmp_path / "m.csv").open()))
    assert [(row["joy"], row["grief"], row["awe"]) for row in rows] == [("0.5", "", "")] * 2


def test_what_nobody_measures_any_more_is_empty_in_the_table_of_measures(tmp_path: Path, flock: Path) -> None:
    python = """
from sandbox.api import Measures, Phase, System

class Mood(System):
    phase = Phase.MEASURE
    adds = (Measures,)

    def run(self, world):
        world.resource(Measures).values["joy"] = 1 / (world.tick < 2)

def install(app):
    app.add_system(Mood)
"""
    out = boids(
        "run", flock, "--ticks", 4, "--mod", write_mod(tmp_path / "mood", python), "--metrics", tmp_path / "m.csv"
    )
    assert out.returncode == 1
    rows = list(csv.DictReader((tmp_path / "m.csv").open()))
    assert [row["joy"] for row in rows] == ["1.0", "", "", ""]
    assert not any(name.startswith("entities.") for name in rows[0])


COMMANDS = (
    *("run SCENE", "explain SCENE --entity 1", "check SCENE", "systems SCENE", "scenes", "schema"),
    *("replay RECORDING", "diff RECORDING RECORDING"),
)


@pytest.mark.parametrize("words", COMMANDS)
def test_where_a_named_mod_cannot_be_loaded_a_command_fails(tmp_path: Path, flock: Path, words: str) -> None:
    files = {"SCENE": flock, "RECORDING": tmp_path / "flock.boids"}
    if "RECORDING" in words:
        assert boids("run", flock, "--ticks", 2, "--record", files["RECORDING"]).returncode == 0
    folder = write_mod(tmp_path / "gust", "1 / 0\n")
    out = boids(*(files.get(word, word) for word in words.split()), "--mod", folder)
    assert out.returncode == 1
    assert "boids: mod gust is not on: gust: gust.py:1: ZeroDivisionError" in out.stderr


def test_run_without_a_mod_that_is_enabled_tells_it_and_fails(mod, tmp_path: Path, flock: Path) -> None:
    write_mod(tmp_path / "mods" / "gust")
    mod("enable", "gust")
    (tmp_path / "mods" / "gust" / "gust.py").write_text("1 / 0\n")
    out = boids("run", flock, "--ticks", 1, "--json", cwd=tmp_path)
    assert out.returncode == 1
    assert json.loads(out.stdout)["faults"] == ["mod gust is not on: its files have changed since it was enabled"]
    with pytest.warns(sandbox.SandboxWarning, match="mod gust is not on"):
        sandbox.load(flock).close()


def test_python_is_warned_of_a_mod_that_is_stopped_and_of_a_command_that_is_refused(
    tmp_path: Path, flock: Path
) -> None:
    with sandbox.load(flock, mods=[write_mod(tmp_path / "gust", FAULTY)]) as simulation:
        with pytest.warns(sandbox.SandboxWarning, match="the mod was stopped: gust: gust.py:15") as told:
            simulation.step(9)
        assert told[0].filename == __file__
        simulation.submit(RenamePrefab("boid", "bird"))
        simulation.submit(Spawn(Entry("boid")))
        with pytest.warns(sandbox.SandboxWarning, match="no prefab 'boid'"):
            simulation.step()


def test_an_interrupted_command_names_the_mod_that_ran(tmp_path: Path, flock: Path) -> None:
    twice = "[signal.raise_signal(2) for _ in range(2)]"  # the first waits for the end of the tick
    interrupted = FAULTY.replace('print("runs")', twice).replace("\n", "import signal\n", 1)
    folder = write_mod(tmp_path / "gust", interrupted)
    for words in (["run", flock, "--mod", folder], ["mod", "check", folder]):
        out = boids(*words)
        assert out.returncode == 130
        assert out.stderr.endswith("boids: interrupted in the mod gust: gust.py:13 (system gusts, tick 0)\n")


@pytest.mark.parametrize("error", ["asyncio.CancelledError", "GeneratorExit"])
@pytest.mark.parametrize("code", ["raise {}", "def install(app):\n    raise {}"])
def test_no_exception_at_import_or_install_ends_the_program(tmp_path: Path, flock: Path, code: str, error: str) -> None:
    folder = write_mod(tmp_path / "gust", f"import asyncio\n{code.format(error)}\n")
    out = boids("run", flock, "--mod", folder)
    assert (out.returncode, out.stderr[:27]) == (1, "boids: mod gust is not on: ")


def test_a_mod_beside_a_scene_elsewhere_is_enabled_as_the_message_says(mod, tmp_path: Path) -> None:
    for place in ("one", "other two"):
        write_mod(tmp_path / place / "mods" / "gust", f"{EMPTY}\n# {place}\n")
        scene = tmp_path / place / "scene.toml"
        scene.write_text(FLOCK + '[mods]\nrequired = ["gust"]\n')
        refused = boids("check", scene, cwd=tmp_path)
        assert refused.returncode == 1
        advice = re.search(r"`boids mod (enable .*?)`", refused.stdout)
        assert advice
        assert "gust is on" in mod(*shlex.split(advice.group(1))).stdout
    for place in ("one", "other two"):
        assert boids("check", tmp_path / place / "scene.toml", cwd=tmp_path).returncode == 0


def test_a_folder_that_no_scene_finds_says_how_it_would_be_found(mod, tmp_path: Path) -> None:
    write_mod(tmp_path / "gust")
    out = mod("enable", "gust")
    assert (out.returncode, out.stderr) == (
        1,
        "boids: gust is enabled, but not on: no scene finds it there: put it into a folder `mods`, or name it with "
        "--mod\n",
    )
