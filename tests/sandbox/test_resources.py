"""What belongs to a world: from one line of a resource's field follow scenes, commands, snapshots and undo."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sandbox
from components.store.fields import Field, Kind
from sandbox import opening
from sandbox.edit import Redo, RenamePrefab, SetHand, SetResource, SetSeed, SetSetting, Undo
from sandbox.mods.load.assembly import assembled
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.together import mods_from
from sandbox.opening import load
from sandbox.scenes.schema import schema
from sandbox.scenes.writer import save_scene, scene_text
from sandbox.simulation import Simulation
from sandbox.toml.mistakes import SceneError
from systems.engine.settings import Settings
from systems.space.bounds import FARTHEST
from tests.edits import do
from tests.mods import write_mod
from tests.recordings import rewritten

SETTINGS: dict[str, Field] = {name: field for name, field in Settings.fields.items() if not field.deep}  # type: ignore[attr-defined]
TABLES = {"width": "size", "height": "size", "margin": "turn", "acceleration": "turn"}

SEASONS = """
from sandbox.api import Phase, System, choice, count, number, prefabs, resource, vector

@resource
class Season:
    '''What time of the year it is.'''

    warmth: float = number(0.5, "", 0, 1, "how warm it is")
    kind: str = choice("spring", "autumn", default="spring", help="which it is")
    drift: tuple[float, float] = vector("u/s", "where the leaves go")
    hides: int = prefabs("who sleeps")
    days: int = count("since the world began")

class Turning(System):
    '''Counts the ticks.'''

    phase = Phase.LIFE
    writes = (Season,)

    def run(self, world):
        world.resource(Season).days += 1

def install(app):
    app.add_resource(Season)
    app.add_system(Turning())
"""
SPRING = """\
format = 1
mods.required = ["seasons"]

[resources.Season]  # as it begins
warmth = 0.3
drift = [3, -0.5]
hides = ["boid"]

