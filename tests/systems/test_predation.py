"""Who catches whom, exactly as the rules say; and what a catch moves."""

import numba
import numpy as np
import pytest

from components.life import Energy
from components.predation import Predator, Prey
from components.store.fields import AMOUNT_SCALE, DEEP, FLAT
from systems.engine.events import Events, carry_out
from systems.engine.ledger import Ledger
from systems.engine.settings import Settings
from tests import hunting_reference as reference
from tests.hunts import EDGES, HUNTING, LAYOUTS, generated, seen_by_reference
from tests.worlds import populated, run_system

DT = np.float32(1 / 60)
few_or_many = pytest.mark.parametrize(
    "seeds", [range(25), pytest.param(range(2_000, 2_500), marks=pytest.mark.verify)], ids=["few seeds", "many seeds"]
)
flat_or_deep = pytest.mark.parametrize("axes", [FLAT, DEEP])


def tired(c):
    """Columns after `rest` counted down by a tick; less than half a tick is none."""
    left = c["Predator.rest"] - DT
    return c | {"Predator.rest": np.where(c["Predator"], np.where(left > DT / 2, left, 0), c["Predator.rest"])}


@few_or_many
@flat_or_deep
@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_catches_are_those_of_the_rules_on_one_and_on_several_threads(layout, edges, axes, seeds):
    total = 0
    for seed in seeds:
        numba.set_num_threads(min(1 + seed % 2, numba.config.NUMBA_NUM_THREADS))
        hunt = generated(layout, edges, seed, axes)
        world = hunt.world(np.random.default_rng(seed))
        c = tired(seen_by_reference(world))
        expected = reference.catches(c, hunt.settings.torus)
        world.begin_tick()
        run_system(world, "predation")
        after = seen_by_reference(world)
        carry_out(world)
        gone = set(c["serial"]) - set(world.table.serial[: world.table.size])
        assert gone == {prey for _, prey in expected}, f"seed {seed}"
        assert world.resources.get(Ledger, Ledger()).catches == len(expected)
        caught = world.resource(Events).catches
        assert {*zip(caught.by.tolist(), caught.serials.tolist(), strict=True)} == {*expected}
        check_effects(c, after, expected)
        world.close()
        total += len(expected)
    assert total > 10 or layout in ("few", "far")


def check_effects(c, after, caught):
    """Energy moved catch by catch, as plain whole numbers; caught once; who caught rests."""
    row = {serial: k for k, serial in enumerate(c["serial"].tolist())}
    level, rest = c["Energy.level"].tolist(), c["Predator.rest"].copy()
    assert len({prey for _, prey in caught}) == len({hunter for hunter, _ in caught}) == len(caught)
    for hunter, prey in caught:
        i, j = row[hunter], row[prey]
        rest[i] = c["Predator.digest"][i]
        if c["Energy"][i] and c["Energy"][j]:
            meal = min(level[j], max(int(c["Energy.capacity"][i]) - level[i], 0))
            level[i], level[j] = level[i] + meal, level[j] - meal
    has = c["Energy"]
    assert after["Energy.level"][has].tolist() == np.array(level)[has].tolist()
    assert after["Energy.level"][has].sum() == c["Energy.level"][has].sum()
    assert after["Predator.rest"][c["Predator"]].tolist() == rest[c["Predator"]].tolist()


def meal(hunters, prey, **values):
    """Predators at these places, serials from 1, then prey; nobody is both."""
    places = np.array([*hunters, *prey], np.float32)
    given = {"Position.x": places[:, 0], "Position.y": places[:, 1], "Predator.catch_radius": np.float32(10)} | values
    world = populated(HUNTING, Settings(1000, 1000, "wrap"), given)
    world.table.set_presence(np.arange(len(hunters)), [Prey], present=False)
    world.table.set_presence(np.arange(len(hunters), len(places)), [Predator], present=False)
    return world


def eaten(world):
    """Serials that a tick's predation ends."""
    before = set(world.table.serial[: world.table.size].tolist())
    world.begin_tick()
    run_system(world, "predation")
    world.commit()
    return before - set(world.table.serial[: world.table.size].tolist())


