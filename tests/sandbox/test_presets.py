"""Values of all animals as factors of what the scene says; presets of them, which a scene keeps."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sandbox
from sandbox.design.presets import KEYS, QUANTITIES, Everybody, Factors, Presets, factors_now, mean_and_mixed, values_at
from sandbox.design.surprise import surprise
from sandbox.edit import Clear, SetField, SetPrefabs, SetTables, Undo
from sandbox.scenes.writer import scene_text
from sandbox.simulation import Simulation
from tests.edits import do
from tests.saving import check_it_lasts, difference, opened

WOOD = """\
format = 1
name = "Wood"

# who lives here
[prefabs.lark]
extends = "boid"   # as all birds
Motion = { min_speed = 20, max_speed = 100, max_acceleration = 300 }
Flocker = { cohesion_strength = 2 }

[prefabs.wren]
extends = "lark"
Flocker = { cohesion_strength = 0 }
Look = { size = 3 }

[[spawn]]
prefab = "lark"
count = 5

[[spawn]]
prefab = "wren"
count = 3

[[spawn]]
prefab = "obstacle"
at = [50, 50]

[presets.tight]
cohesion = 3   # very
"""


def turn(simulation: Simulation, **factors: float) -> None:
    do(simulation, SetPrefabs(values_at(simulation.world, factors)))


def column(simulation: Simulation, prefab: str, key: str) -> set[float]:
    table = simulation.world.table
    members = table.prefab[: table.size] == simulation.world.prefab_index(prefab)
    return set(table.columns[key][: table.size][members].tolist())


def test_all_animals_and_their_prefabs_follow_a_factor_and_nothing_else_does() -> None:
    with opened(WOOD) as simulation:
        turn(simulation, speed=1.5, size=2)
        for prefab, size in (("lark", 10), ("wren", 6), ("obstacle", 5)):
            assert column(simulation, prefab, "Look.size") == {size}
        for key, value in (("min_speed", 30), ("max_speed", 150), ("max_acceleration", 450)):
            assert column(simulation, "lark", f"Motion.{key}") == {value}
            assert simulation.world.prefabs["wren"].components["Motion"][key] == value
        assert simulation.world.prefabs["fish"] == simulation.scene.prefabs["fish"]  # no fish live here


def test_a_factor_is_read_back_and_where_prefabs_differ_so_is_their_mean() -> None:
    with opened(WOOD) as simulation:
        turn(simulation, sight=0.3)
        assert mean_and_mixed(factors_now(simulation.world, "sight")) == (0.3, False)
        do(simulation, SetField("Perception.radius", 50, prefab="wren"))
        assert mean_and_mixed(factors_now(simulation.world, "sight")) == (pytest.approx(0.65), True)
        assert factors_now(simulation.world, "cohesion") == [1]  # of nothing there is no share: wrens have none


def test_a_value_stays_within_the_bounds_of_its_field() -> None:
    with opened(WOOD) as simulation:
        turn(simulation, size=0.001, sight=1000, speed=0)
        assert column(simulation, "lark", "Look.size") == {float(np.float32(0.1))}
        assert column(simulation, "lark", "Perception.radius") == {10_000}
        turn(simulation, size=1, sight=1, speed=1)
        assert values_at(simulation.world, dict.fromkeys(QUANTITIES, 1.0)) == ()


def test_where_nobody_lives_all_animals_of_the_scene_follow() -> None:
    with opened(WOOD) as simulation:
        do(simulation, Clear())
        turn(simulation, size=2)
        assert simulation.world.prefabs["fish"].components["Look"]["size"] == 12


def test_those_who_died_out_stay_with_the_others() -> None:
    with opened(WOOD) as simulation:
        turn(simulation, size=2)
        do(simulation, Clear("wren"))
        turn(simulation, size=1)
        assert simulation.world.prefabs == simulation.scene.prefabs


@settings(deadline=None)
@given(factors=st.dictionaries(st.sampled_from(list(QUANTITIES)), st.floats(0, 4)))
def test_undo_takes_it_back_exactly_and_one_step_is_enough(factors: Factors) -> None:
    with opened(WOOD) as simulation:
        before = simulation.digest()
        turn(simulation, **factors)
        do(simulation, Undo())
        assert simulation.digest() == before
        assert simulation.world.prefabs == simulation.scene.prefabs


# ---- presets


def test_presets_are_kept_and_undone_and_no_digest_has_them() -> None:
    with opened(WOOD) as simulation:
        before = simulation.digest()
        do(simulation, SetTables("presets", {"slow": {"speed": 0.5}}))
        assert simulation.world.resource(Presets).kept == {"slow": {"speed": 0.5}}
        assert simulation.digest() == before
        do(simulation, Undo())
        assert simulation.world.resource(Presets).kept == {"tight": {"cohesion": 3}}


def test_a_saved_scene_has_its_presets_and_no_other_line_changes() -> None:
    with opened(WOOD) as simulation:
        assert scene_text(simulation) == WOOD
        do(simulation, SetTables("presets", {"tight": {"cohesion": 3.0, "size": 2.0}, "# 2": {}}))
        gone, came = difference(WOOD, check_it_lasts(simulation))
        assert not gone
        assert came == ["size = 2", '[presets."# 2"]']
        do(simulation, SetTables("presets", {"loose": {"cohesion": 0.5}}))
        gone, came = difference(WOOD, check_it_lasts(simulation))
        assert gone == ["[presets.tight]", "cohesion = 3   # very"]
        assert came == ["[presets.loose]", "cohesion = 0.5"]


def test_a_saved_preset_means_what_it_meant() -> None:
    with opened(WOOD) as simulation:
        do(simulation, SetTables("presets", {"tight": {"cohesion": 3.0}, "as it was": {}}))
        turn(simulation, cohesion=1.5)
        with opened(check_it_lasts(simulation)) as again:
            assert again.scene.tables["presets"] == {"tight": {"cohesion": 2}, "as it was": {"cohesion": 0.6667}}
            turn(again, **again.scene.tables["presets"]["tight"])
            assert column(again, "lark", "Flocker.cohesion_strength") == {6}


def test_what_was_saved_at_nothing_keeps_its_presets() -> None:
    with opened(WOOD) as simulation:
        turn(simulation, cohesion=0)
        assert Presets.now(simulation.world) == {"tight": {"cohesion": 3}}


def test_what_was_saved_at_nothing_can_be_turned_up_again() -> None:
    with opened(WOOD) as simulation:
        turn(simulation, cohesion=1.5)
        before = column(simulation, "lark", "Flocker.cohesion_strength")
        turn(simulation, cohesion=0)
        with opened(check_it_lasts(simulation)) as again:
            assert column(again, "lark", "Flocker.cohesion_strength") == {0}
            assert factors_now(again.world, "cohesion") == [0]
            with opened(check_it_lasts(again)) as twice:
                turn(twice, cohesion=1.5)
                assert column(twice, "lark", "Flocker.cohesion_strength") == before
                assert Everybody.now(twice.world) == {}
                check_it_lasts(twice)


def test_what_the_scene_has_as_nothing_stays_nothing() -> None:
    with opened(WOOD.replace("cohesion_strength = 2", "cohesion_strength = 0")) as simulation:
        assert factors_now(simulation.world, "cohesion") == []
        assert Everybody.now(simulation.world) == {}


def test_a_state_has_its_presets_too(tmp_path: Path) -> None:
    with opened(WOOD) as simulation:
        simulation.save(tmp_path / "wood.boids")
        with sandbox.load(tmp_path / "wood.boids") as again:
            assert again.world.resource(Presets).kept == {"tight": {"cohesion": 3}}
            assert again.digest() == simulation.digest()


@pytest.mark.parametrize(
    ("presets", "said"),
    [
        ({"tight": {"cohesoin": 1.0}}, 'unknown key; did you mean "cohesion"?'),
        ({"tight": {"cohesion": -1.0}}, "must be 0 to 1,000"),
        ({"": {}}, "a name must be 1 to 64 printable characters"),
        ({"tight": 3}, "must be a table"),
    ],
)
def test_a_preset_that_can_not_be_is_refused(presets: dict[str, Factors], said: str) -> None:
    with opened(WOOD) as simulation, pytest.raises(ValueError, match=said.replace("?", "[?]")):
        simulation.submit(SetTables("presets", presets))


# ---- a surprise


@given(seed=st.integers(0, 10**6))
def test_a_surprise_is_within_taste_and_on_every_slider(seed: int) -> None:
    drawn = surprise(random.Random(seed))
    assert drawn.keys() == QUANTITIES.keys() == KEYS.keys()
    assert all(0.25 <= factor <= 4 for factor in drawn.values())
    assert max(drawn["size"], drawn["speed"], drawn["sight"]) < 2.5
    assert drawn == surprise(random.Random(seed))
    among_the_starving = surprise(random.Random(seed), starving=True)
    assert all(0.8 <= among_the_starving[name] <= 1.2 for name in ("sight", "speed"))
    assert among_the_starving["cohesion"] == drawn["cohesion"]


def test_surprises_differ() -> None:
    assert len({tuple(surprise(random.Random(seed)).values()) for seed in range(100)}) == 100
