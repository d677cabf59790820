"""Mods in worlds with depth: those whose systems run in them say so, and others are left out with a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sandbox
from sandbox import SandboxWarning
from sandbox.design.scene import Entry
from sandbox.edit import SetSetting, Spawn, Undo
from sandbox.files.container import RecordingError
from sandbox.mods.find.manifest import read_manifest
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.run.upgrade import UseMods
from sandbox.opening import load
from sandbox.scenes.writer import scene_text
from sandbox.toml.mistakes import SceneError
from tests.bundled import MODS
from tests.mods import write_mod

IDLE = """
from sandbox.api import App, Phase, System

class {name}(System):
    phase = Phase.LIFE
    def run(self, world):
        pass

def install(app):
    app.add_system({name})
"""
PREFAB = """
def install(app):
    app.add_prefabs('[prefabs.kite]\\nextends = "boid"')
"""
WHY = "it runs only in flat worlds: give this one no depth"
SCENE = 'format = 1\n[world]\nsize = {size}\n[mods]\nrequired = {required}\n[[spawn]]\nprefab = "boid"\ncount = 9\n'
DEEP = "[400, 300, 200]"


def scene(here: Path, size: str = DEEP, required: str = "[]") -> Path:
    path = here / "scene.toml"
    path.write_text(SCENE.format(size=size, required=required))
    return path


def library(here: Path, **worlds: str | None) -> Library:
    """The library of someone who named mods with a system, which say this of the worlds they run in."""
    for mod, where in worlds.items():
        write_mod(here / mod, IDLE.format(name=mod.title()), worlds=where)
    return Library(Trust(here / "trust.toml"), [here / mod for mod in worlds])


def test_a_mod_runs_in_worlds_with_depth_if_it_says_so_or_has_no_systems(tmp_path: Path) -> None:
    library(tmp_path, solid="both")
    write_mod(tmp_path / "kites", PREFAB)
    known = Library(Trust(tmp_path / "trust.toml"), [tmp_path / "solid", tmp_path / "kites"])
    with load(scene(tmp_path, required='["solid", "kites"]'), mods=known) as simulation:
        assert [*simulation.mods.mods] == ["kites", "solid"]
        assert "kite" in simulation.world.prefabs
        assert known.problems == []
        assert known.named_are_on


@pytest.mark.parametrize("worlds", [None, "flat"])
def test_others_are_left_out_and_the_world_opens(tmp_path: Path, worlds: str | None) -> None:
    known = library(tmp_path, gust=worlds, solid="both")
    write_mod(tmp_path / "needy", IDLE.format(name="Needy"), depends=["gust"], worlds="both")
    known = Library(Trust(tmp_path / "trust.toml"), [*(tmp_path / mod for mod in ("gust", "solid", "needy"))])
    told = [f"mod gust is not on: {WHY}", "mod needy is not on: it needs gust, which runs only in flat worlds"]
    with load(scene(tmp_path), mods=known) as simulation:
        assert [*simulation.mods.mods] == ["solid"]
        assert known.problems == told
        assert not known.named_are_on
        simulation.save(tmp_path / "deep.boids")
        with pytest.raises(ValueError, match=f"^the mod gust can't be used: {WHY}$"):
            simulation.submit(UseMods(known.loaded))
    with load(scene(tmp_path, "[400, 300]"), mods=known) as simulation:
        assert [*simulation.mods.mods] == ["gust", "needy", "solid"]
        assert known.problems == []
    with load(tmp_path / "deep.boids", mods=known) as simulation:
        assert [*simulation.mods.mods] == ["solid"]
        assert known.problems == told
    with load("reef", mods=known, depth=300) as simulation:
        assert [*simulation.mods.mods] == ["solid"]
        assert known.problems == told


def test_a_scene_that_requires_one_can_not_be_opened_with_depth(tmp_path: Path) -> None:
    known = library(tmp_path, gust=None)
    path = scene(tmp_path, required='["gust"]')
    with pytest.raises(SceneError, match=rf'5:13: mods\.required\[0\] = "gust": the mod gust can.t be used: {WHY}'):
        load(path, mods=known)
    path = scene(tmp_path, "[400, 300]", '["gust"]')
    with pytest.raises(SceneError, match=f"the mod gust can't be used: {WHY}"):
        load(path, mods=known, depth=100)
    with load(path, mods=known) as simulation:
        assert [*simulation.mods.mods] == ["gust"]


def test_a_script_that_names_one_is_told(tmp_path: Path) -> None:
    library(tmp_path, gust=None)
    with pytest.raises(ValueError, match=f"^the mod gust can't be used: {WHY}$"):
        sandbox.load(scene(tmp_path), mods=[tmp_path / "gust"])


def test_a_snapshot_of_a_flat_world_that_needs_a_mod_is_opened_as_before(tmp_path: Path) -> None:
    known = library(tmp_path, gust=None)
    with load(scene(tmp_path, "[400, 300]", '["gust"]'), mods=known) as simulation:
        simulation.save(tmp_path / "flat.boids")
    with load(tmp_path / "flat.boids", mods=known) as simulation:
        assert [*simulation.mods.mods] == ["gust"]
    with pytest.raises(RecordingError, match="mod gust"):
        load(tmp_path / "flat.boids")


def test_what_runs_only_with_depth_is_left_out_of_flat_worlds_and_keeps_its_own_deep(tmp_path: Path) -> None:
    known = library(tmp_path, soar="deep", solid="both")
    told = ["mod soar is not on: it runs only in worlds with depth: give this one some"]
    with load(scene(tmp_path, "[400, 300]"), mods=known) as simulation:
        assert [*simulation.mods.mods] == ["solid"]
        assert known.problems == told
        simulation.submit(SetSetting("depth", 300))
        simulation.settle_commands()
        simulation.submit(UseMods(known.loaded))
        simulation.settle_commands()
        assert [*simulation.mods.mods] == ["soar", "solid"]
        simulation.submit(Undo())
        with pytest.warns(SandboxWarning, match="it runs only in worlds with depth"):
            simulation.settle_commands()
        with pytest.raises(ValueError, match="the mod soar can't be used: it runs only in worlds with depth"):
            simulation.submit(SetSetting("depth", 0))
        simulation.save(tmp_path / "deep.boids")
    with load(tmp_path / "deep.boids", mods=known) as simulation:
        assert [*simulation.mods.mods] == ["soar", "solid"]
        assert known.problems == []
    with load(scene(tmp_path, "[400, 300]", '["soar"]'), mods=known, depth=300) as simulation:
        assert [*simulation.mods.mods] == ["soar", "solid"]
        assert known.problems == []
    with pytest.raises(
        SceneError, match="the mod soar can't be used: it runs only in worlds with depth: give this one some"
    ):
        load(scene(tmp_path, "[400, 300]", '["soar"]'), mods=known)


def test_one_that_runs_goes_on_where_its_world_gets_depth_and_loses_it(tmp_path: Path) -> None:
    """As in a world that had the depth when the mod began."""
    known = Library(Trust(tmp_path / "trust.toml"), [MODS / "magnet"])
    with load("canyon", mods=known) as simulation:
        simulation.submit(Spawn(Entry("magnet", at=(750, 450, 210))))
        simulation.step(3)
        for command in (SetSetting("depth", 0), Undo(), SetSetting("depth", 0), SetSetting("depth", 300)):
            simulation.submit(command)
            simulation.step(2)
            simulation.save(tmp_path / "now.boids")
            simulation.step(3)
            assert simulation.mods.faults == []
            with load(tmp_path / "now.boids", mods=known) as again:
                again.step(3)
                assert again.digest() == simulation.digest()


def test_a_flat_scene_that_got_depth_is_written_with_a_mod_that_needs_it(tmp_path: Path) -> None:
    known = library(tmp_path, soar="deep")
    with load(scene(tmp_path, "[400, 300]"), mods=known, depth=300) as simulation:
        text = scene_text(simulation)
    with sandbox.loads(text, mods=[tmp_path / "soar"]) as sim:
        assert sim.positions.shape[1] == 3


@pytest.mark.parametrize("mod", [folder.name for folder in sorted(MODS.iterdir()) if (folder / "mod.toml").exists()])
def test_the_scenes_of_bundled_mods_go_on_with_depth_if_their_mod_says_so(mod: str) -> None:
    runs = read_manifest(MODS / mod).worlds != "flat"
    assert runs == (mod in ("couzin", "evolution", "magnet", "stardisplay"))
    for path in (MODS / mod / "scenes").glob("*.toml"):
        if not runs:
            with pytest.raises(ValueError, match=f"the mod {mod} can't be used: {WHY}"):
                sandbox.load(path, mods=[MODS / mod], depth=300)
            continue
        with sandbox.load(path, mods=[MODS / mod], depth=300) as sim:
            sim.step(60)
            assert not sim.mods.faults
            assert np.ptp(sim.positions[:, 2]) > 0
