"""Study files: every mistake is told with its line, column and what would be right, before anything runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.study import Levels, Study
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.opening import other_than_a_world
from sandbox.toml.mistakes import SceneError
from tests.command_line import boids
from tests.extras.studies.small import small_study
from tests.mods import write_mod
from tests.mutants import few_or_many, refuse_all_but_mistakes

GOOD = """
format = 1
scene = "hunters"
ticks = 600
seeds = 2

[vary]
"hunter.Predator.strength" = [9, 18]
"prey.Perception.radius" = { from = 20, to = 80, steps = 4 }
"spawn.prey.count" = [20, 40]
"world.width" = [800, 900]
flocking = [true, false]

[measure]
every = 60
columns = ["population.prey", "polarization"]
summary = { "population.prey" = ["mean", "last"], polarization = ["sd"] }
after = 120
stop = "population.prey == 0"
"""
LIST = re.sub(
    r"\[vary\][^[]*\[9, 18\].*?\[measure\]", '[design]\nkind = "list"\nfile = "p.csv"\n[measure]', GOOD, flags=re.S
)


def read(folder: Path, text: str) -> Study:
    path = folder / "s.toml"
    path.write_text(text)
    return read_study(path, NO_MODS)[0]


def mistakes(folder: Path, text: str) -> list[str]:
    """The first line of each mistake, from its line number on."""
    with pytest.raises(SceneError) as caught:
        read(folder, text)
    return [line.split("s.toml:")[1] for line in str(caught.value).splitlines() if "s.toml:" in line]


def test_a_file_is_read_as_it_says(tmp_path: Path) -> None:
    study = read(tmp_path, GOOD)
    assert (study.ticks, study.seeds, study.every, study.after) == (600, 2, 60, 120)
    assert study.vary["hunter.Predator.strength"] == Levels((9, 18))
    assert study.vary["prey.Perception.radius"] == Levels((20, 40, 60, 80), 20, 80, True)
    assert study.vary["flocking"] == Levels((True, False))
    assert study.columns == ("population.prey", "polarization")
    assert study.summaries == (("population.prey", "mean"), ("population.prey", "last"), ("polarization", "sd"))
    assert str(study.stop) == "population.prey == 0"


def test_keys_may_stand_in_tables(tmp_path: Path) -> None:
    in_tables = GOOD.replace('"hunter.Predator.strength" =', "hunter.Predator.strength =")
    assert read(tmp_path, in_tables).identity == read(tmp_path, GOOD).identity


WRONG = [  # what is replaced, by what, where, and the words
    ("format = 1", "format = 2", "2:1", "format = 2: must be 1"),
    ("ticks = 600", "tick = 600", "4:1", 'unknown key; did you mean "ticks"?'),
    ("ticks = 600", "ticks = 0", "4:1", "must be 1 to 1,000,000,000"),
    ("ticks = 600", "ticks = 59", "15:1", "nothing would be measured in 59 ticks"),
    ("ticks = 600", "ticks = 120", "18:1", "nothing that is measured would be in the summary"),
    ("after = 120", "after = 120\nuntil = 150", "19:1", "nothing that is measured would be in the summary"),
    ('"hunters"', '"huntres"', "3:1", "there is no scene 'huntres': did you mean 'hunters'?"),
    ("seeds = 2", "seeds = []", "5:1", "must be a whole number, or a list of seeds"),
    ("seeds = 2", "seeds = [4, 4]", "5:1", "has a seed twice"),
    ("seeds = 2", "seeds = [4, -1]", "5:13", "must be 0 to"),
    ("seeds = 2", "seeds = 1.5", "5:1", "must be a whole number"),
    ("seeds = 2", "seeds = 1_000_000", "1:1", "has 64,000,000 runs, and may have 10,000,000"),
    ("hunter.Predator", "huntr.Predator", "8:1", "there is no prefab 'huntr'; did you mean 'hunter'?"),
    ("hunter.Predator", "wolf.Predator", "8:1", "nobody in the scene is a wolf"),
    ("Predator.strength", "Predator.strenth", "8:1", "did you mean 'Predator.strength'?"),
    ("[9, 18]", "[9, -18]", "8:34", "must be 0 to"),
    ("[9, 18]", "[9, [18]]", "8:34", "must be a number, a text, true or false"),
    ("[9, 18]", "[9, 9]", "8:1", "must be 1 to 10,000 values, each once"),
    ("[9, 18]", "[]", "8:1", "must be 1 to 10,000 values, each once"),
    ("[9, 18]", "9", "8:1", "must be a list of values, or { from = 20, to = 80, steps = 7 }"),
    ("[9, 18]", "{}", "8:1", "must be a list of values, or { from = 20, to = 80, steps = 7 }"),
    ("from = 20, to = 80", "from = 80, to = 20", "9:41", "must be above from, 80"),
    ("from = 20, to = 80", "to = 80", "9:1", "must have from"),
    ("to = 80, steps = 4", "to = 80, stesp = 4", "9:50", 'unknown key; did you mean "steps"?'),
    ("to = 80, steps = 4", "to = 80", "9:1", "a grid needs steps"),
    ("steps = 4", "steps = 1", "9:50", "must be 2 to 10,000"),
    ("spawn.prey.count", "spawn.pray.count", "10:1", "the scene spawns none: it spawns hunter, prey"),
    ("spawn.prey.count", "spawn.hunter.count", "10:1", "must have one: write one with a count, without at"),
    ("spawn.prey.count", "spawn.prey", "10:1", "must be spawn.PREFAB.count"),
    ("[20, 40]", "[20, -1]", "10:27", "must be a whole number, 0 to 2,000,000"),
    ("world.width", "world.widht", "11:1", "did you mean 'world.width'?"),
    ("flocking =", "floking =", "12:1", "there is no system 'floking'; did you mean 'flocking'?"),
    ("flocking =", "[vary.prey.Perception]\nradius = [1]\n[vary.x]\ny =", "13:1", "is given twice"),
    ("[vary]", "[[vary]]", "7:3", "must be a table"),
    ("[measure]", '[design]\nkind = "gird"\n[measure]', "15:1", 'unknown design; did you mean "grid"?'),
    ("[measure]", '[design]\nkind = "grid"\nsamples = 4\n[measure]', "16:1", "is for latin and sobol"),
    ("[measure]", '[design]\nkind = "sobol"\nfile = "p.csv"\n[measure]', "16:1", "is for list"),
    ("[measure]", '[design]\nkind = "list"\nfile = "p.csv"\n[measure]', "7:2", "leave this out"),
    ("[measure]", '[design]\nkind = "list"\nfile = "../p.csv"\n[measure]', "16:1", 'write file = "p.csv"'),
    (
        "[measure]",
        '[design]\nkind = "list"\nfile = "/etc/p.csv"\n[measure]',
        "16:1",
        "must lie in the folder of this file",
    ),
    ('scene = "hunters"', "scene = '\\\\host\\share\\a.toml'", "3:1", "must be a file of this computer"),
    ('scene = "hunters"', "scene = '//host/share/a.toml'", "3:1", "must be a file of this computer"),
    ("[measure]", "[measur]", "14:2", 'unknown key; did you mean "measure"?'),
    ("every = 60", "every = 601", "15:1", "nothing would be measured in 600 ticks"),
    ('"polarization"]', '"polarisation"]', "16:31", "there is no measure 'polarisation'; did you mean 'polarization'?"),
    ('columns = ["population.prey", "polarization"]', "columns = []", "16:1", "must name a measure"),
    ('{ "population.prey" =', '{ "population.pray" =', "17:13", "not among the columns; did you mean"),
    ('{ "population.prey" =', "{ population.prey =", "17:13", "a name with a dot stands in quotes"),
    ('["sd"]', '["std"]', "17:67", 'unknown statistic; did you mean "sd"?'),
    ('["sd"]', '"sd"', "17:51", "must be a list: mean, sd, min, max, first, last"),
    ("population.prey == 0", "population.prey = 0", "19:1", "must be a measure, one of == != <= >= < > and a number"),
    ("population.prey == 0", "population.pray == 0", "19:1", "did you mean 'population.prey'?"),
    ("population.prey == 0", "population.prey == none", "19:1", "and a number"),
]


@pytest.mark.parametrize(("right", "wrong", "where", "words"), WRONG, ids=[f"{w} {s[:30]}" for _, _, w, s in WRONG])
def test_a_mistake_is_told_with_its_place_and_the_way_out(
    tmp_path: Path, right: str, wrong: str, where: str, words: str
) -> None:
    assert right in GOOD
    told = mistakes(tmp_path, GOOD.replace(right, wrong, 1))
    assert any(line.startswith(f"{where}: ") and words in line for line in told), told


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    text = GOOD
    for right, wrong in (("Predator.str", "Predator.st"), ("flocking", "floking"), ("polari", "pola"), ('["sd"]', "3")):
        text = text.replace(right, wrong, 1)
    assert [line.partition(":")[0] for line in mistakes(tmp_path, text)] == ["8", "12", "16", "17"]


@pytest.mark.parametrize("design", ["latin", "sobol"])
def test_a_drawn_design_needs_something_to_draw(tmp_path: Path, design: str) -> None:
    text = re.sub(r"\[vary\].*\[measure\]", f'[design]\nkind = "{design}"\n[measure]', GOOD, flags=re.S)
    assert mistakes(tmp_path, text) == [f"8:1: design.kind: {design} draws values of what is varied: [vary] is empty"]


def test_a_list_is_read_as_toml_writes_values(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(
        "hunter.Predator.strength, flocking, world.edges\n\n9,true,bounce\n18.5, false ,wrap\n"
    )
    study = read(tmp_path, LIST)
    assert [dict(point) for point in study.points] == [
        {"hunter.Predator.strength": 9, "flocking": True, "world.edges": "bounce"},
        {"hunter.Predator.strength": 18.5, "flocking": False, "world.edges": "wrap"},
    ]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (None, "p.csv: can't be read: no such file"),
        ("", "p.csv:1: must have a line of keys, and a line for each point"),
        ("flocking\n", "p.csv:1: must have a line of keys, and a line for each point"),
        ("flocking, flocking\ntrue,true\n", "p.csv:1: must name each key once"),
        ("flocking\n\ntrue\ntrue,false\n", "p.csv:4: has 2 values, and must have 1"),
        ("flocking\n\ntrue\nmaybe\n", "p.csv:4: flocking = 'maybe': must be true or false"),
        ("flokking\ntrue\n", "p.csv:2: there is no system 'flokking'; did you mean 'flocking'?"),
        (b"flocking\n\xff\n", "p.csv: must be text in UTF-8"),
        ("flocking\n" + "x" * 200_000, "p.csv:2: field larger than field limit"),
    ],
)
def test_a_mistake_in_a_list_is_told_with_its_file_and_line(
    tmp_path: Path, table: str | bytes | None, words: str
) -> None:
    if table is not None:
        (tmp_path / "p.csv").write_bytes(table if isinstance(table, bytes) else table.encode())
    (told,) = mistakes(tmp_path, LIST)
    assert told.startswith("9:1: design.file: ")
    assert words in told


def test_a_list_without_a_file_is_told(tmp_path: Path) -> None:
    assert 'a list needs a file: file = "points.csv"' in mistakes(tmp_path, LIST.replace('file = "p.csv"\n', ""))[0]


def test_a_scene_beside_the_study_is_meant_before_one_that_comes_with_the_program(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('format = 1\nname = "Own"\n[[spawn]]\nprefab = "boid"\ncount = 3\n')
    text = 'format = 1\nscene = "own.toml"\nticks = 60\n[measure]\ncolumns = ["population.boid"]\n'
    assert 'name = "Own"' in read(tmp_path, text).scene


def test_mistakes_in_the_scene_are_those_of_the_scene(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("format = 1\nnmae = 3\n")
    text = 'format = 1\nscene = "own.toml"\nticks = 60\n[measure]\ncolumns = ["population.boid"]\n'
    with pytest.raises(SceneError, match=r"own\.toml:2:1"):
        read(tmp_path, text)


def test_all_that_is_written_wrongly_is_told_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("seeds = 2", 'seeds = "two"').replace("every = 60", "every = 0").replace("[9, 18]", "9")
    assert [told.split(" = ")[0] for told in mistakes(tmp_path, text)] == [
        "5:1: seeds",
        "8:1: vary.hunter.Predator.strength",
        "15:1: measure.every",
    ]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("hunted.toml", GOOD, "is a study: boids study run "),
        ("done/study.toml", "", "is the folder of a study: boids study play "),
    ],
)
def test_what_opens_worlds_says_what_opens_a_study(tmp_path: Path, name: str, content: str, told: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    found = path if path.parent == tmp_path else path.parent
    assert other_than_a_world(found).startswith(f"{found}: {told}")


def test_a_mod_that_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    out = boids("study", "check", small_study(tmp_path), "--mod", write_mod(tmp_path / "gust", "1 / 0\n"))
    assert out.returncode == 1
    assert "boids: mod gust is not on: gust: gust.py:1: ZeroDivisionError" in out.stderr


@few_or_many
def test_a_mutant_is_read_or_its_mistakes_are_told(count: int, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("flocking\ntrue\n")
    refuse_all_but_mistakes(
        lambda path: read_study(path, NO_MODS), [GOOD.encode(), LIST.encode()], count, tmp_path / "s.toml"
    )
