"""A running world saved as a scene file is the design that a person sees, in the words of the file that was opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sandbox
from components.store.prefab import Prefab
from sandbox.design.scene import Circle, Entry, Scene
from sandbox.edit import Redo, SetEnabled, SetField, SetParameter, Spawn, Undo
from sandbox.scenes.bundled import bundled_scenes
from sandbox.scenes.writer import save_scene, scene_text
from sandbox.simulation import Simulation
from systems.engine.settings import Settings
from tests.edits import do
from tests.saving import check_it_lasts, difference, edit, erase, everyone, opened, place, rename

MEADOW = """\
# A meadow, for trying things out.
format = 1  # the first
seed = 5

[world]
size = [600, 400]  # small
# tick_rate = 30

# ---- who lives here
[prefabs.lark]
extends = "boid"   # as all birds
Motion = { min_speed = 20, max_speed = 90 } # slow
Look = { colour = "#ffeeaa" }

[prefabs.lark.Flocker]
cohesion_strength = 2.5   # loose
separation_radius = 9

[prefabs.wren]
extends = "lark"
Look.size = 3

[prefabs.kite]
extends = "predator"
Predator = { hunts = ["lark", "wren"], catch_radius = 4 }

# the flock
[[spawn]]
prefab = "lark"
count = 20   # a few
area = { rect = [50, 50, 200, 200] }

# two wrens that differ
[[spawn]]
prefab = "wren"
count = 2
Flocker = { cohesion_strength = { mean = 2, sd = 0.5 } }

[[spawn]]  # above the stone
prefab = "kite"
at = [300, 300]
velocity = [40, 0]

[spawn.Look]
size = 14  # large

# the stone
[[spawn]]
prefab = "obstacle"
at = [500, 100]
Obstacle = { radius = 30 }

[[spawn]]
prefab = "wall"
points = [[400, 300], [450, 320], [480, 380], [420, 390]]
closed = true

