"""The hungry find food, and eat of it: as the plain references say, to the last unit."""

import numba
import numpy as np
import pytest

from components.store.fields import AMOUNT_SCALE, DEEP, FLAT
from systems.engine.ledger import Ledger
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.life import feeding
from systems.sense import food_index
from systems.steer import hunger
from tests import meadows, reference
from tests.flocks import EDGES, LAYOUTS, sized
from tests.meadows import Meadow, held
from tests.worlds import populated, run, run_system

FED = (food_index.install, feeding.install)
few_or_many = pytest.mark.parametrize(
    "seeds", [range(12), pytest.param(range(2_000, 2_300), marks=pytest.mark.verify)], ids=["few seeds", "many seeds"]
)
every_world = pytest.mark.parametrize("edges", EDGES)
every_layout = pytest.mark.parametrize("layout", LAYOUTS)
flat_or_deep = pytest.mark.parametrize("axes", [FLAT, DEEP])


def sought(meadow: Meadow, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """What hunger adds, and what it should, (n, 2) or (n, 3) each."""
    world = meadow.world(shuffle=np.random.default_rng(seed))
    run(world, Phase.SENSE)
    run_system(world, "hunger")
    c = held(world)
    world.close()
    found = reference.vectors(c, "Motion.acceleration").T
    return np.where(c["Motion"][:, None], found, 0), meadows.hunger(c, meadow.settings.torus)


@few_or_many
@flat_or_deep
@every_world
@every_layout
def test_the_hungry_steer_by_the_equations(layout, edges, axes, seeds):
    for seed in seeds:
        found, expected = sought(meadows.generated(layout, edges, seed, axes), seed)
        missed = np.linalg.norm(found - expected, axis=1) / (1e-3 * (np.linalg.norm(expected, axis=1) + 1))
        assert missed.max(initial=0) < 1, f"seed {seed}"


@flat_or_deep
def test_some_of_those_worlds_make_some_seek_and_some_stop(axes):
    added = [sought(meadows.generated("spread", edges, seed, axes))[1] for edges in EDGES for seed in range(12)]
    assert sum((a != 0).any(axis=1).sum() for a in added) > 50
    assert sum((a == 0).all(axis=1).sum() for a in added) > 100


@flat_or_deep
@pytest.mark.parametrize("edges", EDGES)
def test_the_far_sighted_find_the_nearest_of_much_food(edges, axes):
    """It may lie beyond the first cells looked at, in which there is some that is farther."""
    rng = np.random.default_rng(6)
    n = 500
    eats = np.arange(n) < 200
    has = dict.fromkeys(meadows.MOVER, eats) | {meadows.Position: np.ones(n, bool), meadows.Food: ~eats}
    values = {f"{key}.{axis}": rng.random(n) * 1000 for key in ("Position", "Velocity") for axis in axes}
    values |= {
        "Perception.radius": np.full(n, 900),
        "Perception.fov": rng.choice([90, 360], n),
        "Food.radius": np.zeros(n),
    }
    values |= {"Energy.level": np.ones(n), "Energy.seek": np.ones(n)}
    found, expected = sought(Meadow(sized([1000] * len(axes), edges), np.zeros(n, int), has, values))
    assert np.allclose(found, expected, rtol=1e-3, atol=1e-2)


@few_or_many
@flat_or_deep
@every_world
@every_layout
def test_a_tick_of_feeding_is_what_the_reference_says_to_the_unit(layout, edges, axes, seeds):
    for seed in seeds:
        meadow = meadows.generated(layout, edges, seed, axes)
        world = meadow.world(shuffle=np.random.default_rng(seed))
        run(world, Phase.SENSE)
        before = held(world)
        run_system(world, "feeding")
        c, ledger = held(world), world.resource(Ledger)
        world.close()
        amount, level, grown, meals = meadows.fed(before, meadow.settings.torus, meadow.settings.tick_rate)
        assert c["Food.amount"][c["Food"]].tolist() == np.array(amount, np.int64)[c["Food"]].tolist(), f"seed {seed}"
        assert c["Energy.level"][c["Energy"]].tolist() == np.array(level, np.int64)[c["Energy"]].tolist()
        assert (ledger.regrown, ledger.meals) == (grown, meals)


def contest(eaters: int, amount: int, **values: object) -> tuple[np.ndarray, int]:
    """Levels by serial after one tick of so many eaters at one food with `amount` units, and what is left of it."""
    given = {"Energy.level": 0, "Energy.capacity": 10**9, "Food.regrowth": 0.0, "Food.bite": 60 * 10 / AMOUNT_SCALE}
    given |= {key.replace("__", "."): value for key, value in values.items()}
    n = eaters + 1
    has = {component: np.arange(n) < eaters for component in meadows.MOVER}
    has = {meadows.Position: np.ones(n, bool), meadows.Food: np.arange(n) == eaters} | has
    filled = {key: np.resize(value, n) for key, value in given.items()}
    filled |= {"Position.x": np.zeros(n), "Position.y": np.zeros(n), "Food.amount": np.full(n, amount)}
    world = Meadow(Settings(100, 100), np.zeros(n, int), has, filled).world(shuffle=np.random.default_rng(eaters))
    run(world, Phase.SENSE)
    run_system(world, "feeding")
    c = held(world)
    order = np.argsort(c["serial"])
    return c["Energy.level"][order][:eaters], int(c["Food.amount"][order][eaters])


def test_while_there_is_enough_everyone_gets_a_bite():
    levels, left = contest(5, 1000)
    assert levels.tolist() == [10] * 5
    assert left == 950


def test_a_contested_meal_goes_to_the_lower_serials_until_nothing_is_left():
    levels, left = contest(5, 34)
    assert levels.tolist() == [10, 10, 10, 4, 0]
    assert left == 0


def test_nobody_gets_more_than_it_can_hold():
    levels, left = contest(3, 1000, Energy__level=[98, 100, 120], Energy__capacity=100)
    assert levels.tolist() == [100, 100, 120]
    assert left == 998


def test_food_grows_to_its_capacity_and_what_is_beyond_it_stays():
    values = {"Food.regrowth": 60 * 7 / AMOUNT_SCALE, "Food.capacity": 100, "Energy.capacity": 0}
    values |= {"Position.x": np.zeros(5), "Position.y": 0, "Food.amount": np.array([0, 90, 95, 100, 130])}
    world = populated(FED, Settings(), values)
    run(world, Phase.SENSE, Phase.LIFE)
    assert world.table.columns["Food.amount"][:5].tolist() == [7, 97, 100, 100, 130]
    assert world.resource(Ledger).regrown == 7 + 7 + 5


def test_food_that_moved_since_it_was_indexed_is_eaten_where_it_is():
    meadow = meadows.generated("spread", "wrap", 3)
    meadow.has = meadow.has | {component: np.ones(len(meadow.kind), bool) for component in meadows.MOVER}
    world = meadow.world()
    run(world, Phase.SENSE)
    world.table.columns["Position.x"][: world.table.size] *= 0.5
    before = held(world)
    run_system(world, "feeding")
    amount, _, _, meals = meadows.fed(before, meadow.settings.torus, 60)
    assert meals > 0
    assert held(world)["Food.amount"][before["Food"]].tolist() == np.array(amount)[before["Food"]].tolist()


def test_the_dying_do_not_eat():
    world = meadows.generated("crowd", "open", 4).world()
    run(world, Phase.SENSE)
    world.begin_tick()
    before = held(world)
    world.despawn_rows(np.flatnonzero(before["Energy"]))
    run_system(world, "feeding")
    assert meadows.fed(before, None, 60)[3] > 0
    assert world.resource(Ledger).meals == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_no_thread_and_no_order_of_rows_changes_a_bit(threads):
    def after(seed: int, count: int) -> list[list[float]]:
        numba.set_num_threads(count)
        world = meadows.generated("mixed radii", "wrap", 8).world(shuffle=np.random.default_rng(seed))
        run(world, Phase.SENSE)
        run_system(world, "hunger")
        run_system(world, "feeding")
        c = held(world)
        keys = ("Motion.acceleration.x", "Motion.acceleration.y", "Food.amount", "Energy.level")
        return [np.where(c[key.split(".")[0]], c[key], 0)[np.argsort(c["serial"])].tolist() for key in keys]

    assert after(1, threads) == after(2, 1)


def test_without_food_nothing_happens():
    world = populated((*FED, hunger.install), Settings(), {"Position.x": np.zeros(0), "Position.y": np.zeros(0)})
    run(world, Phase.SENSE, Phase.STEER, Phase.LIFE)
    assert world.resource(Ledger) == Ledger()
