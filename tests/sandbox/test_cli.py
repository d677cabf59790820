"""The command line as a person types it."""

from __future__ import annotations

import csv
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
import typer

import sandbox
from sandbox.cli.commands import app
from sandbox.files.png import with_recording
from sandbox.terminal import show_table
from tests.command_line import ROOT, boids, boids_alone
from tests.recordings import members_of, zipped

SCENE = """
format = 1
name = "Small"
seed = 4

[world]
size = [400, 300]

[[spawn]]
prefab = "boid"
count = 40
"""


SAME = "They are the same in all ticks that both have: 0 to {last}.\n"


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SCENE)
    return path


def test_run_prints_one_object_with_all_that_happened(scene: Path) -> None:
    out = boids("run", scene, "--ticks", 20, "--seed", 9, "--json")
    assert out.returncode == 0, out.stderr
    report = json.loads(out.stdout)
    assert report["scene"] == "Small"
    assert (report["seed"], report["ticks"]) == (9, 20)
    assert report["metrics"]["population.boid"] == report["metrics"]["entities"] == 40
    assert report["ticks_per_second"] > 0
    assert {"flocking", "movement", "wrap"} <= set(report["ms_per_system"])
    assert 0 <= report["metrics"]["polarization"] <= 1
    assert len(report["digest"]) == 64


def test_the_same_run_has_the_same_digest_and_another_seed_another(scene: Path) -> None:
    digests = [
        json.loads(boids("run", scene, "--ticks", 50, "--seed", seed, "--json").stdout)["digest"] for seed in (1, 1, 2)
    ]
    assert digests[0] == digests[1] != digests[2]