[systems]
flocking = false   # for now
"""


@pytest.fixture
def meadow() -> Iterator[Simulation]:
    with opened(MEADOW) as simulation:
        yield simulation


@pytest.mark.parametrize("path", bundled_scenes(), ids=lambda path: path.stem)
def test_a_bundled_scene_that_nobody_touched_is_saved_as_it_is(path: Path) -> None:
    with sandbox.load(path) as simulation:
        assert scene_text(simulation) == path.read_text(encoding="utf-8")


def test_time_alone_changes_no_design(meadow: Simulation) -> None:
    meadow.submit(SetEnabled("predation", False))
    meadow.step(30)
    do(meadow, SetEnabled("predation", True))
    assert scene_text(meadow) == MEADOW


def test_what_was_placed_stands_where_it_is_now(meadow: Simulation) -> None:
    place(meadow, Entry("boid", at=(100.1, 50), velocity=(1.5, -2)))
    place(meadow, Entry("obstacle", at=(300, 40), values={"Obstacle.radius": 12.5}))
    place(meadow, Entry("wall", points=((10, 10), (60, 20), (60, 80))))
    assert difference(MEADOW, check_it_lasts(meadow)) == (
        [],
        [
            *["[[spawn]]", 'prefab = "boid"', "at = [100.1, 50]", "velocity = [1.5, -2]"],
            *["[[spawn]]", 'prefab = "obstacle"', "at = [300, 40]", "Obstacle = { radius = 12.5 }"],
            *["[[spawn]]", 'prefab = "wall"', "points = [[10, 10], [60, 20], [60, 80]]"],
        ],
    )


def test_a_crowd_that_was_placed_is_one_spawn_but_for_those_who_were_edited(meadow: Simulation) -> None:
    before = scene_text(meadow)
    do(meadow, Spawn(Entry("lark", 30, area=Circle(200, 200, 50), values={"Look.size": 3.0})))
    crowd = ["[[spawn]]", 'prefab = "lark"', "count = 30", "area = { circle = [200, 200, 50] }", "Look = { size = 3 }"]
    assert [line for line in check_it_lasts(meadow).split("\n") if line not in before.split("\n")] == crowd[2:]
    last = meadow.world.next_serial - 1
    meadow.step(3)
    meadow.submit(SetField("Look.size", 9, serials=(last,)))
    meadow.submit(SetField("Look.size", 5, prefab="lark"))
    meadow.settle_commands()
    text = check_it_lasts(meadow)
    assert "count = 29\narea = { circle = [200, 200, 50] }" in text
    assert "Look = { size = 3 }" not in text
    for _ in range(3):
        meadow.submit(Undo())
    meadow.step()
    assert scene_text(meadow) == before
    for _ in range(3):
        meadow.submit(Redo())
    meadow.settle_commands()
    assert check_it_lasts(meadow) == text


def test_a_placed_boid_has_the_velocity_it_has_now(meadow: Simulation) -> None:
    place(meadow, Entry("lark", at=(100, 50), velocity=(40, 0)))
    meadow.step(20)
    check_it_lasts(meadow)


def test_a_crowd_keeps_its_place_in_the_file_with_the_number_of_the_living(meadow: Simulation) -> None:
    erase(meadow, 1, 2, 3)
    assert difference(MEADOW, check_it_lasts(meadow)) == (["count = 20   # a few"], ["count = 17   # a few"])


def test_a_crowd_that_is_gone_is_no_longer_in_the_file_and_comments_of_their_own_stay(meadow: Simulation) -> None:
    erase(meadow, *range(1, 21))
    gone, came = difference(MEADOW, check_it_lasts(meadow))
    assert gone == ["[[spawn]]", 'prefab = "lark"', "count = 20   # a few", "area = { rect = [50, 50, 200, 200] }"]
    assert came == []


def test_one_of_a_crowd_that_was_edited_leaves_it(meadow: Simulation) -> None:
    edit(meadow, 4, Look_size=9.1, Position_x=120.3)
    text = check_it_lasts(meadow)
    assert "count = 19   # a few" in text
    assert "Look = { size = 9.1 }" in text
    assert "at = [120.3, " in text


def test_one_that_the_scene_put_somewhere_changes_in_its_place(meadow: Simulation) -> None:
    edit(meadow, 23, Position_x=250, Look_size=15)
    assert difference(MEADOW, check_it_lasts(meadow)) == (
        ["at = [300, 300]", "size = 14  # large"],
        ["at = [250, 300]", "size = 15  # large"],
    )
    edit(meadow, 24, Position_y=111, Obstacle_radius=31)
    gone, came = difference(MEADOW, check_it_lasts(meadow))
    assert (gone[1:3], came[1:3]) == (
        ["size = 14  # large", "at = [500, 100]"],
        ["size = 15  # large", "at = [500, 111]"],
    )


def test_a_wall_without_one_of_its_pieces_is_what_remains(meadow: Simulation) -> None:
    erase(meadow, 26)
    text = check_it_lasts(meadow)
    assert "points = [[400, 300], [450, 320]]\n" in text
    assert "points = [[480, 380], [420, 390], [400, 300]]\n" in text
    assert "closed" not in text


def test_a_polygon_that_was_moved_is_one_still(meadow: Simulation) -> None:
    for serial in range(25, 29):
        row = meadow.world.table.rows_of(np.array([serial]))[0]
        ends = meadow.world.table.columns["Wall.ax"][row], meadow.world.table.columns["Wall.bx"][row]
        edit(meadow, serial, Wall_ax=ends[0] + 0.1, Wall_bx=ends[1] + 0.1)
    gone, came = difference(MEADOW, check_it_lasts(meadow))
    assert came == ["points = [[400.1, 300], [450.1, 320], [480.1, 380], [420.1, 390]]"]
    assert len(gone) == 1


def test_a_piece_of_a_wall_that_differs_is_a_wall_of_its_own(meadow: Simulation) -> None:
    edit(meadow, 26, Wall_thickness=12)
    text = check_it_lasts(meadow)
    assert "points = [[450, 320], [480, 380]]\nWall = { thickness = 12 }\n" in text
    assert text.count("points") == 3


def test_a_changed_prefab_changes_its_own_lines_and_its_heirs_keep_what_they_have(meadow: Simulation) -> None:
    meadow.submit(SetField("Flocker.cohesion_strength", 4, prefab="lark"))
    meadow.submit(SetField("Motion.max_speed", 95.5, prefab="lark"))
    meadow.settle_commands()
    gone, came = difference(MEADOW, check_it_lasts(meadow))
    assert gone == ["Motion = { min_speed = 20, max_speed = 90 } # slow", "cohesion_strength = 2.5   # loose"]
    assert came == [
        "Motion = { min_speed = 20, max_speed = 95.5 } # slow",
        "cohesion_strength = 4   # loose",
        "Motion = { max_speed = 90 }",
        "Flocker = { cohesion_strength = 2.5 }",
    ]


def test_what_changed_for_all_prefabs_is_said_once_where_they_inherit_it(meadow: Simulation) -> None:
    do(meadow, SetField("Flocker.alignment_strength", 7))
    text = check_it_lasts(meadow)
    assert text.count("alignment_strength = 7") == 9  # in built-in ones: the first is what larks and wrens extend
    assert text[: text.index("[prefabs.boid]")] == MEADOW[: MEADOW.index("# the flock")]


def test_a_built_in_prefab_that_changed_gets_a_table(meadow: Simulation) -> None:
    do(meadow, SetField("Motion.max_speed", 70, prefab="wolf"))
    assert '[prefabs.wolf]\nextends = "wolf"\n' in check_it_lasts(meadow)


def test_a_crowd_whose_value_was_set_for_its_prefab_does_not_say_the_old_one(meadow: Simulation) -> None:
    do(meadow, SetField("Flocker.cohesion_strength", 6, prefab="wren"))
    text = check_it_lasts(meadow)
    assert "mean" not in text
    with opened(text) as again:
        column = again.world.table.columns["Flocker.cohesion_strength"]
        assert column[again.world.table.rows_of(np.array([21, 22]))].tolist() == [6, 6]


def test_a_value_that_was_set_to_what_some_of_a_crowd_began_with_is_saved() -> None:
    """The spread is cut off at 0: a third of them begin with the very value that is set."""
    spread = "Flocker = { cohesion_strength = { mean = 0.2, sd = 0.5 } }"
    with opened(f'format = 1\n[[spawn]]\nprefab = "boid"\ncount = 40\n{spread}\n') as simulation:
        do(simulation, SetField("Flocker.cohesion_strength", 0, prefab="boid"))
        assert "mean" not in check_it_lasts(simulation)
        do(simulation, Undo())
        assert spread in check_it_lasts(simulation)


def test_a_field_of_a_component_beyond_the_prefab_that_was_set_is_saved_in_its_entry() -> None:
    with opened('format = 1\n[[spawn]]\nprefab = "boid"\ncount = 4\nFood = { capacity = 3 }\n') as simulation:
        do(simulation, SetField("Food.capacity", 5))
        assert "Food = { capacity = 5 }" in check_it_lasts(simulation)


def test_a_new_prefab_is_in_the_file(meadow: Simulation) -> None:
    lark = meadow.world.prefabs["lark"]
    look = {**lark.components["Look"], "size": 8.0}
    meadow.world.prefabs["big lark"] = replace(lark, name="big lark", components={**lark.components, "Look": look})
    place(meadow, Entry("big lark", at=(30, 30)))
    text = check_it_lasts(meadow)
    assert '[prefabs."big lark"]\nextends = "boid"\n' in text
    assert 'prefab = "big lark"\nat = [30, 30]\n' in text


def test_a_renamed_prefab_is_renamed_wherever_it_is_named(meadow: Simulation) -> None:
    rename(meadow, "lark", "skylark")
    gone, came = difference(MEADOW, check_it_lasts(meadow))
    assert len(gone) == len(came) == 5
    assert [line.replace("skylark", "lark") for line in came] == gone


def test_a_renamed_built_in_prefab_extends_what_it_was(meadow: Simulation) -> None:
    rename(meadow, "obstacle", "stone")
    text = check_it_lasts(meadow)
    assert '[prefabs.stone]\nextends = "obstacle"\n' in text
    assert 'prefab = "stone"\nat = [500, 100]\n' in text


def test_a_prefab_that_lost_a_component_extends_nothing(meadow: Simulation) -> None:
    wren = meadow.world.prefabs["wren"]
    rest = {name: values for name, values in wren.components.items() if name != "Prey"}
    meadow.world.prefabs["wren"] = replace(wren, components=rest)
    text = scene_text(meadow)
    with opened(text) as again:
        assert "Prey" not in again.world.prefabs["wren"].components
        assert scene_text(again) == text


def test_systems_say_what_differs(meadow: Simulation) -> None:
    meadow.submit(SetEnabled("flocking", True))
    meadow.submit(SetEnabled("wander", False))
    meadow.submit(SetParameter("commit", "reorder_every", 9))
    meadow.settle_commands()
    assert difference(MEADOW, check_it_lasts(meadow)) == (
        ["flocking = false   # for now"],
        ["flocking = true   # for now", "wander = false", "commit = { reorder_every = 9 }"],
    )


def test_world_and_seed_as_they_are_now(meadow: Simulation) -> None:
    settings = meadow.world.resource(Settings)
    settings.width, settings.edges, settings.margin = 700.5, "turn", 30
    meadow.world.seed = 6
    assert difference(MEADOW, check_it_lasts(meadow)) == (
        ["seed = 5", "size = [600, 400]  # small"],
        ["seed = 6", "size = [700.5, 400]  # small", 'edges = "turn"', "turn = { margin = 30 }"],
    )


def test_the_young_count_towards_the_first_crowd_of_their_kind() -> None:
    lines = [
        "format = 1",
        "[prefabs.hare]",
        'extends = "boid"',
        "Energy = { level = 90 }",
        "Life = { birth_level = 50 }",
    ]
    crowd = ["[[spawn]]", 'prefab = "hare"', "count = 3", "[[spawn]]", 'prefab = "hare"', "at = [9, 9]"]
    with opened("\n".join([*lines, *crowd])) as simulation:
        simulation.step()
        assert simulation.populations() == {"hare": 8}
        assert "count = 7\n" in check_it_lasts(simulation)
    with opened("\n".join([*lines, *crowd[3:]])) as simulation:
        simulation.step()
        assert check_it_lasts(simulation).count("[[spawn]]") == 2


def test_a_table_within_a_spawn_may_stand_apart_from_it() -> None:
    lines = [
        "format = 1",
        "[[spawn]]",
        'prefab = "boid"',
        "at = [9, 9]",
        "[world]",
        "# wide",
        "[spawn.Look]",
        "size = 3",
    ]
    with opened("\n".join(lines)) as simulation:
        edit(simulation, 1, Look_size=4, Position_x=8)
        text = check_it_lasts(simulation)
        assert text.startswith('format = 1\n[[spawn]]\nprefab = "boid"\nat = [8, 9]\nvelocity = [')
        assert text.endswith("]\n[world]\n# wide\n[spawn.Look]\nsize = 4")


def test_an_entry_of_nobody_stays() -> None:
    text = 'format = 1\n\n[[spawn]]\nprefab = "boid"\ncount = 0\n'
    with opened(text) as simulation:
        assert scene_text(simulation) == text


def test_a_component_beyond_the_prefab_is_written_even_with_defaults_alone(meadow: Simulation) -> None:
    place(meadow, Entry("boid", at=(9, 9), velocity=(60, 0), values={"Leader.pull": 0.6, "Goal.radius": 20.5}))
    text = check_it_lasts(meadow)
    assert "Leader = {}\n" in text
    assert "Goal = { radius = 20.5 }\n" in text


def test_after_a_snapshot_everyone_is_written_one_by_one(meadow: Simulation, tmp_path: Path) -> None:
    meadow.step(3)
    meadow.save(tmp_path / "meadow.boids")
    with sandbox.load(tmp_path / "meadow.boids") as simulation:
        text = scene_text(simulation)
        assert text.startswith('format = 1\nname = "meadow"\nseed = 5\n')
        with opened(text) as again:
            assert everyone(again) == everyone(simulation)
            assert scene_text(again) == text


def test_a_scene_made_in_python_gets_a_fresh_file() -> None:
    wisp = Prefab("wisp", {"Position": {}, "Velocity": {}, "Look": {"size": 2.0}}, "glows")
    scene = Scene("Marsh", 'a "wet" place', 3, Settings(tick_rate=30), {"wisp": wisp}, [Entry("wisp", 4)])
    with Simulation(scene) as simulation:
        assert check_it_lasts(simulation) == "\n".join(
            [
                *["format = 1", 'name = "Marsh"', 'description = "a \\"wet\\" place"', "seed = 3", ""],
                *["[world]", "tick_rate = 30", ""],
                *["[prefabs.wisp]", 'help = "glows"', "Position = {}", "Velocity = {}", "Look = { size = 2 }", ""],
                *["[[spawn]]", 'prefab = "wisp"', "count = 4", ""],
            ]
        )


def test_tables_of_absent_mods_are_kept() -> None:
    text = 'format = 1\n[mods]\noptional = ["daylight"]\n[daylight]\nhour = 7.0 # seven\n'
    with opened(text) as simulation:
        place(simulation, Entry("boid", at=(5, 5)))
        assert text.removeprefix("format = 1") in check_it_lasts(simulation)
        simulation.scene.text = ""
        assert check_it_lasts(simulation).endswith('\n[mods]\noptional = ["daylight"]\n\n[daylight]\nhour = 7.0\n')


def test_what_an_absent_mod_would_understand_outlives_edits_beside_it() -> None:
    text = (
        'format = 1\n[mods]\noptional = ["night"]\n[prefabs.owl]\nextends = "boid"\nNight = { sees = 3 } # far\n'
        '[[spawn]]\nprefab = "owl"\nat = [9, 9]\nNight = { sees = 4 }\n[systems]\nmoonlight = { bright = 2 }\n'
    )
    with opened(text) as simulation:
        assert scene_text(simulation) == text
        edit(simulation, 1, Look_size=3.25)
        simulation.submit(SetField("Look.size", 4.5, prefab="owl"))
        simulation.submit(SetEnabled("flocking", False))
        simulation.settle_commands()
        saved = check_it_lasts(simulation)
    for kept in ("Night = { sees = 3 } # far\n", "Night = { sees = 4 }\n", "moonlight = { bright = 2 }\n"):
        assert kept in saved


@pytest.mark.parametrize(
    "lines",
    [
        ['spawn = [{ prefab = "boid", count = 9 }, { prefab = "goal", at = [9, 9] }]'],
        ['prefabs.bird.extends = "boid"', "world = { size = [90, 90] }", "[[spawn]]", 'prefab = "bird"', "count = 9"],
        ["[prefabs]", 'a = { extends = "boid" }', "[[spawn]]", 'prefab = "a"', "[world]", "tick_rate = 9"],
        ["[prefabs.a.Look]", "[prefabs.a]", 'extends = "boid"', "[systems.flocking]", "[[spawn]]", 'prefab = "a"'],
        ["[prefabs.a.Look]", "[prefabs.b]", "Look = {", " size = 3, # small", "}", "[[spawn]]", 'prefab = "a"'],
    ],
)
def test_a_file_however_written_can_be_saved(lines: list[str]) -> None:
    text = "\n".join(["format = 1", *lines])
    with opened(text) as simulation:
        assert scene_text(simulation) == text
        first = next(iter(simulation.world.prefabs))
        rename(simulation, first, "another")
        has_a_place = "Position" in simulation.world.prefabs["another"].components
        place(simulation, Entry("another", at=(50, 60) if has_a_place else None))
        edit(simulation, 1, Look_size=3.25)
        simulation.submit(SetField("Look.size", 4.5, prefab="another"))
        simulation.submit(SetEnabled("flocking", False))
        simulation.submit(SetEnabled("wander", False))
        simulation.settle_commands()
        simulation.world.resource(Settings).margin = 33
        check_it_lasts(simulation)


def test_what_a_file_can_not_hold_is_refused_and_the_old_one_stays(meadow: Simulation, tmp_path: Path) -> None:
    path = tmp_path / "meadow.toml"
    save_scene(meadow, path)
    assert path.read_text() == MEADOW
    meadow.world.seed = 2**62 + 1
    with pytest.raises(
        ValueError, match=r"can't describe .* \(seed = 4611686018427387905: must be .*\): save the state instead"
    ):
        save_scene(meadow, path)
    meadow.world.seed = 5
    meadow.scene.description = "wide and green " * 600_000
    with pytest.raises(ValueError, match="larger than 8 MB"):
        save_scene(meadow, path)
    assert path.read_text() == MEADOW
    assert [file.name for file in tmp_path.iterdir()] == ["meadow.toml"]
