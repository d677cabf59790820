"""What a view shows: everyone who may be seen and nobody else, each where it is, in 16 bytes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from components.look import Look
from components.motion import Motion, Position, Velocity
from components.store.prefab import Prefab
from components.store.table import MOST_PREFABS
from components.store.world import World
from sandbox import render
from sandbox.render.animals import Drawing, looks_of
from sandbox.render.room import Room
from sandbox.render.seen import BANK, BEAT, BEATS, CODE, HALF_CIRCLE, INSTANCE, RHYTHM, ROLL, Region, Seen, seen
from sandbox.render.tints import GREYED, TINTS
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.engine.threads import exactly
from tests.worlds import run, world_of

ROUNDING = 0.005  # u
ALL = Region(0.0, 0.0, math.inf, math.inf, 0.0, 0.0, 1.5, 0.0, 0.0)


@dataclass(frozen=True)
class Read:
    """What the shader reads in records: (n, 2) where each is, and was, from the middle of the view, its heading ...

    Attributes:
        bank: from -1 to 1, positive to the left.
        rhythm: from 0 to 31.
    """

    place: NDArray[np.float32]
    before: NDArray[np.float32]
    heading: NDArray[np.float64]
    bank: NDArray[np.float64]
    rhythm: NDArray[np.uint32]
    look: NDArray[np.uint32]
    code: NDArray[np.uint32]


def read(instances: NDArray[np.void]) -> Read:
    words = np.ascontiguousarray(instances["place_pose"])
    place = (words & np.uint32(0xFFFFFE00)).view(np.float32)
    pose = (words[:, 0] & 511) << 9 | words[:, 1] & 511
    y = ((pose & 0x3FF).astype(float) - HALF_CIRCLE) / HALF_CIRCLE
    x = np.where(pose & 0x400, -1, 1) * (1 - np.abs(y))
    bank = ((pose >> BANK & 31).astype(float) - ROLL - 1) / ROLL
    came = np.ascontiguousarray(instances["came"]).view(np.float16).reshape(-1, 2).astype(np.float32)
    heading = np.stack([x, y], axis=1) / np.hypot(x, y)[:, None]
    look = instances["look_code"]
    rhythm = pose >> BEAT | look >> RHYTHM << BEATS
    return Read(place, place + came, heading, bank, rhythm, look & ((1 << int(CODE)) - 1), look >> CODE & 511)


def world_with(edges: str = "open", size: tuple[float, float] = (100.0, 60.0), **columns: object) -> World:
    """Birds with these columns: `Position_x=[1, 2]`."""
    world = world_of([render.install], Settings(*size, edges))
    drawn = {component.__name__: {} for component in (Position, Velocity, Look)}
    world.prefabs = {name: Prefab(name, drawn) for name in ("bird", "fish")}
    values = {key.replace("_", ".", 1): np.asarray(value) for key, value in columns.items()}
    world.spawn("bird", len(values["Position.x"]), values)
    return world


def view(world: World, region: Region = ALL) -> Seen:
    run(world, Phase.RENDER)
    drawing = world.resource(Drawing)
    return seen(drawing, region, Room())


def everyone(world: World, region: Region = ALL) -> Read:
    return read(np.concatenate(view(world, region)))


def test_one_takes_16_bytes() -> None:
    assert INSTANCE.itemsize == 16


PLACES = st.lists(
    st.tuples(
        st.floats(0, 99, width=32), st.floats(0, 59, width=32), st.floats(-9, 9, width=32), st.floats(-9, 9, width=32),
        st.floats(0.125, 30, width=32),
    ),
    min_size=1,
    max_size=40,
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(PLACES, st.tuples(st.floats(0, 100), st.floats(0, 60)), st.floats(0.5, 90), st.floats(0.5, 70), st.booleans())
def test_in_view_is_whoever_may_be_seen_in_it(
    birds: list[tuple[float, ...]], middle: tuple[float, float], across: float, up: float, repeats: bool
) -> None:
    x, y, dx, dy, size = np.array(birds, np.float32).T
    world = world_with("wrap" if repeats else "open", Position_x=x, Position_y=y, Look_size=size)
    world.table.columns["Position.previous.x"][: len(x)] = np.mod(x + dx, 100) if repeats else x + dx
    world.table.columns["Position.previous.y"][: len(x)] = np.mod(y + dy, 60) if repeats else y + dy
    region = Region(*middle, across, up, *((100.0, 60.0) if repeats else (0.0, 0.0)), 1.5, 2.0, 8.0)
    found = view(world, region)
    for detail, level in enumerate(found):
        own = (size >= 2).astype(int) + (size >= 8) == detail
        around = 1.5 * np.maximum(size[own], 2)[:, None]
        surely, maybe = [], []
        for worlds in product(range(-3, 4), repeat=2) if repeats else [(0, 0)]:
            here = np.stack([x[own], y[own]], axis=1) + np.array(worlds) * (100.0, 60.0) - middle
            way = np.stack([dx[own], dy[own]], axis=1)
            low, high = np.minimum(here, here + way) - around, np.maximum(here, here + way) + around
            for places, margin in ((surely, -ROUNDING), (maybe, ROUNDING)):
                limit = np.array((across, up)) + margin
                places += here[((low <= limit) & (high >= -limit)).all(1)].tolist()
        places = read(level).place.astype(float)
        assert len(surely) <= len(places) <= len(maybe)
        assert all(np.abs(places - place).max(1).min() < ROUNDING for place in surely)
        assert all(np.abs(np.array(maybe) - place).max(1).min() < ROUNDING for place in places)
    world.close()


@settings(deadline=None, max_examples=60)
@given(
    PLACES, *[st.tuples(st.floats(0, 100), st.floats(0, 60), st.floats(1, 60), st.floats(0.7, 1.4))] * 2, st.booleans()
)
def test_a_sight_that_covers_a_view_has_whoever_is_in_it(
    birds: list[tuple[float, ...]], one: tuple[float, ...], other: tuple[float, ...], repeats: bool
) -> None:
    x, y, _, _, size = np.array(birds, np.float32).T
    world = world_with("wrap" if repeats else "open", Position_x=x, Position_y=y, Look_size=size)
    apart = (100.0, 60.0) if repeats else (0.0, 0.0)
    seen_from = [
        Region(middle_x, middle_y, across, across, *apart, 1.5, 2.0 * detail, 8.0 * detail)
        for middle_x, middle_y, across, detail in (one, other)
    ]
    wide, narrow = seen_from[0].wider(), seen_from[1]
    if wide.covers(narrow):
        there = everyone(world, wide).place + np.array(wide.offset(narrow))
        for place in everyone(world, narrow).place:
            assert np.abs(there - place).max(1).min() < 2 * ROUNDING
    assert wide.covers(seen_from[0])
    assert wide.shows(seen_from[0])
    if wide.shows(narrow):
        assert wide.covers(narrow)
        assert wide.offset(narrow) == (0, 0)
        assert (wide.least, wide.coarse) == (narrow.least, narrow.coarse)
    world.close()


@settings(deadline=None, max_examples=60)
@given(
    st.floats(-1e6, 1e6, width=32), st.floats(-640, 640), st.floats(-1e4, 1e4, width=32), st.floats(-1e4, 1e4, width=32)
)
def test_places_movement_and_heading_are_exact_to_far_less_than_a_pixel(
    x: float, off: float, vx: float, vy: float
) -> None:
    middle = float(np.float32(x)) + off
    previous = np.float32(x) + np.float32(vx) / np.float32(60)
    world = world_with(Position_x=[x], Position_y=[7], Velocity_x=[vx], Velocity_y=[vy])
    world.table.columns["Position.previous.x"][0] = previous
    found = everyone(world, ALL._replace(x=middle))
    way = float(previous) - float(np.float32(x))
    assert found.place[0, 0] == pytest.approx(-off, rel=2**-15, abs=1e-9)
    assert found.before[0, 0] - found.place[0, 0] == pytest.approx(way, rel=2**-10, abs=2**-14 + 2**-20 * abs(off))
    if speed := math.hypot(vx, vy):
        assert np.abs(found.heading[0] - np.array([vx, vy]) / speed).max() < 2e-3
    world.close()


def test_headings_along_the_axes_are_exact() -> None:
    four = [(5, 0), (0, 5), (-5, 0), (0, -5)]
    x, y = np.array(four).T
    world = world_with(Position_x=np.arange(4), Position_y=np.zeros(4), Velocity_x=x, Velocity_y=y)
    assert everyone(world).heading.tolist() == [[1, 0], [0, 1], [-1, 0], [0, -1]]


def test_what_does_not_move_has_no_heading_even_in_the_row_of_one_that_did() -> None:
    world = world_with(Position_x=[1, 2], Position_y=[0, 0], Velocity_x=[-30, -30])
    world.remove(int(world.table.serial[0]), Velocity)
    assert everyone(world).heading.tolist() == [[1, 0], [-1, 0]]


def test_who_turns_banks_to_that_side_the_more_the_faster_it_turns_and_only_in_detail() -> None:
    turns = np.array([0, 1, -1, 3, -3, 100])  # rad/s
    n = len(turns)
    world = world_with(
        Position_x=np.arange(n), Position_y=np.zeros(n), Velocity_x=np.full(n, 20), Velocity_y=np.zeros(n)
    )
    assert set(everyone(world).bank) == {0.0}  # without a Motion nobody knows
    for row, turn in enumerate(turns.tolist()):
        world.add(int(world.table.serial[row]), Motion)
        world.table.columns["Motion.acceleration.y"][row] = 20 * turn
    assert everyone(world).bank == pytest.approx(turns / (3 + np.abs(turns)), abs=0.5 / ROLL)
    assert set(everyone(world, ALL._replace(least=99.0, coarse=99.0)).bank + 0.0) == {-(ROLL + 1) / ROLL}


def test_each_keeps_a_rhythm_of_its_own_whatever_its_row() -> None:
    world = world_with(Position_x=np.arange(300), Position_y=np.zeros(300))
    before = everyone(world)
    assert len(set(before.rhythm)) == 32
    world.table.reorder(np.arange(300)[::-1])
    assert everyone(world).rhythm.tolist() == before.rhythm[::-1].tolist()


def test_on_a_torus_each_comes_the_short_way() -> None:
    world = world_with("wrap", Position_x=[1, 50], Position_y=[1, 59])
    world.table.columns["Position.previous.x"][:2], world.table.columns["Position.previous.y"][:2] = [99, 52], [1, 1]
    assert (everyone(world).before - everyone(world).place).tolist() == [[-2, 0], [2, 2]]


def test_they_come_by_detail_and_then_in_the_order_of_rows_on_any_number_of_threads() -> None:
    rng = np.random.default_rng(5)
    size, x = rng.uniform(0.5, 20, 5000).astype(np.float32), rng.uniform(0, 1e4, 5000).astype(np.float32)
    world = world_with(Position_x=x, Position_y=x, Look_size=size)
    region = ALL._replace(least=2.0, coarse=8.0)
    with exactly(1):
        alone = [level.tobytes() for level in view(world, region)]
    with exactly(4):
        together = view(world, region)
    assert [level.tobytes() for level in together] == alone
    for detail, level in enumerate(together):
        rows = np.flatnonzero((size >= 2).astype(int) + (size >= 8) == detail)
        np.testing.assert_allclose(read(level).place[:, 0], x[rows], rtol=2**-15)


def looked_up(world: World) -> NDArray[np.void]:
    """The look of everyone."""
    found = everyone(world).look
    return world.resource(Drawing).drawn.looks[found]


def test_each_has_its_own_look() -> None:
    world = world_with(Position_x=np.arange(50), Position_y=np.zeros(50))
    assert len(looks_of(world.table, world.table.clocks(Look))) == MOST_PREFABS
    world.table.write("Look.size", slice(10, 20), 7.0)
    world.table.write("Look.shape", 30, 3)
    looks, table = looked_up(world), world.table
    assert looks["size"].tolist() == table.columns["Look.size"][:50].tolist()
    assert (looks["shape_colour"] >> 24).tolist() == table.columns["Look.shape"][:50].tolist()
    assert (looks["shape_colour"] & 0xFFFFFF).tolist() == table.columns["Look.colour"][:50].tolist()


def test_births_deaths_and_other_rows_change_no_looks() -> None:
    world = world_with(Position_x=np.arange(50), Position_y=np.zeros(50))
    before = looks_of(world.table, world.table.clocks(Look))
    world.spawn("bird", 20)
    world.despawn(int(world.table.serial[3]))
    world.commit()
    world.table.reorder(np.arange(world.table.size)[::-1])
    assert looks_of(world.table, world.table.clocks(Look)).tobytes() == before.tobytes()
    assert len(looked_up(world)) == 69


def test_a_code_says_what_one_is_coloured_by() -> None:
    world = world_with(Position_x=[1, 2, 3], Position_y=[0, 0, 0], Velocity_x=[4, 0, 0], Velocity_y=[0, 4, 0])
    assert everyone(world).code.tolist() == [0, 0, 0]
    world.resource(Pipeline).by_name["render"].colour = TINTS.index("heading")
    assert everyone(world).code.tolist() == [2, 2 + 64, 1 + GREYED]
