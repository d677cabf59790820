"""How the scenery looks: each thing where it is and as large as it is, under the animals, at any zoom."""

from __future__ import annotations

import numpy as np
import pytest

from components.look import SHAPES
from components.store.prefab import Prefab
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry, Scene
from systems.engine.settings import Settings

from .conftest import OpenWindow, drifting, middle, pixels, places

pytestmark = pytest.mark.painted

TICK = 0.1  # s


def with_scenery(*entries: Entry, edges: str = "turn") -> Scene:
    scene = drifting(*entries)
    look = {"shape": SHAPES.index("dot"), "colour": 0xFF0000, "size": 10.0}
    scene.settings = Settings(640, 360, edges, tick_rate=10)
    scene.prefabs |= {
        kind.lower(): Prefab(kind.lower(), {"Position": {}, kind: {}, "Look": look})
        for kind in ("Obstacle", "Wind", "Food", "Goal")
    }
    scene.prefabs["wall"] = Prefab("wall", {"Wall": {}, "Look": look})
    return scene


def wall(ax: float, ay: float, bx: float, by: float, thickness: float = 10) -> Entry:
    ends = dict(zip(("ax", "ay", "bx", "by"), (ax, ay, bx, by), strict=True)) | {"thickness": thickness}
    return Entry("wall", values={f"Wall.{key}": float(value) for key, value in ends.items()})


def changed(window: FlockWindow, bare: FlockWindow, least: int = 12) -> np.ndarray:
    """Where a picture differs from that of a bare world: x and y of each pixel, shape (n, 2)."""
    differ = np.abs(pixels(window).astype(int) - pixels(bare)).max(-1)
    return np.argwhere(differ > least)[:, ::-1]


def test_an_obstacle_is_a_disc_as_large_as_it_is(open_on: OpenWindow) -> None:
    window = open_on(with_scenery(Entry("obstacle", at=(400, 260), values={"Obstacle.radius": 60.0})))
    picture = pixels(window).astype(int)
    red = np.argwhere(picture[..., 0] - picture[..., 1:].max(-1) > 50)[:, ::-1] + 0.5
    away = np.hypot(*(red[red[:, 1] > 190] - (400, 260)).T)
    assert away.max() == pytest.approx(60, abs=1)
    assert len(away) == pytest.approx(np.pi * 60**2, rel=0.03)


def test_light_comes_from_the_sunset(open_on: OpenWindow) -> None:
    window = open_on(with_scenery(Entry("obstacle", at=(300, 180), values={"Obstacle.radius": 80.0})))
    picture = pixels(window)[..., 0].astype(int)
    assert picture[180 - 42, 300 - 56] > picture[180 + 42, 300 + 56] + 30


@pytest.mark.parametrize(
    ("ends", "thickness", "inside", "outside"),
    [
        ((100, 100, 300, 100), 20, [(95, 100), (200, 108), (305, 100)], [(200, 114), (85, 100), (315, 100)]),
        ((100, 100, 200, 200), 12, [(150, 150), (152, 146)], [(160, 140), (100, 200), (210, 210)]),
        ((100, 100, 100, 100), 20, [(100, 100), (107, 100)], [(114, 100)]),
    ],
)
def test_a_wall_is_as_thick_as_it_is_and_round_at_its_ends(
    open_on: OpenWindow,
    ends: tuple[float, float, float, float],
    thickness: float,
    inside: list[tuple[int, int]],
    outside: list[tuple[int, int]],
) -> None:
    window = open_on(with_scenery(wall(*ends, thickness)))
    found = {tuple(place) for place in changed(window, open_on(with_scenery()))}
    assert set(inside) <= found
    assert not set(outside) & found


def test_a_thin_wall_is_still_seen_from_afar(open_on: OpenWindow) -> None:
    scene = with_scenery(wall(100, 8_000, 63_000, 8_000, 1))
    scene.settings = Settings(64_000, 36_000, "turn")
    bare = with_scenery()
    bare.settings = scene.settings
    assert len(np.unique(changed(open_on(scene), open_on(bare))[:, 0])) > 620


def test_where_walls_meet_nothing_parts_them(open_on: OpenWindow) -> None:
    window = open_on(with_scenery(wall(100, 100, 300, 100, 16), wall(300, 100, 300, 300, 16)))
    one = open_on(with_scenery(wall(100, 100, 300, 100, 16)))
    face = pixels(one)[100, 200]
    assert np.abs(pixels(window)[96:104, 260:304].astype(int) - face).max() == 0