[[spawn]]
prefab = "boid"
count = 3
"""


@pytest.fixture
def mods(tmp_path: Path) -> LoadedMods:
    return mods_from([write_mod(tmp_path / "seasons", SEASONS)])


@pytest.fixture
def spring(tmp_path: Path, mods: LoadedMods) -> Iterator[Simulation]:
    (tmp_path / "spring.toml").write_text(SPRING)
    with load(tmp_path / "spring.toml", mods=mods) as simulation:
        yield simulation


def season(simulation: Simulation) -> Any:
    return simulation.world.resource(simulation.world.declared["Season"])


@pytest.mark.parametrize("name", SETTINGS)
def test_of_a_setting_all_follows_from_its_declaration(name: str, tmp_path: Path) -> None:
    field, table = SETTINGS[name], TABLES.get(name, name)
    with sandbox.load("ronan") as simulation:
        begun = getattr(simulation.world.resource(Settings), name)
        is_number = not field.choices and field.kind is not Kind.SWITCH
        other = field.high / 2 if is_number else field.choices[-1] if field.choices else not begun
        value = int(other) if is_number and field.dtype.kind != "f" else other
        do(simulation, SetSetting(name, value))
        assert getattr(simulation.world.resource(Settings), name) == value
        save_scene(simulation, tmp_path / "a.toml")
        simulation.save(tmp_path / "a.boids")
        for path in (tmp_path / "a.toml", tmp_path / "a.boids"):
            with sandbox.load(path) as again:
                assert again.world.resource(Settings) == simulation.world.resource(Settings)
        changed = simulation.digest()
        do(simulation, Undo())
        assert getattr(simulation.world.resource(Settings), name) == begun
        assert (simulation.digest() == changed) == field.drawn
        if is_number:
            with pytest.raises(ValueError, match=re.escape(f"world.{name} = {field.high + 1}: {field.bounds()}")):
                simulation.submit(SetSetting(name, field.high + 1))
    assert table in schema(assembled().app)["properties"]["world"]["properties"]


def test_the_world_is_as_wide_as_anyone_goes() -> None:
    assert SETTINGS["width"].high == SETTINGS["height"].high == FARTHEST


def test_the_size_is_what_float32_holds_of_it() -> None:
    assert Settings(333.3, 0.1 + 99).torus == (333.29998779296875, 99.0999984741211)


def test_a_scene_says_what_a_resource_of_a_mod_begins_with(spring: Simulation) -> None:
    now = season(spring)
    assert (now.warmth, now.kind, now.drift, now.days) == (pytest.approx(0.3), "spring", (3, -0.5), 0)
    assert now.hides == 1 << spring.world.prefab_index("boid")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("warmth = 3", "warmth = 3: must be 0 to 1"),
        ('kind = "sprong"', "did you mean 'spring'"),
        ("drift = 3", r"drift = 3: must be 2 numbers: \[x, y\]"),
        ('hides = ["boit"]', "there is no prefab 'boit'; did you mean 'boid'"),
        ("days = -1", "days = -1: must be 0 to"),
        ("wramth = 3", 'unknown key; did you mean "warmth"'),
    ],
)
def test_a_scene_says_nothing_wrong_of_a_resource(line: str, why: str, mods: LoadedMods, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(f'format = 1\nmods.required = ["seasons"]\nresources.Season.{line}\n')
    with pytest.raises(SceneError, match=f"a.toml:3:.*{why}"):
        load(tmp_path / "a.toml", mods=mods)


def test_a_resource_is_set_undone_and_done_again(spring: Simulation) -> None:
    before = spring.digest()
    do(spring, SetResource("Season.kind", "autumn"), SetResource("Season.drift", [1, 2]))
    after = spring.digest()
    assert (season(spring).kind, season(spring).drift) == ("autumn", (1, 2))
    do(spring, Undo(), Undo())
    assert spring.digest() == before
    do(spring, Redo(), Redo())
    assert spring.digest() == after


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("Season.warmth", 2, "Season.warmth = 2: must be 0 to 1"),
        ("Season.drift", 2, "Season.drift = 2: must be two numbers"),
        ("Season.kind", 1, "Season.kind = 1: must be one of spring, autumn"),
        ("Season.hides", ["boit"], "there is no prefab 'boit'"),
        ("Season.wramth", 1, "there is no field 'Season.wramth'; did you mean 'Season.warmth'"),
        (5, 1, "there is no field 5"),
    ],
)
def test_what_a_resource_can_not_hold_is_refused(spring: Simulation, key: Any, value: Any, why: str) -> None:
    before = spring.digest()
    with pytest.raises(ValueError, match=why):
        spring.submit(SetResource(key, value))
    assert spring.digest() == before


def test_a_saved_scene_says_what_was_set_and_not_what_the_mod_counted(spring: Simulation) -> None:
    assert scene_text(spring) == SPRING
    do(spring, SetResource("Season.warmth", 0.7), SetResource("Season.kind", "autumn"), SetResource("Season.hides", []))
    spring.step(5)
    text = scene_text(spring)
    assert "[resources.Season]  # as it begins\nwarmth = 0.7\ndrift = [3, -0.5]\nhides = []\n" in text
    assert 'kind = "autumn"' in text
    assert "days" not in text
    do(spring, Undo(), Undo(), Undo())
    assert scene_text(spring) == SPRING


def test_a_world_from_no_file_says_its_resources_in_a_table(mods: LoadedMods) -> None:
    with load("ronan", mods=mods) as simulation:
        do(simulation, SetResource("Season.warmth", 0.7))
        assert "\n[resources]\nSeason = { warmth = 0.7 }\n" in scene_text(simulation)


def test_a_snapshot_holds_every_kind_of_field(spring: Simulation, mods: LoadedMods, tmp_path: Path) -> None:
    spring.step(5)
    do(spring, SetResource("Season.kind", "autumn"), RenamePrefab("boid", "bird"))
    spring.save(tmp_path / "a.boids")
    with load(tmp_path / "a.boids", mods=mods) as again:
        assert season(again) == season(spring)
        assert season(again).days == 5
        assert again.digest() == spring.digest()


def test_the_ledger_and_the_hand_are_set_like_any_other() -> None:
    with sandbox.load("ronan") as simulation:
        before = simulation.digest()
        do(simulation, SetResource("Hand.strength", 50), SetResource("Ledger.births", 3), SetSeed(5))
        assert simulation.digest() != before
        do(simulation, Undo(), Undo(), Undo())
        assert simulation.digest() == before
        do(simulation, SetHand(1, 2, 3), SetHand(1, 2, 0))
        assert simulation.digest() == before


def test_what_an_older_snapshot_does_not_say_has_its_default(tmp_path: Path) -> None:
    """Of a setting that is new since then; sizes were float64."""
    with sandbox.load("ronan") as simulation:
        simulation.save(tmp_path / "a.boids")
    world = {"width": 333.3, "height": 400.0, "edges": "open"}
    rewritten(tmp_path / "a.boids", tmp_path / "a.boids", world=world, resources={"Ledger": {"births": 2}})
    with opening.load(tmp_path / "a.boids") as simulation:
        assert simulation.world.resource(Settings) == Settings(333.3, 400, "open")