def test_the_nearest_is_caught_also_behind_and_across_the_seam():
    assert eaten(meal([(2, 2)], [(8, 2), (997, 2), (500, 2)])) == {3}


@pytest.mark.parametrize(("distance", "caught"), [(10, {2}), (np.nextafter(np.float32(10), np.float32(11)), set())])
def test_at_its_very_reach_it_catches_beyond_it_does_not(distance, caught):
    assert eaten(meal([(0, 50)], [(distance, 50)])) == caught


def test_of_two_at_one_prey_the_nearer_eats_and_the_other_gets_nobody():
    world = meal([(0, 50), (9, 50)], [(5, 50), (-4, 50)])
    assert eaten(world) == {3, 4}
    world = meal([(0, 50), (9, 50)], [(5, 50)])
    assert eaten(world) == {3}
    assert world.table.columns["Predator.rest"][:2].tolist() == [0, 1]


def test_of_two_as_near_the_lower_serial_eats():
    for seed in range(4):
        world = meal([(0, 50), (8, 50)], [(4, 50)])
        world.table.reorder(np.random.default_rng(seed).permutation(3))
        assert eaten(world) == {3}
        rest = world.table.columns["Predator.rest"][world.table.rows_of(np.array([1, 2]))]
        assert rest.tolist() == [1, 0]
        world.close()


def test_one_that_was_caught_catches_nobody():
    """2 is the prey of 1, which is nearer to it than 2 is to 3."""
    world = meal([(0, 50), (4, 50)], [(12, 50)])
    world.table.set_presence([1], [Prey])
    assert eaten(world) == {2}


def test_it_rests_for_its_digestion_to_the_tick():
    """A second of digestion at 60 Hz: 60 ticks from one catch to the next."""
    world = meal([(5, 5)], [(5, 5)] * 5)
    ticks = [tick for tick in range(200) if eaten(world)]
    assert ticks == [0, 60, 120, 180]


def test_without_digestion_it_eats_one_each_tick():
    world = meal([(5, 5)], [(5, 5)] * 3, **{"Predator.digest": np.float32(0)})
    assert [len(eaten(world)) for _ in range(4)] == [1, 1, 1, 0]
    assert world.resource(Ledger).catches == 3


@pytest.mark.parametrize(("level", "room", "gain"), [(30, 100, 30), (30, 10, 10), (30, 0, 0)])
def test_it_gains_what_it_has_room_for_and_nothing_is_lost(level, room, gain):
    levels = np.array([50, level]) * AMOUNT_SCALE + 1
    values = {"Energy.level": levels, "Energy.capacity": np.array([levels[0] + room * AMOUNT_SCALE, 0])}
    world = meal([(5, 5)], [(5, 5)], **values)
    world.begin_tick()
    run_system(world, "predation")
    found = world.table.columns["Energy.level"][:2]
    assert found.sum() == levels.sum()
    assert found[0] - levels[0] == min(gain * AMOUNT_SCALE + (gain == level), room * AMOUNT_SCALE)


def test_a_catch_without_energy_ends_the_prey_all_the_same():
    world = meal([(5, 5)], [(5, 5)])
    world.table.set_presence([0], [Energy], present=False)
    assert eaten(world) == {2}


def test_what_is_already_asked_to_end_is_not_caught_and_catches_nobody():
    for dying in (1, 2):
        world = meal([(5, 5)], [(5, 5)])
        world.begin_tick()
        world.despawn([dying])
        run_system(world, "predation")
        assert world.resource(Ledger).catches == 0
        world.close()


def test_it_reaches_for_prey_where_it_is_after_moving():
    world = meal([(5, 5)], [(300, 300)])
    world.table.columns["Position.x"][1] = world.table.columns["Position.y"][1] = 5
    assert eaten(world) == {2}


def test_without_predators_or_without_prey_nothing_happens():
    assert not eaten(meal([], [(5, 5)] * 3))
    assert not eaten(meal([(5, 5)] * 3, []))
