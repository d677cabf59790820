"""Flocks keep their colour while they move, part and meet; what they do is told once it has lasted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.store.world import World
from sandbox import render
from sandbox.render.animals import Drawing
from sandbox.render.colour_scales import LIKENESS, PALETTE, lab
from sandbox.render.followed import Change, FollowedFlocks, followed
from sandbox.render.tints import FLOCK
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.space.linked import ALONE, linked_groups
from tests import flocks, reference
from tests.worlds import MEASURING, populated, run

SIZE = 2000.0
RATE = 60
LOOK = 6  # ticks
HALF = 30 + LOOK  # ticks in which anything has lasted


class Seen:
    """A world of boids that are put where a test wants them, some ticks later, with their colours."""

    def __init__(self, places: np.ndarray, edges: str = "wrap", shuffle: int | None = None) -> None:
        self.shuffle = np.random.default_rng(shuffle) if shuffle is not None else None
        values = {f"Position.{axis}": column for axis, column in zip("xy", in_world(places, edges), strict=True)}
        self.edges = edges
        self.world: World = populated((*MEASURING, render.install), Settings(SIZE, SIZE, edges), values)
        self.flocks = followed(self.world)

    def go(self, places: np.ndarray, ticks: int = LOOK) -> np.ndarray:
        table = self.world.table
        if self.shuffle is not None:
            table.reorder(self.shuffle.permutation(table.size))
        rows = table.rows_by_serial()
        for axis, column in zip("xy", in_world(places, self.edges), strict=True):
            table.write(f"Position.{axis}", rows, column)
        self.world.tick += ticks
        self.flocks = followed(self.world)
        return self.colours()

    def stay(self, places: np.ndarray, ticks: int) -> np.ndarray:
        for _ in range(ticks // LOOK):
            found = self.go(places)
        return found

    def colours(self) -> np.ndarray:
        """Of each in the order of their serials; 0: none."""
        return self.flocks.codes(self.world)[self.world.table.rows_by_serial()].astype(int)


def in_world(places: np.ndarray, edges: str) -> np.ndarray:
    return (places % SIZE if edges == "wrap" else places).astype(np.float32).T


def row_of(count: int, x: float, y: float) -> np.ndarray:
    """So many side by side, 10 u from each to the next."""
    return np.stack([x + 10 * np.arange(count), np.full(count, y)], axis=1)


def one(colours: np.ndarray) -> int:
    """The colour that all of them have."""
    assert len(set(colours.tolist())) == 1, colours
    return int(colours[0])


@pytest.mark.parametrize("edges", ["open", "wrap"])
@pytest.mark.parametrize("layout", flocks.LAYOUTS)
def test_who_is_in_one_group_is_linked_and_nobody_else(layout: str, edges: str) -> None:
    for seed in range(6):
        flock = flocks.generated(layout, edges, seed)
        x, y = (flock.values[f"Position.{axis}"].astype(float) for axis in "xy")
        offsets = reference.exact_offsets({"Position.x": x, "Position.y": y}, flock.settings.torus)
        near = np.sqrt(reference.squares(offsets)) < 30
        for _ in x:
            near = near | (near.astype(int) @ near > 0)
        groups, sizes = linked_groups((x, y), 30.0, flock.settings.torus)
        alone = near.sum(axis=1) <= 1
        assert ((groups == ALONE) == alone).all()
        together = (groups[:, None] == groups) & ~alone[:, None] & ~alone
        assert (together == (near & ~alone)).all(), f"seed {seed}"
        assert sizes.tolist() == np.bincount(groups[~alone]).tolist()


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(2, 30), st.floats(-300, 300), st.floats(-300, 300)), min_size=1, max_size=8),
    st.integers(0, 9),
)
def test_flocks_that_keep_apart_keep_their_colours_wherever_they_go(
    given: list[tuple[int, float, float]], seed: int
) -> None:
    lines = np.repeat(np.arange(len(given)), [count for count, *_ in given])
    start = np.concatenate([row_of(count, 0, 200 * n) for n, (count, *_) in enumerate(given)])
    way = np.array([x for _, x, _ in given])[lines]
    seen = Seen(start, shuffle=seed)
    first = seen.colours()
    for seconds in np.arange(1, 20) / 10:
        found = seen.go(start + np.stack([way * seconds, np.full(len(way), 70 * seconds)], axis=1))
        assert (found == first).all()
    assert (first > 0).all()
    assert all(one(first[lines == n]) for n in range(len(given)))
    assert seen.flocks.count == len(given)
    assert seen.flocks.largest == max(count for count, *_ in given)
    assert seen.flocks.changes == []


def test_flocks_that_are_near_each_other_differ_clearly() -> None:
    places = np.concatenate([row_of(12, 150 * (n % 8), 60 * (n // 8)) for n in range(40)])
    colours = Seen(places, "open").colours().reshape(40, 12)[:, 0].reshape(5, 8) - 1
    for beside in (colours[1:], colours[:-1]), (colours[:, 1:], colours[:, :-1]):
        assert LIKENESS[beside[0], beside[1]].max() < 0.5


@pytest.mark.parametrize("species", PALETTE.tolist())
def test_the_largest_flocks_differ_clearly_however_far_apart_and_many_small_ones_are_between(species: int) -> None:
    sizes = [60, 50, 40, 30] + 12 * [4]
    places = np.concatenate([row_of(count, 30, 120 * (n * 7 % len(sizes))) for n, count in enumerate(sizes)])
    seen = Seen(np.zeros((0, 2)), "open")
    seen.world.prefabs["kind0"].components["Look"] = {"colour": species}
    seen.world.spawn("kind0", len(places), {"Position.x": places[:, 0], "Position.y": places[:, 1]})
    seen.world.tick += LOOK
    seen.flocks = followed(seen.world)
    largest = seen.colours()[np.cumsum(sizes)[:4] - 1] - 1
    found = lab(np.stack([PALETTE[largest] >> bits & 255 for bits in (16, 8, 0)], axis=1) / 255)
    assert np.linalg.norm(found[:, None] - found, axis=2)[~np.eye(4, dtype=bool)].min() > 0.19


def test_who_is_alone_is_grey_and_who_leaves_turns_grey_after_half_a_second() -> None:
    places = np.concatenate([row_of(12, 100, 100), [[900, 900]]])
    seen = Seen(places)
    assert seen.colours()[-1] == 0
    assert (seen.colours()[:-1] > 0).all()
    places[11] = 500, 900
    assert seen.go(places)[11] > 0
    assert seen.stay(places, HALF)[11] == 0


def test_a_part_that_leaves_has_a_colour_of_its_own_after_half_a_second_and_the_larger_part_keeps_its_colour() -> None:
    together = row_of(30, 100, 100)
    seen = Seen(together)
    before = one(seen.colours())
    apart = together + np.where(np.arange(30) < 11, 0, 200)[:, None]
    assert one(seen.stay(apart, 30)) == before
    assert seen.flocks.changes == []
    after = seen.go(apart)
    assert one(after[11:]) == before
    assert one(after[:11]) != before
    assert seen.flocks.changes == [Change(LOOK, joined=False)]


def test_two_that_meet_have_one_colour_after_half_a_second_that_of_the_larger() -> None:
    apart = np.concatenate([row_of(12, 100, 100), row_of(20, 100, 400)])
    seen = Seen(apart)
    before = seen.colours()
    joined = np.concatenate([row_of(12, 100, 100), row_of(20, 100, 110)])
    assert (seen.stay(joined, 30) == before).all()
    assert one(seen.go(joined)) == before[-1]
    assert seen.flocks.changes == [Change(LOOK, joined=True)]


def test_flocks_that_touch_for_a_moment_or_lose_sight_for_one_change_nothing() -> None:
    apart = np.concatenate([row_of(12, 100, 100), row_of(20, 100, 400)])
    joined = np.concatenate([row_of(12, 100, 100), row_of(20, 100, 110)])
    split = apart + np.where(np.arange(32) < 22, 0, 80)[:, None]
    seen = Seen(apart)
    before = seen.colours()
    for moment in (joined, split):
        for _ in range(3):
            assert (seen.stay(moment, 24) == before).all()
            assert (seen.stay(apart, 12) == before).all()
    assert (seen.stay(apart, 2 * HALF) == before).all()
    assert seen.flocks.changes == []


@pytest.mark.parametrize(("size", "told"), [(9, 0), (10, 1)])
def test_what_fewer_than_ten_do_is_not_told(size: int, told: int) -> None:
    together = row_of(20 + size, 100, 100)
    seen = Seen(together)
    seen.stay(together + np.where(np.arange(20 + size) < size, 0, 200)[:, None], HALF + LOOK)
    assert len(seen.flocks.changes) == told


def test_a_flock_across_the_seam_of_a_torus_is_one() -> None:
    over = row_of(20, SIZE - 100, 50)
    assert one(Seen(over).colours())
    assert Seen(over).flocks.count == 1
    assert Seen(over % SIZE, "open").flocks.count == 2


@pytest.mark.parametrize("ticks", [-600, 600])
def test_after_a_leap_in_time_a_flock_that_is_still_together_has_its_colour(ticks: int) -> None:
    here = np.concatenate([row_of(12, 100 + 300 * n, 100 + 200 * (n % 4)) for n in range(6)])
    seen = Seen(here, shuffle=3)
    before = seen.stay(here, 1200)
    assert len(set(before.tolist())) > 3
    there = here + np.repeat([(700, -300), (-200, 500), (30, 900), (0, 0), (-900, 100), (10, -10)], 12, axis=0)
    assert seen.go(there, ticks).tolist() == before.tolist()
    assert seen.go(here, -ticks).tolist() == before.tolist()
    assert seen.flocks.changes == []


def test_flocks_have_other_colours_than_the_species() -> None:
    for taken in range(len(PALETTE)):
        seen = Seen(np.zeros((0, 2)))
        look = {"colour": int(PALETTE[taken])}
        seen.world.prefabs["kind0"].components["Look"] = look
        seen.world.spawn("kind0", 12, {"Position.x": 100 + 10 * np.arange(12), "Position.y": 100})
        seen.world.tick += LOOK
        seen.flocks = followed(seen.world)
        assert LIKENESS[one(seen.colours()) - 1, taken] == 0


def test_whoever_the_measure_of_flocks_links_is_one_flock() -> None:
    apart = np.concatenate([row_of(12, 100, 100), row_of(20, 100, 160)])
    seen = Seen(apart)
    assert seen.flocks.count == 2
    seen.world.resource(Pipeline).by_name["flocks"].link = 61.0
    seen.go(apart)
    assert (seen.flocks.count, seen.flocks.largest) == (1, 32)


def test_after_a_leap_in_time_no_changes_are_told() -> None:
    apart = np.concatenate([row_of(12, 100, 100), row_of(20, 100, 400)])
    joined = np.concatenate([row_of(12, 100, 100), row_of(20, 100, 110)])
    for ticks in (-600, 600):
        seen = Seen(apart)
        seen.stay(apart, 1200)
        seen.stay(joined, HALF)
        assert seen.flocks.changes
        one(seen.go(apart, ticks)[:12])
        assert seen.colours()[0] != seen.colours()[-1]
        assert seen.flocks.changes == []
        assert seen.flocks.begin == seen.world.tick


def test_at_each_time_they_have_the_colours_that_they_had_then() -> None:
    """Two flocks join, a third parts: later and back, each tick is coloured as at first."""
    seen = Seen(story(0.0), shuffle=3)
    first = {tick: seen.go(story(tick / 60)) for tick in range(LOOK, 6 * RATE, LOOK)}
    assert len({tuple(colours) for colours in first.values()}) > 2
    for tick in (60, 300, 150, 354, 12, 210):
        found = seen.go(story(tick / 60), tick - seen.world.tick)
        assert np.mean(found == first[tick]) > 0.98, tick


def test_a_copy_has_the_same_colours_and_goes_on_by_itself() -> None:
    seen, other = Seen(row_of(12, 100, 100)), Seen(row_of(12, 100, 100))
    seen.stay(np.concatenate([row_of(6, 100, 100), row_of(6, 400, 400)]), 60)
    before = seen.colours()
    other.world.resources[FollowedFlocks], other.world.tick = seen.flocks.copy(), seen.world.tick
    assert (other.go(np.concatenate([row_of(6, 100, 100), row_of(6, 400, 400)])) == before).all()
    other.stay(row_of(12, 100, 100), 60)
    assert (seen.colours() == before).all()


def story(seconds: float) -> np.ndarray:
    """Of 90: two flocks of 30 that meet after two seconds, and one whose halves part after three."""
    parts = 100.0 * max(seconds - 3, 0)
    return np.concatenate(
        [
            row_of(30, 100, 100),
            row_of(30, max(800 - 200 * seconds, 400), 100),
            row_of(15, 100, 600),
            row_of(15, 250 + parts, 600),
        ]
    )


@pytest.mark.parametrize("boids", [90, 1])
def test_memories_of_flocks_are_bounded(monkeypatch: pytest.MonkeyPatch, boids: int) -> None:
    monkeypatch.setattr("sandbox.render.remembered.REMEMBERED", 5000)
    seen = Seen(story(0.0)[:boids])
    for _ in range(200):
        seen.go(story(0.0)[:boids])
        assert len(seen.flocks._remembered) * (boids + 200) <= 5000
    assert len(seen.flocks._remembered) > 5  # over the whole time
    assert seen.flocks._remembered.last(0) is not None
    assert seen.flocks._remembered.last(seen.world.tick)[0] > seen.world.tick / 2  # type: ignore[index]


def first_seen_at(tick: int) -> Seen:
    """The story, followed from this tick on."""
    seen = Seen(story(tick / 60), shuffle=3)
    del seen.world.resources[FollowedFlocks]
    seen.world.tick = tick
    seen.go(story(tick / 60), 0)
    return seen


def test_what_was_first_seen_in_the_past_keeps_its_colours_too() -> None:
    seen, first = first_seen_at(360), {}
    for tick in (120, 240, 30):
        first[tick] = seen.go(story(tick / 60), tick - seen.world.tick)
    for tick in (240, 30, 120):
        assert (seen.go(story(tick / 60), tick - seen.world.tick) == first[tick]).all(), tick


def test_small_steps_back_lead_to_the_flocks_of_then() -> None:
    """From the end, where the halves have parted and two have joined, to the begin, where it is the other way round."""
    seen = first_seen_at(360)
    for tick in range(360 - LOOK, 0, -LOOK):
        found = seen.go(story(tick / 60), tick - seen.world.tick)
    assert one(found[:30]) != one(found[30:60])
    assert one(found[60:]) > 0


def test_another_branch_has_flocks_of_its_own() -> None:
    seen = Seen(story(0.0))
    for _ in range(40):
        seen.go(story(seen.world.tick / 60))
    assert [change.joined for change in seen.flocks.changes] == [True, False]
    seen.flocks.forget_after(60)
    assert seen.flocks.changes == []
    apart = seen.go(story(0.0), 90 - seen.world.tick)
    assert one(apart[:30]) != one(apart[30:60])
    assert one(apart[60:]) > 0


def test_the_young_are_of_the_flock_that_they_are_born_in() -> None:
    seen = Seen(row_of(12, 100, 100))
    colour = one(seen.colours())
    seen.world.spawn("kind0", 3, {"Position.x": [105, 115, 125], "Position.y": 101})
    seen.world.tick += LOOK
    seen.flocks = followed(seen.world)
    assert one(seen.colours()) == colour


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_are_followed_too(count: int) -> None:
    seen = Seen(row_of(count, 100, 100))
    colours = seen.stay(row_of(count, 200, 100), HALF)
    assert one(colours) > 0 if count == 2 else colours.tolist() == [0] * count


def test_they_are_followed_only_where_they_give_the_colours() -> None:
    world = Seen(row_of(12, 100, 100)).world
    del world.resources[FollowedFlocks]
    run(world, Phase.RENDER)
    assert FollowedFlocks not in world.resources
    world.resource(Pipeline).by_name["render"].colour = FLOCK
    run(world, Phase.RENDER)
    legend = world.resource(Drawing).legend
    assert legend is not None
    assert (legend.low, legend.high) == (1, 12)
