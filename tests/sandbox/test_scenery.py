"""What is drawn of the scenery: each thing once where it is, on top of what lies below, on a torus also beyond."""

from __future__ import annotations

import numpy as np
import pytest

from components.store.fields import AMOUNT_SCALE
from components.store.prefab import Prefab
from components.store.world import World
from sandbox import render
from sandbox.render.animals import Drawing
from sandbox.render.scenery import Landscape
from sandbox.render.things import AIR, COLOURS, EDGE, FACE, PLANT, RING, ROCK
from systems.engine.settings import Settings
from systems.engine.system import Phase
from tests.worlds import run, world_of

SIZE = (400.0, 300.0)
KINDS = ("Obstacle", "Wind", "Food", "Goal")
FORM_OF = dict(zip(KINDS, (ROCK, AIR, PLANT, RING), strict=True))


def world_with(edges: str = "turn") -> World:
    world = world_of([render.install], Settings(*SIZE, edges=edges))
    prefabs = {kind: {"Position": {}, kind: {}} for kind in KINDS} | {"Wall": {"Wall": {}}}
    prefabs |= {"Lamp": {"Position": {}, "Look": {}}, "Bird": {"Position": {}, "Velocity": {}, "Look": {}}}
    world.prefabs = {name: Prefab(name, components) for name, components in prefabs.items()}
    return world


def put(world: World, prefab: str, x: float = 0.0, y: float = 0.0, **values: float) -> None:
    own = {key.replace("_", ".", 1): value for key, value in values.items()}
    world.spawn(prefab, 1, own if prefab == "Wall" else {"Position.x": x, "Position.y": y, **own})


def forms(world: World) -> np.ndarray:
    run(world, Phase.RENDER)
    return world.resource(Landscape).forms


def kinds(world: World) -> list[int]:
    return (forms(world)["kind_colour"] >> 24).tolist()


def test_wind_lies_lowest_and_walls_on_top_whatever_the_rows() -> None:
    world = world_with()
    for name in ("Wall", "Obstacle", "Goal", "Food", "Wind", "Wall", "Obstacle"):
        put(world, name, 50, 60)
    expected = forms(world).copy()
    assert kinds(world) == [AIR, PLANT, RING, ROCK, ROCK, EDGE, EDGE, FACE, FACE]
    world.table.reorder(np.random.default_rng(1).permutation(world.table.size))
    assert forms(world).tobytes() == expected.tobytes()


@pytest.mark.parametrize("kind", KINDS)
def test_a_thing_has_the_colour_of_its_look_or_else_of_its_kind(kind: str) -> None:
    world = world_with()
    put(world, kind, 50, 60)
    put(world, kind, 50, 60, Look_colour=0x123456)
    assert (forms(world)["kind_colour"] & 0xFFFFFF).tolist() == [COLOURS[FORM_OF[kind]], 0x123456]


@pytest.mark.parametrize(("kind", "flow"), [(0, (0, -30)), (1, (-30, 0)), (2, (-30, 0)), (3, (0, -30))])
def test_wind_tells_where_it_flows(kind: int, flow: tuple[float, float]) -> None:
    world = world_with()
    put(world, "Wind", 50, 60, Wind_kind=kind, Wind_direction=90, Wind_strength=-30, Wind_radius=70, Wind_softness=0.5)
    (form,) = forms(world)
    assert form["kind_colour"] >> 24 == AIR + kind
    assert form["radius"] == 70
    assert form["own"][:3] == pytest.approx((*flow, 0.5), abs=1e-5)


@pytest.mark.parametrize(("amount", "capacity", "width"), [(100, 100, 1), (25, 100, 0.5), (0, 100, 0), (9, 0, 1)])
def test_the_area_of_food_is_what_is_left_of_it(amount: float, capacity: float, width: float) -> None:
    world = world_with()
    put(world, "Food", 50, 60, Food_amount=amount * AMOUNT_SCALE, Food_capacity=capacity * AMOUNT_SCALE)
    assert forms(world)["own"][0, 0] == pytest.approx(width)


def seen_of(world: World) -> set[tuple[float, float, float, float]]:
    return {tuple(np.concatenate([form["begin"], form["end"]]).tolist()) for form in forms(world)}


@pytest.mark.parametrize(
    ("x", "y", "copies"),
    [
        (200, 150, []),
        (5, 150, [(405, 150)]),
        (395, 150, [(-5, 150)]),
        (200, 295, [(200, -5)]),
        (5, 5, [(405, 5), (5, 305), (405, 305)]),
    ],
)
def test_on_a_torus_what_reaches_over_an_edge_is_on_the_other_side_too(
    x: float, y: float, copies: list[tuple[float, float]]
) -> None:
    world = world_with("wrap")
    put(world, "Obstacle", x, y, Obstacle_radius=10)
    assert seen_of(world) == {(*place, *place) for place in [(x, y), *copies]}
    world.resource(Settings).edges = "turn"
    assert seen_of(world) == {(x, y, x, y)}


def test_a_wall_over_an_edge_of_a_torus_comes_in_on_the_other_side() -> None:
    world = world_with("wrap")
    put(world, "Wall", Wall_ax=380, Wall_ay=100, Wall_bx=430, Wall_by=110)
    assert seen_of(world) == {(380, 100, 430, 110), (-20, 100, 30, 110)}


def test_a_wall_placed_a_world_away_is_drawn_inside() -> None:
    world = world_with("wrap")
    put(world, "Wall", Wall_ax=380 + 4000, Wall_ay=100 - 3000, Wall_bx=390 + 4000, Wall_by=110 - 3000)
    assert seen_of(world) == {(380, 100, 390, 110)}


@pytest.mark.parametrize("radius", [1e5, 1e3])
def test_the_largest_thing_is_drawn_no_more_often_than_a_few_times(radius: float) -> None:
    world = world_with("wrap")
    put(world, "Obstacle", 200, 150, Obstacle_radius=radius)
    assert 1 <= len(forms(world)) <= 25


def test_what_moves_over_an_edge_glides_on() -> None:
    world = world_with("wrap")
    put(world, "Obstacle", 397, 150, Obstacle_radius=2)
    world.table.columns["Position.x"][0] = 3
    assert seen_of(world) == {(-3, 150, 3, 150), (397, 150, 403, 150)}


def test_what_scenery_draws_is_drawn_as_no_animal() -> None:
    world = world_with()
    for kind in KINDS:
        put(world, kind, 50, 60, Look_size=5)
    put(world, "Wall", Look_size=5)
    put(world, "Lamp", 10, 20)
    put(world, "Bird", 30, 20)
    put(world, "Bird", 70, 20, Goal_radius=50)
    run(world, Phase.RENDER)
    rows = world.resource(Drawing).rows
    assert world.table.columns["Position.x"][rows].tolist() == [10, 30, 70]


def test_of_nothing_nothing_is_drawn() -> None:
    world = world_with("wrap")
    put(world, "Bird")
    assert len(forms(world)) == 0