def test_a_saved_run_goes_on_where_it_stopped(scene: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.boids"
    assert boids("run", scene, "--ticks", 30, "--save", half).returncode == 0
    resumed = json.loads(boids("run", half, "--ticks", 30, "--json").stdout)
    whole = json.loads(boids("run", scene, "--ticks", 60, "--json").stdout)
    assert resumed["digest"] == whole["digest"]


def test_metrics_are_written_a_row_a_tick(scene: Path, tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    boids("run", scene, "--ticks", 5, "--metrics", path)
    rows = list(csv.DictReader(path.open()))
    assert [row["tick"] for row in rows] == ["1", "2", "3", "4", "5"]
    assert all(float(row["entities"]) == 40 for row in rows)
    assert all(math.isfinite(float(row[name])) for row in rows for name in ("births", "food", "flocks"))
    assert [name for name in rows[0] if name.startswith("population.")] == ["population.boid"]  # nobody is a wolf


def test_a_picture_of_the_end_is_drawn(scene: Path, tmp_path: Path) -> None:
    path = tmp_path / "end.png"
    out = boids("run", scene, "--ticks", 5, "--picture", path, DISPLAY="")
    assert out.returncode == 0, out.stderr
    assert path.read_bytes().startswith(b"\x89PNG")


def test_fields_parameters_and_systems_are_set(scene: Path) -> None:
    still = boids("run", scene, "--set", "movement=false", "--ticks", 9, "--json")
    free = boids("run", scene, "--ticks", 0, "--json")
    speed = json.loads(free.stdout)["metrics"]["mean_speed"]
    assert json.loads(still.stdout)["metrics"]["mean_speed"] == pytest.approx(speed)
    slow = boids("run", scene, "--set", "Motion.min_speed=10", "--set", "Motion.max_speed=20", "--ticks", 9, "--json")
    assert json.loads(slow.stdout)["metrics"]["mean_speed"] <= 20.001


def test_the_command_line_sets_what_a_script_sets_in_the_same_words(scene: Path) -> None:
    words = {"boid.Perception.radius": 80, "Look.colour": "#ff0000", "world.edges": "open", "world.size": [500, 400]}
    words |= {"commit.reorder_every": 30, "flocking": False}
    typed = [word for key, value in words.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    out = boids("run", scene, *typed, "--set", "Look.shape=bird", "--ticks", 3, "--json")
    with sandbox.load(scene) as sim:
        for key, value in words.items():
            sim.set(key, value)
        sim.set("Look.shape", "bird")
        sim.step(3)
        assert json.loads(out.stdout)["digest"] == sim.digest()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rum"], "did you mean boids run?"),
        (["run", "small", "--tick", "3"], "--ticks"),
        (["run", "murmurations"], "murmuration"),
        (["run", "small.toml", "--set", "Flocker.cohesion_strenght=9"], "Flocker.cohesion_strength"),
        (["run", "small.toml", "--set", "Flocker.cohesion_strength=-9"], "must be 0 to"),
        (["run", "small.toml", "--set", "Flocker.cohesion_strength"], "KEY=VALUE"),
        (["run", "small.toml", "--set", "flockin=false"], "flocking"),
        (["run", "small.toml", "--set", "flocking=9"], "true or false"),
        (["run", "small.toml", "--set", "boyd.Look.size=9"], "did you mean 'boid'"),
        (["run", "small.toml", "--set", "world.edges=wrop"], "did you mean 'wrap'"),
        (["explain", "small.toml", "--entity", "4000"], "there is no entity 4000"),
        (["run", "small.toml", "--ticks", "-1"], "--ticks"),
        (["run", "small.toml", "--depth", "0.5"], "--depth"),
        (["run", "small.toml", "--save", "no/such/folder/x.boids"], "no/such/folder"),
        (["run", "nowhere.toml"], "nowhere.toml"),
        (["run", "."], "."),
        (["run", "small.toml", "--set", "spatial_hash=false"], "can't be disabled"),
        (["run", "small.toml", "--ticks", "100000000", "--save", "no/such/folder/x.boids"], "there is no folder"),
        (["run", "small.toml", "--save", "small.toml"], "small.toml: a snapshot is a .boids"),
        (["run", "small.toml", "--metrics", "small.toml"], "small.toml: a table of measures is a .csv"),
        (["run", "small.toml", "--ticks", "100000000", "--metrics", "."], "it is a folder"),
    ],
)
def test_a_mistake_ends_in_a_sentence(scene: Path, words: list[str], said: str) -> None:
    out = boids(*words, cwd=scene.parent)
    assert out.returncode in (1, 2)
    assert said in out.stderr
    assert "Traceback" not in out.stderr + out.stdout


def test_check_lists_the_mistakes_of_all_files(scene: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(SCENE.replace("count = 40", "cuont = 40").replace("[400, 300]", "[400, -3]"))
    out = boids("check", scene, bad)
    assert out.returncode == 1
    assert f"{bad}:11:1:" in out.stdout
    assert 'did you mean "count"' in out.stdout
    assert f"{bad}:7:" in out.stdout
    assert boids("check", scene).returncode == 0
    out = boids("check", "murmuratoin", scene.parent)
    assert out.returncode == 1
    assert "did you mean 'murmuration'?" in out.stdout
    assert "is a folder, no scene" in out.stdout
    state, recording = tmp_path / "end.boids", tmp_path / "all.boids"
    boids("run", scene, "--ticks", 2, "--save", state, "--record", recording)
    told = [f"{path}: is not a scene file: boids play opens it" for path in (state, recording)]
    assert boids("check", state, recording).stdout.splitlines() == told
    scene.write_text(SCENE + '[pictures.map]\nfile = "map.png"\n')
    out = boids("check", scene)
    assert (out.returncode, out.stdout) == (1, f"{scene}: map.png: there is no such picture\n")


@pytest.mark.parametrize("depth", [[], ["--depth", 300]])
def test_explain_gives_the_numbers_as_json(scene: Path, depth: list[str | int]) -> None:
    why = json.loads(boids("explain", scene, "--entity", 7, "--ticks", 30, "--json", *depth).stdout)
    axes = 3 if depth else 2
    assert why["serial"] == 7
    assert why["neighbours"] == sorted(why["neighbours"])
    assert set(why["rules"]) >= {"separation", "alignment", "cohesion", "containment"}
    assert {len(vector) for vector in (why["position"], why["velocity"], *why["rules"].values())} == {axes}
    for axis in range(axes):
        assert sum(rule[axis] for rule in why["rules"].values()) == pytest.approx(why["acceleration"][axis], abs=1e-2)


def test_a_list_in_a_file_breaks_no_words() -> None:
    lines = boids_alone("systems", COLUMNS="").stdout.splitlines()
    assert any("Position.x, Position.y, Position.z, Velocity, Perception, Flocker, Settings" in line for line in lines)


def test_scenes_systems_and_schema_are_listed() -> None:
    listed = boids("scenes").stdout
    assert re.search(r"murmuration +3,001 +Three thousand", listed)
    assert re.search(r"krill +100,005 +yes +A hundred", listed)
    order = boids("systems").stdout
    assert order.index("spatial_hash") < order.index("flocking") < order.index("movement") < order.index("wrap")
    assert json.loads(boids("schema").stdout)["type"] == "object"


def test_bench_measures_the_standard_flock() -> None:
    for extra in ((), ("--rich",), ("--depth",)):
        result = json.loads(boids("bench", "--boids", 2000, "--ticks", 5, "--json", *extra).stdout)
        assert result["boids"] == 2000
        assert result["ms_per_tick"] > 0
        assert result["neighbours"] > 1
        assert result["yardstick"] > 0


def test_bench_says_how_the_same_rules_in_c_compare_and_does_without_a_compiler() -> None:
    words = ("bench", "--boids", 500, "--ticks", 3)
    shown = boids(*words, "--depth").stdout.splitlines()
    ours, _, theirs, ratio = map(float, re.findall(r"\d+\.\d+", " ".join(shown[:2])))
    assert math.isclose(ratio, ours / theirs, abs_tol=0.01 + 0.02 * ratio)
    alone = boids_alone(*words, "--json", PATH="/nowhere")
    assert json.loads(alone.stdout)["yardstick"] is None
    assert "there is no C compiler" in alone.stderr


def test_bench_measures_a_scene_with_its_mods() -> None:
    mod = ROOT / "mods" / "magnet"
    words = ("bench", mod / "scenes" / "magnets.toml", "--mod", mod, "--ticks", 3)
    made = boids(*words, "--json")
    result = json.loads(made.stdout)
    assert made.returncode == 0
    with sandbox.load(mod / "scenes" / "magnets.toml", mods=[mod]) as sim:
        sim.step(103)
        assert (result["scene"], result["entities"]) == (sim.scene.name, len(sim.serials))
    assert result["ms_per_tick"] > result["ms_per_system"]["magnetism"] > 0
    assert boids(*words).stdout.startswith(f"{result['scene']}, {result['entities']} entities: ")


def test_bench_refuses_what_does_not_go_with_a_scene() -> None:
    assert boids("bench", "ronan", "--rich").stderr == (
        "boids: --rich: is of the standard flock: leave out --rich, or the scene\n"
    )
    assert boids("bench", "--mod", ROOT / "mods" / "magnet").stderr == (
        "boids: --mod: the standard flock runs without mods: name a scene, too\n"
    )
    assert boids("bench", "ronam").stderr == "boids: there is no scene 'ronam': did you mean 'ronan'?\n"


def test_bench_measures_the_window() -> None:
    words = ("bench", "--window", "--boids", 300, "--ticks", 10, "--json")
    result = json.loads(boids_alone(*words, DISPLAY="", WAYLAND_DISPLAY="").stdout)
    assert 0 < result["draw"] < result["drawn_after"]
    assert result["panels_anew"] > result["panels"] / 2  # of those, many are drawn as they were
    assert result["ticks_to_answer"] <= 1
    assert [*result["answers"]] == ["zoom", "pan", "resize", "menu"]
    assert all(0 < usual <= late for usual, late in result["answers"].values())


def test_without_a_display_a_picture_is_drawn_where_one_says_and_else_nowhere(scene: Path) -> None:
    def without_a_display(*words: object) -> subprocess.CompletedProcess[str]:
        return boids_alone(*words, cwd=scene.parent, DISPLAY="", WAYLAND_DISPLAY="")

    for words in ((), ("play",)):
        refused = without_a_display(*words)
        sentence = "there is no display for a window: boids run murmuration --picture FILE draws a picture"
        assert (refused.returncode, refused.stderr) == (1, f"boids: {sentence}\n")
    assert [*scene.parent.iterdir()] == [scene]
    out = without_a_display("play", scene, "--picture", "end.png")
    assert out.returncode == 0, out.stderr
    assert "no display" in out.stdout
    assert str(scene.parent / "end.png") in out.stdout
    assert (scene.parent / "end.png").read_bytes().startswith(b"\x89PNG")


def test_a_scene_in_the_place_of_a_command_is_told_how_to_open_it(scene: Path) -> None:
    for name in ("hunters", scene):
        assert boids(name).stderr == f"boids: {name}: is not a command: boids play {name} opens it\n"
    for name, near in (("huntrs", "boids play hunters"), ("scene", "boids scenes"), ("rum", "boids run")):
        assert boids(name).stderr == f"boids: {name}: is not a command: did you mean {near}?\n"
    assert boids("zzqq").stderr == "boids: zzqq: is not a command: see boids --help\n"


def test_a_console_that_lacks_a_character_shows_another(scene: Path) -> None:
    scene.write_text(SCENE.replace("Small", "鳥"))
    out = boids_alone("run", scene, "--ticks", 1, PYTHONIOENCODING="cp1252")
    assert out.returncode == 0, out.stderr
    assert "digest" in out.stdout


def test_a_pipe_that_closes_early_is_no_error(scene: Path) -> None:
    code = f"{sys.executable} -m sandbox.cli.main schema | head -1"
    out = subprocess.run(code, shell=True, capture_output=True, text=True, cwd=ROOT, check=False, timeout=60)
    assert "Traceback" not in out.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of its own")
def test_a_run_needs_no_stderr(scene: Path) -> None:
    command = f"{sys.executable} -m sandbox.cli.main run {scene} --ticks 1 2>&-"
    assert subprocess.run(command, shell=True, cwd=ROOT, check=False, stdout=subprocess.DEVNULL).returncode == 0


def test_checking_a_scene_says_which_named_mod_is_not_on(scene: Path, tmp_path: Path) -> None:
    out = boids("check", scene, "--mod", tmp_path / "nowhere")
    assert "mod nowhere is not on" in out.stderr


def _whole_numbers(commands: typer.Typer) -> Iterator[tuple[str, Any]]:
    """The options that take one, each with its bounds."""
    for group in commands.registered_groups:
        yield from _whole_numbers(group.typer_instance or pytest.fail("a group without commands"))
    for command in commands.registered_commands:
        assert command.callback
        for name, hint in get_type_hints(command.callback, include_extras=True).items():
            if get_origin(hint) is Annotated and int in (hint.__origin__, *get_args(hint.__origin__)):
                yield f"{command.callback.__name__} {name}", hint.__metadata__[0]


def test_every_whole_number_of_the_command_line_has_bounds() -> None:
    found = dict(_whole_numbers(app))
    assert len(found) >= 7
    assert [name for name, option in found.items() if option.min is None or option.max is None] == []


def test_a_number_larger_than_any_is_refused_where_it_is_typed(scene: Path) -> None:
    for words in (["explain", scene, "--entity"], ["run", scene, "--ticks"], ["run", scene, "--seed"]):
        out = boids(*words, 10**26)
        assert (out.returncode, out.stdout) == (2, "")
        assert f"Invalid value for '{words[-1]}'" in out.stderr
    out = boids("run", scene, "--set", f"commit.reorder_every={10**26}")
    assert out.returncode == 1
    assert out.stderr.startswith("boids: ")


def test_nothing_is_printed_that_writes_over_the_terminal(tmp_path: Path) -> None:
    for name, text in (("a\x1b[2Jb", SCENE), ("c\x1b[2Jd", "format = 9"), ("e\x9bf", SCENE)):
        (tmp_path / f"{name}.toml").write_text(text)
        (tmp_path / f"{name}.boids").write_text(text)
        for kind in ("toml", "boids", "none"):
            out = boids("check", tmp_path / f"{name}.{kind}")
            assert "\x1b" not in out.stdout + out.stderr
            assert "\x9b" not in out.stdout + out.stderr
    out = boids("systems", tmp_path / "c\x1b[2Jd.toml")
    assert "c\\x1b[2Jd.toml:1:1: " in out.stderr


ODD = "a\nb\u202ec\td"  # a name in two lines, of which the second is written from right to left
ODD_SHOWN = "a\\nb\\u202ec\\td"


def test_a_name_of_a_file_is_shown_in_one_line_in_the_order_of_its_letters(tmp_path: Path) -> None:
    for suffix, text in ((".toml", SCENE), (".boids", "no snapshot"), (".txt", "format = 9")):
        (tmp_path / f"{ODD}{suffix}").write_text(text)
    commands = (
        *(("check", tmp_path / f"{ODD}{suffix}") for suffix in (".toml", ".boids", ".txt", ".none")),
        ("run", tmp_path / f"{ODD}.toml", "--ticks", 0, "--save", tmp_path / ODD / "end.boids"),
        ("run", tmp_path / f"{ODD}.boids"),
        ("mod", "check", tmp_path / ODD),
        ("mod", "enable", tmp_path / ODD / "magnet"),
    )
    for words in commands:
        out = boids(*words)
        assert ODD_SHOWN in out.stdout + out.stderr
        assert "\u202e" not in out.stdout + out.stderr
        assert "\n" not in (out.stdout + out.stderr).split("\n    ")[0].strip()


def test_a_description_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    show_table(("what",), [("[/bold] is [red]\x1b[1m",)])
    assert "[/bold] is [red]\\x1b[1m" in capsys.readouterr().out


def test_a_terminal_of_no_columns_is_taken_for_one_that_does_not_say() -> None:
    for words in (["scenes"], ["--help"]):
        assert boids(*words, COLUMNS="0").stdout == boids(*words, COLUMNS="").stdout != ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_what_can_not_be_printed_ends_in_a_sentence(scene: Path) -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "sandbox.cli.main", "check", str(scene)]
        out = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    assert (out.returncode, out.stderr) == (1, "boids: the output can't be written: no space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
@pytest.mark.parametrize("words", [["check"], ["run"], ["explain", "--entity", 1], ["systems"]])
def test_a_pipe_or_an_impossible_name_is_refused_in_a_sentence(tmp_path: Path, words: list[Any]) -> None:
    for name in ("pipe", "pipe.toml", "pipe.boids"):
        os.mkfifo(tmp_path / name)
    for name, why in (("pipe", "device or pipe"), ("pipe.boids", "device or pipe"), ("a" * 300, "there is no scene")):
        out = boids(words[0], name, *words[1:], cwd=tmp_path)
        said = out.stdout + out.stderr
        assert out.returncode == 1
        assert why in said
        assert "Errno" not in said
        assert said.count("\n") == 1


def test_a_recorded_run_is_replayed_and_compared(scene: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one.boids", tmp_path / "other.boids"
    assert boids("run", scene, "--ticks", 30, "--record", one).returncode == 0
    assert boids("run", scene, "--ticks", 30, "--seed", 5, "--record", other).returncode == 0
    replayed = boids("replay", one, "--json")
    assert json.loads(replayed.stdout) == {"ticks": 30, "digests_checked": 1, "diverged": None}
    assert (boids("diff", one, one).stdout, boids("diff", one, one).returncode) == (SAME.format(last=30), 0)
    calm = tmp_path / "calm.boids"
    assert boids("run", scene, "--ticks", 0, "--set", "flocking=false", "--save", calm).returncode == 0
    assert boids("diff", one, calm).stdout == 'tick 0: systems.flocking: not set, and {"enabled": false}\n'
    assert boids("run", calm, "--ticks", 31, "--save", calm).returncode == 0
    assert boids("diff", one, calm).stderr == "boids: they have no tick in common: 0 to 30, and 31 to 31\n"
    differs = boids("diff", one, other, "--json")
    assert differs.returncode == 3
    assert json.loads(differs.stdout)["diverged"]["tick"] == 0
    refused = boids("run", scene, "--record", tmp_path / "one.npz")
    assert "one.npz: a recording is a .boids" in refused.stderr
    assert "is not a recording (.boids), and only recordings can be run again" in boids("replay", scene).stderr
    goes_on, whole = boids("run", one, "--ticks", 5, "--json"), boids("run", scene, "--ticks", 35, "--json")
    assert json.loads(goes_on.stdout)["digest"] == json.loads(whole.stdout)["digest"]
    shown = boids("play", "one.boids", "--picture", "one.png", cwd=tmp_path, DISPLAY="", WAYLAND_DISPLAY="").stdout
    assert "drawing one.boids at 0.5s." in shown
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of POSIX")
def test_an_answer_that_goes_into_a_file_is_there_also_beside_a_progress_bar(scene: Path, tmp_path: Path) -> None:
    one = tmp_path / "one.boids"
    assert boids("run", scene, "--ticks", 30, "--record", one).returncode == 0
    screen, stderr = os.openpty()
    command = [sys.executable, "-m", "sandbox.cli.main", "replay", one, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, cwd=ROOT, check=True)
    shown = os.read(screen, 1 << 16).decode(errors="replace")  # may end within a letter
    assert json.loads(done.stdout)["ticks"] == 30
    assert "Replaying" in shown
    assert "digests_checked" not in shown


def test_what_of_a_recording_is_compared_or_left_out_is_said(scene: Path, tmp_path: Path) -> None:
    one, short, cut = (tmp_path / f"{name}.boids" for name in ("one", "short", "cut"))
    for path, ticks in ((one, 70), (short, 30)):
        assert boids("run", scene, "--ticks", ticks, "--record", path).returncode == 0
    assert boids("diff", one, short).stdout == SAME.format(last=30)
    members, command = members_of(one.read_bytes()), b'{"tick": 20, "branch": 0, "kind": "Sing"}\n'
    head = {**json.loads(members["recording.json"]), "command_bytes": len(command)}
    members |= {"recording.json": json.dumps(head).encode(), "commands.jsonl": command}
    cut.write_bytes(zipped(members))
    assert "19 ticks again, and there was no digest to compare" in boids("replay", cut).stdout
    shown = boids("play", "cut.boids", "--picture", "cut.png", cwd=tmp_path, DISPLAY="", WAYLAND_DISPLAY="")
    assert (shown.returncode, "drawing cut.boids at 0.316667s" in shown.stdout) == (1, True)
    assert "commands.jsonl:1: kind = 'Sing'" in shown.stderr
    assert "it plays to tick 19" in shown.stderr


def test_a_picture_that_holds_a_recording_is_opened_like_one(scene: Path, tmp_path: Path) -> None:
    one, then, shot = (tmp_path / name for name in ("one.boids", "then.png", "shot.png"))
    assert boids("run", scene, "--ticks", 30, "--record", one, "--picture", then).returncode == 0
    refused = "this picture holds no recording: a screenshot of the window (F2) does"
    assert f"then.png: {refused}" in boids("replay", then).stderr
    shot.write_bytes(with_recording(then.read_bytes(), one.read_bytes()))
    assert "30 ticks again" in boids("replay", shot).stdout
    assert boids("diff", shot, one).returncode == 0
    words = ("play", shot, "--picture", tmp_path / "drawn.png")
    assert "shot.png at 0.5s." in boids(*words, DISPLAY="", WAYLAND_DISPLAY="").stdout
    assert (tmp_path / "drawn.png").read_bytes() == then.read_bytes()


def test_play_begins_where_one_says(scene: Path, tmp_path: Path) -> None:
    one = tmp_path / "one.boids"
    assert boids("run", scene, "--ticks", 120, "--record", one).returncode == 0
    pictures = []
    for ticks, at in ((0, "0s"), (60, "1s")):
        assert boids("run", scene, "--ticks", ticks, "--picture", tmp_path / "then.png").returncode == 0
        said = boids("play", one, "--at", at, "--picture", tmp_path / "one.png", DISPLAY="", WAYLAND_DISPLAY="").stdout
        assert f"one.boids at {at}" in said
        pictures.append((tmp_path / "one.png").read_bytes())
        assert pictures[-1] == (tmp_path / "then.png").read_bytes()
        (tmp_path / "one.png").unlink()
    assert pictures[0] != pictures[1]
    for at, why in (
        ("2.5s", "--at 2.5s: must be at most 2s, where it ends"),
        ("1h", "--at 1h: must be seconds, like 12.5s, or a tick, like 750"),
    ):
        words = ("play", one, "--at", at, "--picture", tmp_path / "one.png")
        assert boids(*words, DISPLAY="", WAYLAND_DISPLAY="").stderr == f"boids: {why}\n"
    said = boids("play", scene, "--at", "1s").stderr
    assert said == f"boids: --at 1s: {scene} has no past: only recordings (.boids) have one\n"
