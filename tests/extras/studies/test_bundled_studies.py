"""The studies that come with the program can be run, and so can one of each scene that `boids study new` prints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.extras.studies.design import points_of
from sandbox.extras.studies.files import find_study
from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.run import run_one
from sandbox.extras.studies.template import template
from sandbox.mods.load.library import own_library
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.scenes.bundled import bundled_folder, bundled_scenes
from sandbox.scenes.reader import read_scene
from tests.command_line import ROOT, boids
from tests.mods import write_mod

STUDIES = sorted(path.stem for path in (bundled_folder() / "studies").glob("*.toml"))


def test_there_are_three() -> None:
    assert STUDIES == ["order-against-noise", "safety-in-numbers", "wolves-and-sheep"]


@pytest.mark.parametrize("name", STUDIES)
def test_a_bundled_study_is_found_by_its_name_and_its_first_and_last_points_run(name: str) -> None:
    study, scene = read_study(find_study(name), own_library([ROOT / "mods" / "vicsek"]))
    points = list(points_of(study))
    short = replace(study, ticks=study.every, after=0)
    for run in (0, len(points) - 1):
        result = run_one(short, scene, run, points[run], study.seed_of(run, len(points)))
        assert (result.ended, result.why, result.ticks) == ("ticks", "", short.ticks)


def test_a_study_that_needs_a_mod_says_how_to_have_it() -> None:
    assert "`boids mod enable vicsek`" in boids("study", "check", "order-against-noise").stderr


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("wolves-and-shep", "there is no study 'wolves-and-shep': did you mean 'wolves-and-sheep'?"),
        ("zebra", f"there is no study 'zebra': there are {', '.join(STUDIES)}"),
        ("zebra.toml", "there is no file 'zebra.toml'"),
    ],
)
def test_a_study_that_is_not_there_is_told_with_the_nearest(name: str, told: str) -> None:
    ran = boids("study", "check", name)
    assert (ran.returncode, ran.stderr) == (1, f"boids: {told}\n")


@pytest.mark.parametrize("path", bundled_scenes(), ids=lambda path: path.stem)
def test_a_new_study_of_each_scene_is_good(path: Path, tmp_path: Path) -> None:
    text = template(path.stem, read_scene(path, NO_MODS))
    (tmp_path / "new.toml").write_text(text)
    study, _ = read_study(tmp_path / "new.toml", NO_MODS)
    assert 1 <= len(study.vary) <= 2


MODS = {"vicsek": "vicsek", "couzin": "couzin-torus", "evolution": "evolution", "magnet": "magnets"}
OF_MODS = {
    "vicsek": (["vicsek.Vicsek.radius", "vicsek.Vicsek.noise"], "vicsek_polarization"),
    "couzin": (["couzin.Couzin.repulsion", "couzin.Couzin.orientation"], "couzin_polarization"),
    "evolution": (["forager.Perception.radius", "forager.Motion.max_speed"], "top_speed_mean"),
    "magnet": (["magnet.Magnet.strength", "magnet.Magnet.radius"], "population.boid"),
}


@pytest.mark.parametrize("mod", MODS)
def test_a_new_study_of_a_mods_scene_varies_and_measures_what_is_the_mods(mod: str, tmp_path: Path) -> None:
    mods, scene = own_library([ROOT / "mods" / mod]), ROOT / "mods" / mod / "scenes" / f"{MODS[mod]}.toml"
    mods.look(scene)
    (tmp_path / "new.toml").write_text(template(str(scene), read_scene(scene, mods)))
    study, _ = read_study(tmp_path / "new.toml", mods)
    assert ([*study.vary], study.columns[0]) == OF_MODS[mod]


def test_what_can_be_measured_is_listed_with_the_measures_of_mods() -> None:
    vicsek = ROOT / "mods" / "vicsek"
    lines = boids("measures", vicsek / "scenes" / "vicsek.toml", "--mod", vicsek, COLUMNS="200").stdout.splitlines()
    rows = {line.split()[0]: line for line in lines[3:] if line.strip()}
    assert "Polarization of entities with Vicsek" in rows["vicsek_polarization"]
    assert "how many live of vicsek" in rows["population.vicsek"]
    assert rows.keys() >= {"polarization", "nearest_neighbour", "births"}


MOOD = """
from sandbox.api import Measures, Phase, System

class Mood(System):
    phase = Phase.MEASURE
    adds = (Measures,)

    def run(self, world):
        world.resource(Measures).values["joy"] = float("nan")

def install(app):
    app.add_system(Mood)
"""


def test_a_measure_that_nobody_counts_for_is_told_before_the_study_runs(tmp_path: Path) -> None:
    mod, study = write_mod(tmp_path / "mood", MOOD), tmp_path / "study.toml"
    (tmp_path / "s.toml").write_text("format = 1\n[[spawn]]\nprefab = 'boid'\n")
    study.write_text("format = 1\nscene = 's.toml'\nticks = 4\n[measure]\nevery = 2\ncolumns = ['entities', 'joy']\n")
    ran = boids("study", "check", study, "--mod", mod)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.splitlines()[-1] == (
        f"boids: {study}: measure.columns: joy is no number in any of 1 runs that were tried: "
        "nobody counts for it; boids measures s.toml lists what can be measured"
    )


def test_the_page_begins_with_what_is_printed() -> None:
    printed = boids("study", "new", "hunters").stdout
    assert f"```toml\n{printed}```" in (ROOT / "docs" / "studies.md").read_text("utf-8")
