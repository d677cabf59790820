"""Energy is burned, time passes, the starved and the old die, the well-fed have young; and nothing is lost."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import components.store.declare as declare
from components.flock import Flocker, Perception
from components.life import Energy, Food, Life
from components.look import Look
from components.motion import Motion, Position, Velocity
from components.predation import Predator, Prey
from components.store.fields import AMOUNT_SCALE, DEEP, FLAT, Kind
from components.store.records import form_of
from components.store.words import numbers_of
from components.store.world import World
from components.terrain import Avoidance, Obstacle, Repulsion
from systems import commit
from systems.engine.app import App
from systems.engine.ledger import Ledger
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.life import feeding, lifecycle, metabolism
from systems.sense import food_index
from tests import meadows
from tests.flocks import EDGES, LAYOUTS
from tests.meadows import Meadow, books, held, per_tick
from tests.reference import vectors
from tests.worlds import run_system, world_of

HEIRS = (Position, Velocity, Motion, Perception, Flocker, Predator, Prey, Energy, Life, Look, Avoidance, Obstacle)


def _all_heirs(app: App) -> None:
    app.add_component(*HEIRS, Repulsion, Food)


ENDING = (food_index.install, feeding.install, metabolism.install, lifecycle.install, commit.install, _all_heirs)


def world_of_some(components: tuple[type, ...], limit: int = 1000, depth: float = 0, **values: Any) -> World:
    """A world of those with these values and components, serials 1, 2, 3 ..., in the midst of a tick."""
    n = max(np.size(value) for value in values.values())
    has = {component: np.ones(n, bool) for component in components}
    filled = {key.replace("__", "."): np.resize(value, n) for key, value in values.items()}
    meadow = Meadow(Settings(1000, 1000, population_limit=limit, depth=depth), np.zeros(n, int), has, filled)
    world = meadow.world(ENDING)
    world.enter()
    world.begin_tick()
    return world


def tick(world: World, count: int = 1) -> None:
    for _ in range(count):
        world.resource(Pipeline).tick(world)
        world.tick += 1


def seconds(*ages: float) -> list[int]:
    return [round(age * AMOUNT_SCALE) for age in ages]


def by_serial(world: World, key: str) -> list[Any]:
    c = held(world)
    return c[key][np.argsort(c["serial"])].tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize(("across", "depth"), [("y", 0), ("y", 500), ("z", 500)])
def test_what_is_burned_depends_on_the_speed_up_to_the_top_speed(across, depth):
    world = world_of_some(
        (Velocity, Motion, Energy), depth=depth, Energy__level=AMOUNT_SCALE * 50, Motion__max_speed=[100] * 4 + [0],
        Velocity__x=[0, 30, -60, 300, 0], Energy__rest_burn=2, Energy__speed_burn=10,
        **{f"Velocity__{across}": [0, 40, 80, 0, 0]},
    )  # fmt: skip
    run_system(world, "metabolism")
    burned = [AMOUNT_SCALE * 50 - level for level in by_serial(world, "Energy.level")]
    assert burned == [per_tick(rate, 60) for rate in (2, 7, 12, 12, 2)]
    assert world.resource(Ledger).burned == sum(burned)


def test_who_does_not_move_burns_what_it_burns_at_rest_and_nobody_more_than_it_has():
    world = world_of_some((Energy,), Energy__level=[AMOUNT_SCALE, 7, 0], Energy__rest_burn=3, Energy__speed_burn=9)
    run_system(world, "metabolism")
    assert by_serial(world, "Energy.level") == [AMOUNT_SCALE - per_tick(3, 60), 0, 0]
    assert world.resource(Ledger).burned == per_tick(3, 60) + 7


def test_time_passes_for_those_who_live():
    world = world_of_some((Position, Life), Life__age=[0, 5 * AMOUNT_SCALE // 2])
    run_system(world, "metabolism")
    assert np.array(by_serial(world, "Life.age")) / AMOUNT_SCALE == pytest.approx([1 / 60, 2.5 + 1 / 60], abs=1e-6)


@pytest.mark.parametrize("tick_rate", [1, 7, 60, 1000])
@pytest.mark.parametrize("age", [0, 600_000, 10**9 - 2])
def test_a_second_is_a_second_however_old_it_is_and_short_the_ticks(tick_rate, age):
    world = world_of_some((Position, Life), Life__age=[age * AMOUNT_SCALE])
    world.resource(Settings).tick_rate = tick_rate
    world.tick = 12345
    for _ in range(tick_rate):
        run_system(world, "metabolism")
        world.tick += 1
    assert by_serial(world, "Life.age") == [(age + 1) * AMOUNT_SCALE]


def test_nobody_grows_older_than_an_age_can_be():
    world = world_of_some((Position, Life), Life__age=[10**9 * AMOUNT_SCALE])
    run_system(world, "metabolism")
    assert by_serial(world, "Life.age") == [10**9 * AMOUNT_SCALE]


def test_an_obstacle_has_young_of_its_size_so_that_nobody_beside_it_is_inside():
    values = {"Life__birth_level": 100, "Life__mutation": 1.0, "Obstacle__radius": [10, 20, 30]}
    world = world_of_some((Position, Obstacle, Energy, Life), Energy__level=200, **values)
    run_system(world, "lifecycle")
    world.commit()
    assert by_serial(world, "Obstacle.radius") == [10, 20, 30, 10, 20, 30]


def test_the_starved_and_the_old_die_and_nobody_else():
    ages = {"Life__max_age": [0, 0, 3, 3, 0], "Life__age": seconds(0, 1, 2.9, 3, 99)}
    world = world_of_some((Position, Energy, Life), Energy__level=[0, 1, 50, 50, 50], **ages)
    run_system(world, "lifecycle")
    world.commit()
    assert by_serial(world, "serial") == [2, 3, 5]
    assert world.resource(Ledger) == Ledger(deaths=2, lost=50)


def test_those_who_have_only_a_life_or_only_energy_die_too():
    old = world_of_some((Position, Life), Life__max_age=[1, 1], Life__age=seconds(0, 2))
    run_system(old, "lifecycle")
    assert old.dying.tolist() == old.table.rows_of(np.array([2])).tolist()
    starved = world_of_some((Position, Energy), Energy__level=[0, 5])
    run_system(starved, "lifecycle")
    assert starved.dying.tolist() == starved.table.rows_of(np.array([1])).tolist()


def test_whoever_asks_for_an_end_the_dead_are_booked_once():
    ages = {"Life__max_age": 1, "Life__age": seconds(5, 5, 0)}
    world = world_of_some((Position, Energy, Life), Energy__level=[0, 30, 40], **ages)
    world.despawn_rows(np.array([0, 1]))
    world.despawn_rows(np.array([1]))
    run_system(world, "lifecycle")
    world.commit()
    assert by_serial(world, "serial") == [3]
    assert world.resource(Ledger) == Ledger(deaths=2, lost=30)


def test_the_dead_take_their_food_with_them():
    world = world_of_some((Position, Energy, Food), Energy__level=[0, 1], Food__amount=[20, 3])
    run_system(world, "lifecycle")
    assert world.resource(Ledger) == Ledger(deaths=1, lost=20)


def test_who_has_enough_shares_with_its_young():
    values = {"Life__birth_level": 100, "Life__age": 7, "Life__max_age": 9}
    world = world_of_some((Position, Energy, Life), Energy__level=[101, 100, 99], **values)
    run_system(world, "lifecycle")
    world.commit()
    assert by_serial(world, "serial") == [1, 2, 3, 4, 5]
    assert by_serial(world, "Energy.level") == [51, 50, 99, 50, 50]
    assert by_serial(world, "Life.age") == [7, 7, 7, 0, 0]
    assert world.resource(Ledger) == Ledger(births=2)


def test_births_wait_at_the_limit_of_the_population_and_the_dead_make_room():
    values = {"Energy__level": [50, 0, 50, 50, 50], "Life__birth_level": 40, "Position__x": [1, 2, 3, 4, 5]}
    world = world_of_some((Position, Energy, Life), limit=6, **values)
    run_system(world, "lifecycle")
    world.commit()
    assert by_serial(world, "serial") == [1, 3, 4, 5, 6, 7]  # young of the lowest serials
    assert by_serial(world, "Position.x") == [1, 3, 4, 5, 1, 3]
    full = world_of_some((Position, Energy, Life), limit=3, **values)
    run_system(full, "lifecycle")
    full.commit()
    assert by_serial(full, "serial") == [1, 3, 4, 5]


def test_those_whom_systems_before_asked_for_count_against_the_limit_of_the_population():
    values = {"Energy__level": [50, 50, 50], "Life__birth_level": 40, "Position__x": [1, 2, 3]}
    world = world_of_some((Position, Energy, Life), limit=6, **values)
    asked = world.spawn(next(iter(world.prefabs)), 2)
    run_system(world, "lifecycle")
    world.commit()
    assert world.table.size == 6
    assert world.table.living(asked).size == 2


def test_the_dying_have_no_young():
    world = world_of_some(
        (Position, Energy, Life), Energy__level=50, Life__birth_level=40, Life__max_age=1, Life__age=2 * AMOUNT_SCALE
    )
    run_system(world, "lifecycle")
    world.commit()
    assert world.table.size == 0
    assert world.resource(Ledger) == Ledger(deaths=1, lost=50)


def test_serials_of_the_young_ascend_with_those_of_their_parents_whatever_they_are():
    n = 40
    rng = np.random.default_rng(2)
    has = {Position: np.ones(n, bool), Energy: np.ones(n, bool), Life: np.ones(n, bool), Look: rng.random(n) < 0.5}
    values = {"Position.x": np.arange(1, n + 1), "Energy.level": np.full(n, 50), "Life.birth_level": np.full(n, 40)}
    meadow = Meadow(Settings(), rng.integers(0, 3, n), has, values)
    world = meadow.world(ENDING, np.random.default_rng(1))
    tick_begun = held(world)
    world.begin_tick()
    run_system(world, "lifecycle")
    world.commit()
    assert by_serial(world, "Position.x") == [*range(1, n + 1)] * 2
    young = held(world)
    parents = {serial: row for row, serial in enumerate(tick_begun["serial"].tolist())}
    for row in np.flatnonzero(young["serial"] > n):
        parent = parents[int(young["serial"][row]) - n]
        assert young["prefab"][row] == tick_begun["prefab"][parent]
        assert young["Look"][row] == tick_begun["Look"][parent]


def random_values(rng: np.random.Generator, n: int, axes: str) -> dict[str, np.ndarray]:
    """Values within their bounds, and on them, of all fields of all heirs."""
    values = {}
    for field in (field for component in HEIRS for field in form_of(component, axes).fields if not field.transient):
        if field.kind is Kind.NUMBER:
            low = np.nextafter(np.float32(field.low), np.float32(np.inf)) if field.above_low else np.float32(field.low)
            spread = rng.uniform(low, field.high, n) * rng.choice([1, 1e-3], n)
            found = np.choose(rng.integers(0, 4, n), [spread, np.full(n, low), np.full(n, field.high), field.default])
            values[field.key] = np.clip(found, low, field.high).astype(np.float32)
        elif field.kind is Kind.AMOUNT:
            values[field.key] = rng.integers(0, int(field.high) * AMOUNT_SCALE, n)
        elif field.kind is Kind.CHOICE:
            values[field.key] = rng.choice(numbers_of(field.choices), n)
        elif field.kind is Kind.SWITCH:
            values[field.key] = rng.random(n) < 0.5
        else:
            values[field.key] = rng.integers(0, 2, n).astype(field.dtype)
    return values


@pytest.mark.parametrize("axes", [FLAT, DEEP])
@given(seed=st.integers(0, 2**32), mutation=st.sampled_from([0.0, 0.01, 0.3, 1.0]))
@settings(max_examples=40, deadline=None)
def test_the_young_have_what_their_parents_have_a_little_changed_within_all_bounds(axes, seed, mutation):
    n = 30
    values = random_values(np.random.default_rng(seed), n, axes)
    values |= {"Life.mutation": np.full(n, mutation, np.float32), "Life.max_age": np.zeros(n, np.float32)}
    values |= {"Energy.level": np.full(n, 1001), "Life.birth_level": np.full(n, 1000)}
    has = {component: np.ones(n, bool) for component in HEIRS}
    meadow = Meadow(Settings(depth=500 * axes.count("z")), np.zeros(n, int), has, values)
    world = meadow.world(ENDING)
    world.seed = seed
    world.begin_tick()
    run_system(world, "lifecycle")
    world.commit()
    c = held(world)
    world.close()
    order = np.argsort(c["serial"])
    parent, child = order[:n], order[n:]
    assert len(child) == n
    state = {"Life.age", "Predator.rest", "Energy.level", "Velocity.x", "Velocity.y", "Velocity.z"}
    for field in (field for component in HEIRS for field in form_of(component, axes).fields if not field.transient):
        old, young = c[field.key][parent], c[field.key][child]
        if field.kind is not Kind.NUMBER or field.owner in ("Position", "Obstacle") or field.key == "Life.mutation":
            assert field.key in state or (old == young).all(), field.key
            continue
        assert (young >= np.float32(field.low)).all() and (young <= np.float32(field.high)).all(), field.key  # noqa: PT018
        assert not field.above_low or (young > np.float32(field.low)).all(), field.key
        if field.key not in state:
            slack = mutation * np.abs(old.astype(float)) + np.abs(old) * 1e-6
            beyond = np.abs(young.astype(float) - old) > slack
            on_bound = (young == np.nextafter(np.float32(field.low), np.float32(1))) & field.above_low
            lowered = (field.key == "Motion.min_speed") & (young == c["Motion.max_speed"][child])
            assert not (beyond & ~on_bound & ~lowered).any(), field.key
            assert (young == old).all() == (mutation == 0 or not old.any()), field.key
    if mutation:
        assert (c["Motion.min_speed"][child] <= c["Motion.max_speed"][child]).all()
    assert (c["Life.age"][child] == 0).all()
    assert (c["Predator.rest"][child] == 0).all()
    speed = [np.linalg.norm(vectors(c, "Velocity")[:, who].astype(float), axis=0) for who in (parent, child)]
    inside = speed[0] <= 1e4
    assert np.allclose(speed[0][inside], speed[1][inside], rtol=1e-5)


@declare.component
class Coat:
    """What a mod declares."""

    length: float = declare.number(10, "u", 0, 100, "how long it is")
    marks: float = declare.number(10, "", 0, 100, "how many it bears", inherits="keep")
    dirt: float = declare.number(10, "", 0, 100, "how dirty it is", inherits="zero")
    fat: float = declare.quantity(10, 0, 100, "how much it has put on", inherits="half")


def test_a_field_says_itself_what_the_young_inherit_of_it():
    world = world_of((*ENDING, lambda app: app.add_component(Coat)))
    values = {"Energy.level": 100, "Life.birth_level": 100, "Life.mutation": 0.5}
    world.spawn("boid", 20, values | {"Coat.fat": 7 * AMOUNT_SCALE + 1})
    world.begin_tick()
    before = world.table.value_clocks["Coat"]
    run_system(world, "lifecycle")
    assert world.table.value_clocks["Coat"] != before  # for the parents have lost some
    world.commit()
    coats = world.table.records(Coat)[: world.table.size]
    parents, young = coats[:20], coats[20:]
    assert (parents["length"] == 10).all() and (young["length"] != 10).all()  # noqa: PT018
    assert (young["marks"] == 10).all()
    assert (young["dirt"] == 0).all()
    assert (parents["dirt"] == 10).all()
    assert (young["fat"] == (7 * AMOUNT_SCALE + 1) // 2).all()
    assert (parents["fat"] + young["fat"] == 7 * AMOUNT_SCALE + 1).all()


@pytest.mark.parametrize("depth", [0, 700])
def test_the_young_leave_in_all_directions(depth):
    n = 2000
    values = {"Velocity__x": np.full(n, 10), "Energy__level": 50, "Life__birth_level": 40}
    world = world_of_some((Position, Velocity, Energy, Life), limit=2 * n, depth=depth, **values)
    run_system(world, "lifecycle")
    world.commit()
    axes = world.table.axes
    headings = np.array([by_serial(world, f"Velocity.{axis}")[n:] for axis in axes]) / 10
    assert np.linalg.norm(headings, axis=0) == pytest.approx(np.ones(n), rel=1e-5)
    assert headings @ headings.T / n == pytest.approx(np.eye(len(axes)) / len(axes), abs=0.03)
    assert np.abs(headings.mean(axis=1)).max() < 0.06
    corners = np.bincount(2 ** np.arange(len(axes)) @ (headings > 0))
    assert len(corners) == 2 ** len(axes)
    assert corners.min() > n / len(corners) * 0.85


class Reaper(System):
    """Ends some, before or after they starve: what predators, mods and accidents do."""

    phase = Phase.LIFE
    before = ("feeding",)

    def run(self, world: World) -> None:
        rows = world.table.rows(Energy)
        rows = rows[(world.table.serial[rows] * 7919 + world.tick * 31) % 4999 == 0]
        world.despawn_rows(rows)
        world.despawn(world.table.serial[rows[:1]])


def balanced(world: World, ticks: int) -> Ledger:
    """The ledger after so many ticks; books and population are checked after each."""
    before, limit = books(world), world.resource(Settings).population_limit
    for _ in range(ticks):
        ledger, size = world.resource(Ledger), world.table.size
        grown = ledger.births - ledger.deaths
        tick(world)
        assert books(world) == before
        assert world.table.size - size == ledger.births - ledger.deaths - grown
        assert world.table.size <= max(size, limit)
        c = held(world)
        assert (c["Energy.level"][c["Energy"]] > 0).all()
        assert (c["Food.amount"][c["Food"]] >= 0).all()
        assert len(np.unique(c["serial"])) == len(c["serial"])
        assert (c["serial"] < world.next_serial).all()
    return world.resource(Ledger)


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2_000, 2_050), marks=pytest.mark.verify)])
@pytest.mark.parametrize("axes", [FLAT, DEEP])
@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_books_balance_in_any_world(layout, edges, axes, seeds):
    for seed in seeds:
        meadow = meadows.generated(layout, edges, seed, axes)
        meadow.settings.population_limit = [40, 200][seed % 2]
        world = meadow.world((*meadows.PARTS, lambda app: app.add_system(Reaper)), np.random.default_rng(seed))
        size = world.table.size
        ledger = balanced(world, 60)
        assert ledger.births - ledger.deaths == world.table.size - size
        world.close()


def thriving(seed: int = 1, limit: int = 260) -> Meadow:
    """A hundred grazers of two kinds that live for long: they eat, have young, grow old and starve."""
    rng = np.random.default_rng(seed)
    eaters, foods = 100, 30
    n = eaters + foods
    eats = np.arange(n) < eaters
    has = dict.fromkeys((*meadows.MOVER, Flocker, Life), eats) | {Position: np.ones(n, bool), Food: ~eats}
    values = {
        "Position.x": rng.random(n) * 400, "Position.y": rng.random(n) * 400,
        "Velocity.x": rng.normal(0, 60, n), "Velocity.y": rng.normal(0, 60, n),
        "Motion.min_speed": np.full(n, 10), "Energy.speed_burn": np.full(n, 6), "Life.max_age": np.full(n, 30),
        "Energy.hunger": np.full(n, 110 * AMOUNT_SCALE), "Life.birth_level": np.full(n, 130 * AMOUNT_SCALE),
        "Life.mutation": rng.choice([0, 0.2], n), "Life.age": (rng.random(n) * 20 * AMOUNT_SCALE).astype(np.int64),
        "Food.regrowth": np.full(n, 40), "Food.radius": np.full(n, 16), "Food.feeds": rng.choice([0, 1, 2], n),
    }  # fmt: skip
    settings = Settings(400, 400, "wrap", population_limit=limit)
    return Meadow(settings, rng.integers(0, 2, n), has, {k: np.asarray(v) for k, v in values.items()})


@pytest.mark.timeout(300)
def test_the_books_balance_over_thousands_of_ticks():
    world = thriving().world((*meadows.PARTS, lambda app: app.add_system(Reaper)))
    ledger = balanced(world, 3000)
    assert min(ledger.births, ledger.deaths) > 100
    assert ledger.meals > 10_000
    assert min(ledger.burned, ledger.regrown, ledger.lost) > AMOUNT_SCALE


def test_no_thread_and_no_order_of_rows_changes_a_bit():
    def after(threads: int, shuffle: np.random.Generator | None) -> dict[str, list[Any]]:
        numba.set_num_threads(threads)
        world = thriving(2).world()
        for _ in range(60):
            tick(world, 10)
            if shuffle is not None:
                world.table.reorder(shuffle.permutation(world.table.size))
        kept = {
            f"{c.__name__}.{name}"
            for c in (Position, Velocity, Motion, Perception, Energy, Life, Food)
            for name in c.fields
        }
        found = {key: by_serial(world, key) for key in ("serial", "prefab")}
        c = held(world)
        order = np.argsort(c["serial"])
        for key in kept & c.keys():
            found[key] = c[key][order][c[key.split(".")[0]][order]].tolist()
        assert world.resource(Ledger).births > 20
        return found | {"ledger": [world.resource(Ledger)], "next": [world.next_serial]}

    expected = after(1, None)
    assert after(2, None) == expected
    assert after(1, np.random.default_rng(4)) == expected


def test_whatever_is_switched_off_the_rest_runs():
    for name in ("feeding", "metabolism", "lifecycle", "hunger"):
        world = thriving(3).world()
        world.resource(Pipeline).by_name[name].enabled = False
        before = books(world)
        tick(world, 30)
        assert books(world) == before
        world.close()