@pytest.mark.parametrize("kind", range(4))
def test_wind_is_faint_moves_with_time_and_hides_no_animal(open_on: OpenWindow, kind: int) -> None:
    wind = Entry("wind", at=(320, 180), values={"Wind.kind": kind, "Wind.radius": 120.0, "Wind.strength": 50.0})
    bird = Entry("green", at=(320, 230), velocity=(0, 0))
    window, bare = open_on(with_scenery(wind, bird)), open_on(with_scenery(bird))
    before, sky = pixels(window).astype(int), pixels(bare).astype(int)
    assert 5 < np.abs(before - sky).max() < 90
    assert len(places(before, 1)) == len(places(sky, 1))
    far = np.hypot(*(changed(window, bare, 3) + 0.5 - (320, 180)).T)
    assert far.max() < 122
    assert (pixels(window) == before).all()
    window.on_update(TICK)
    window.on_update(TICK / 2)
    moved = pixels(window).astype(int)
    assert np.abs(moved - before).max() > 5
    window.session.clock.paused = True
    window.on_update(TICK)
    assert (pixels(window) == moved).all()


def test_food_shrinks_as_it_is_eaten(open_on: OpenWindow) -> None:
    def drawn(amount: int) -> int:
        values = {"Food.amount": amount, "Food.capacity": 100, "Look.size": 60.0}
        picture = pixels(open_on(with_scenery(Entry("food", at=(300, 180), values=values)))).astype(int)
        return int((picture[..., 0] - picture[..., 1:].max(-1) > 90).sum())

    full = drawn(100)
    assert full > 1000
    assert drawn(25) == pytest.approx(full / 4, rel=0.1)
    assert drawn(0) == 0


def test_a_goal_is_a_dot_in_a_ring(open_on: OpenWindow) -> None:
    window = open_on(with_scenery(Entry("goal", at=(300, 180), values={"Look.size": 50.0})))
    assert middle(places(pixels(window))) == pytest.approx((300, 180), abs=1)
    picture = pixels(window)[..., 0]
    assert picture[180, 300] > 200
    assert picture[180, 300 + 31] > picture[180, 300 + 18] + 40


def test_animals_are_drawn_over_all_scenery(open_on: OpenWindow) -> None:
    entries = [
        Entry("obstacle", at=(320, 180), values={"Obstacle.radius": 90.0}),
        Entry("food", at=(320, 180), values={"Look.size": 40.0}),
        Entry("goal", at=(320, 180)),
        wall(200, 180, 440, 180, 30),
    ]
    window = open_on(with_scenery(*entries, Entry("green", at=(320, 180), velocity=(0, 0))))
    assert len(places(pixels(window), 1)) == pytest.approx(np.pi * 10**2, rel=0.1)


def test_over_the_edge_of_a_torus_it_is_whole_on_both_sides(open_on: OpenWindow) -> None:
    obstacle = Entry("obstacle", at=(630, 180), values={"Obstacle.radius": 40.0})
    window = open_on(with_scenery(obstacle, edges="wrap"), (800, 360))  # the world: from column 80 to 720
    red = pixels(window).astype(int)[180]
    found = np.flatnonzero(red[:, 0] - red[:, 2] > 50)
    for one, middle_ in ((found[found < 400], 70), (found[found > 400], 710)):
        assert (one.min(), one.max()) == pytest.approx((middle_ - 40, middle_ + 40), abs=2)


@pytest.mark.parametrize("offset", [0.0, 0.3, 0.5, 0.8])
@pytest.mark.parametrize("axis", [0, 1])
def test_no_seam_is_seen_where_it_lies_over_the_edge_of_a_torus(open_on: OpenWindow, axis: int, offset: float) -> None:
    """Neither in it nor in its shade; whether the edge lies between two pixels or on one."""
    places = [(320, 180), (320, 180)]
    places[1] = (3, 180) if axis == 0 else (320, 3)
    pictures = []
    for place in places:
        tree = Entry("obstacle", at=place, values={"Obstacle.radius": 40.0, "Look.shape": SHAPES.index("tree")})
        window = open_on(with_scenery(tree, edges="wrap"))
        window.session.camera.zoom = 3.0
        window.session.camera.look_at(place[0] + offset / 3, place[1] + offset / 3)
        window.session.messages.log.clear()
        window.gui.events.hidden = True
        pictures.append(pixels(window)[20:-20, 160:-160].astype(int))
    jumps = [np.abs(np.diff(picture, 2, axis=1 - axis)).mean(2) for picture in pictures]
    across = [jump.mean(axis) for jump in jumps]  # of each line along the edge
    assert across[1].max() < across[0].max() + 1


def test_without_scenery_there_is_no_draw_call(open_on: OpenWindow) -> None:
    window = open_on(with_scenery())
    assert window.painter.scenery.count == 0
