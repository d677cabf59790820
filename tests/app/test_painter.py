"""What is drawn: each entity where it is, as its shape and colour, in between two ticks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from threading import Thread

import numpy as np
import pytest
from numpy.typing import NDArray

from components.look import SHAPES
from components.store.prefab import Prefab
from components.store.words import ROOM
from components.store.world import World
from sandbox.app.drawing import look_shapes
from sandbox.app.drawing.animals import RESTS
from sandbox.app.drawing.backdrops import BACKDROPS
from sandbox.app.drawing.buffers import FIRST_CAPACITY
from sandbox.app.drawing.designs import DETAILED
from sandbox.app.drawing.offscreen import Offscreen
from sandbox.app.drawing.painter import Painter
from sandbox.app.drawing.rendered import Rendered
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Circle, Entry, Rect
from sandbox.render.seen import Seen
from sandbox.render.tints import TINTS
from systems.engine.settings import Settings

from .conftest import OpenWindow, at, drifting, middle, pixels, places, send

pytestmark = pytest.mark.painted

TICK = 0.1  # s


def test_an_entity_is_drawn_where_it_is(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 250), at(400, 50, prefab="green")))
    picture = pixels(window)
    assert middle(places(picture)) == pytest.approx((100, 250), abs=1)
    assert middle(places(picture, 1)) == pytest.approx((400, 50), abs=1)
    assert len(places(picture)) == pytest.approx(np.pi * 10**2, rel=0.1)


def test_zoom_and_pan_move_what_is_drawn(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 250)))
    send(window, ("on_mouse_scroll", 320, 180, 0, 3.0))
    window.session.camera.pan(60, -25)
    assert middle(places(pixels(window))) == pytest.approx(window.session.camera.project((100, 250)), abs=1)
    assert len(places(pixels(window))) > 2 * np.pi * 10**2


def test_a_colouring_of_a_picture_is_not_that_of_the_world_while_another_thread_draws(open_on: OpenWindow) -> None:
    """As the panel of colourings and a long tick do: each draws the world in its own way, and changes no setting."""
    simulation = open_on(drifting(at(100, 250), at(400, 50))).simulation
    lent, found = simulation.lend(lambda: None), dict[str, set[str]]()

    def draw(copy: World, colouring: str) -> None:
        legends = (Rendered.of(simulation, copy, colouring).drawing.legend for _ in range(200))
        found[colouring] = {legend.name if legend else "" for legend in legends}

    threads = [Thread(target=draw, args=args) for args in ((lent, "speed"), (simulation.world, "heading"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    simulation.reclaim()
    render = simulation.pipeline.by_name["render"]
    assert found == {"speed": {"speed"}, "heading": {"heading"}}
    assert render.stored["colour"] == TINTS.index("species")


def test_between_two_ticks_it_is_drawn_in_between(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 200, (400, -200))))
    window.on_update(TICK)
    seen = []
    for _ in range(4):
        seen.append(middle(places(pixels(window))))
        window.on_update(TICK / 4)
    expected = [(100 + 40 * share, 200 - 20 * share) for share in (0, 0.25, 0.5, 0.75)]
    np.testing.assert_allclose(seen, expected, atol=1)


def test_over_the_edge_of_a_torus_it_glides_on(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(620, 180, (400, 0))))
    window.on_update(1.25 * TICK)
    found = places(pixels(window))
    assert found[:, 0].min() > 600  # not half way back through the world


def test_it_looks_along_its_heading(open_on: OpenWindow) -> None:
    for velocity in ((50, 0), (0, 50), (-50, 0), (0, -50)):
        window = open_on(drifting(at(300, 180, velocity), shape="triangle", size=40))
        found = places(pixels(window)) + 0.5 - (300, 180)
        ahead, across = found @ np.array(velocity) / 50, found @ np.array([-velocity[1], velocity[0]]) / 50
        assert ahead.max() == pytest.approx(40, abs=1.5)
        assert np.abs(across[ahead > 30]).max() < np.abs(across[ahead < -25]).max()
        window.close()


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_drawn_as_it_is_designed(open_on: OpenWindow, shape: str) -> None:
    empty, window = (open_on(drifting(*entries, shape=shape, size=90)) for entries in ([], [at(320, 180, (1, 0))]))
    assert window.session.camera.zoom == 1
    window.painter.animals.still = True
    changed = np.abs(pixels(window).astype(int) - pixels(empty)).max(-1)
    drawn = np.argwhere(changed > 8)[:, ::-1] + 0.5
    corners = np.array([corner[:2] for part in DETAILED[shape] for corner in part])
    np.testing.assert_allclose(drawn.min(0), (320, 180) + 90 * corners.min(0), atol=2.5)
    np.testing.assert_allclose(drawn.max(0), (320, 180) + 90 * corners.max(0), atol=2.5)


def test_all_shapes_differ_and_fit_their_table() -> None:
    table = look_shapes.table()
    assert table.shape == (3 * ROOM, look_shapes.VERTICES + 1, 4)
    assert len({corners.tobytes() for corners in table[2 * ROOM :][[*SHAPES.numbers]]}) == len(SHAPES)
    far, coarse, detailed = look_shapes.vertices()[:, : SHAPES.built_in]
    assert (far == 3).all()
    assert (coarse <= 15).all()
    assert detailed.max() == look_shapes.VERTICES


@pytest.mark.parametrize("shape", SHAPES)
def test_from_afar_a_triangle_is_as_large_as_the_two_that_are_drawn_nearer(shape: str) -> None:
    sums = []
    for level in look_shapes.levels_of(shape)[:2]:
        corners = look_shapes.triangles(level)[:, :2].reshape(-1, 3, 2).astype(float)
        along, across = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        areas = np.abs(along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]) / 2
        sums.append((areas.sum(), *(areas @ corners.mean(1) / areas.sum())))
    assert sums[0] == pytest.approx(sums[1], abs=1e-5)


def test_limbs_move_by_the_clock_of_the_world_unless_motion_is_reduced(open_on: OpenWindow) -> None:
    for shape in ("bird", "fish", "person"):
        window, other = (open_on(drifting(at(320, 180, (40, 0)), shape=shape, size=60)) for _ in range(2))
        found = [in_the_middle(window, ticks, still) for ticks, still in ((1, True), (0, False), (2, True), (0, False))]
        assert found[0] == found[2]
        assert len(set(found)) == 3
        assert in_the_middle(other, 3, False) == found[3]
        window.close()
        other.close()


def in_the_middle(window: FlockWindow, ticks: int, still: bool) -> bytes:
    """The picture after some ticks, of someone who is put back to the middle of the world."""
    window.simulation.step(ticks)
    columns = window.simulation.world.table.columns
    columns["Position.x"][0], columns["Position.previous.x"][0] = 324, 320
    window.painter.take(window.simulation)
    window.session.preferences.reduce_motion = still
    return pixels(window).tobytes()


def test_on_grounds_a_shadow_lies_on_the_side_away_from_the_light_but_not_on_the_sky(open_on: OpenWindow) -> None:
    for backdrop, shaded in (("meadow", True), ("dusk", False)):
        for soft in (True, False):
            scenes = [drifting(*entries, shape="fish", size=30) for entries in ([at(320, 180, (1, 0))], [])]
            for scene in scenes:
                scene.settings.backdrop = backdrop
            window, empty = map(open_on, scenes)
            window.painter.animals.soft = soft
            darker = np.argwhere(pixels(empty)[..., 2].astype(int) - pixels(window)[..., 2] > 3)[:, ::-1] + 0.5
            towards = (darker - (320, 180)) @ BACKDROPS[backdrop].light
            assert ((towards < -14).sum() - (towards > 14).sum() > 50) == shaded


def test_from_afar_nothing_vanishes(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(30_000, 20_000), size=1, world_size=(64_000, 36_000)))
    assert len(places(pixels(window))) >= 1


def test_where_animals_are_far_apart_the_smallest_can_be_seen_and_in_a_crowd_they_do_not_cover_each_other(
    open_on: OpenWindow,
) -> None:
    for count, long in ((2, range(7, 10)), (40_000, range(1, 4))):
        crowd = Entry("green", count - 1, area=Circle(3_000, 4_000, 900))
        window = open_on(drifting(at(6_400, 3_600), crowd, shape="dot", size=1, world_size=(12_800, 7_200)))
        around = pixels(window)[160:200, 300:340].astype(int)  # a small one is translucent, and redder than the sky
        found = np.argwhere(around[..., 0] > around[..., 2] + 20)[:, ::-1] + (300, 160)
        assert np.ptp(found[:, 0]) + 1 in long
        assert middle(found) == pytest.approx((320, 180), abs=1)


def test_in_a_dense_crowd_far_away_the_colour_is_deeper_than_in_a_sparse_one(open_on: OpenWindow) -> None:
    for soft in (False, True):
        depth = []
        for count in (0, 100, 1_000, 20_000):
            crowd = Entry("green", count, area=Rect(0, 0, 12_800, 7_200))
            window = open_on(drifting(*([crowd] if count else []), shape="bird", size=9, world_size=(12_800, 7_200)))
            window.painter.animals.soft = soft
            picture = pixels(window)[..., 1].astype(float)
            depth.append(picture.mean())
            window.close()
        assert depth == sorted(depth)
        assert depth[3] > depth[0] + 10


def test_the_buffer_grows_with_the_world(open_on: OpenWindow) -> None:
    for count in (FIRST_CAPACITY - 1, FIRST_CAPACITY, FIRST_CAPACITY + 1, 5 * FIRST_CAPACITY):
        crowd = [at(100, 100, prefab="green") for _ in range(count)]
        window = open_on(drifting(*crowd, at(200, 100), at(200, 250)))
        picture = pixels(window)
        assert middle(places(picture)) == pytest.approx((200, 175), abs=1)
        assert middle(places(picture, 1)) == pytest.approx((100, 100), abs=1)


def test_each_is_drawn_in_as_much_detail_as_can_be_seen(open_on: OpenWindow) -> None:
    crowd = Entry("green", 5000, area=Circle(300, 100, 0.1), velocity=(1, 0))
    scene = drifting(at(100, 100, (1, 0)), crowd, shape="person", size=60)
    scene.prefabs["green"].components["Look"]["size"] = 1.3
    scene.settings.edges = "open"  # with no copy beyond the edges
    window = open_on(scene)
    assert window.session.camera.zoom == 1
    picture = pixels(window).astype(int)
    assert picture[100, 100, 0] < 0.5 * picture[145, 100, 0]  # the hair is darker than the shoulders
    assert 1 <= len(places(picture, 1)) <= 6
    assert [len(level) for level in shown(window)] == [0, 5000, 1]


def shown(window: FlockWindow) -> Seen:
    """What the graphics card has been sent of the animals."""
    collected = window.painter.animals.collected
    assert collected is not None
    return collected.seen


def test_who_is_off_the_screen_is_not_sent_and_comes_when_one_looks_there(open_on: OpenWindow) -> None:
    scene = drifting(*(at(x, 180) for x in range(10, 640, 10)))
    scene.settings.edges = "open"
    window = open_on(scene)
    camera = window.session.camera
    pixels(window)
    assert sum(map(len, shown(window))) == 63
    camera.zoom = 8.0
    for x in (100, 500):
        camera.look_at(x, 180)
        assert middle(places(pixels(window)))[0] == pytest.approx(320, abs=1)
        assert 8 <= sum(map(len, shown(window))) <= 12


@pytest.mark.parametrize("edges", ["open", "wrap"])
def test_a_view_that_moves_is_collected_now_and_then_and_exact_when_it_comes_to_rest(
    open_on: OpenWindow, edges: str
) -> None:
    places = np.random.default_rng(1).uniform((0, 0), (640, 360), (400, 2))
    scene = drifting(*(at(float(x), float(y), (1, 0)) for x, y in places), shape="person", size=3)
    scene.settings.edges = edges
    window = open_on(scene)
    window.on_update(0)
    painter, camera, target = window.painter, window.session.camera, Offscreen(window.ctx, smooth=False)

    def picture(painter: Painter, *, moves: bool = False) -> NDArray[np.float64]:
        with target.drawn_into(camera.screen):
            painter.draw(camera, 0.5, moves=moves)
        return np.asarray(target.read()).astype(float)

    def collected_for_it() -> NDArray[np.float64]:
        other = Painter(window.ctx)
        other.take(window.simulation)
        return picture(other)

    pans = [(10, 0)] * 8 + [(0, -6)] * 8 + [(-15, 5)] * 8
    ways = [partial(camera.pan, *pan) for pan in pans] + [partial(camera.zoom_at, 100, 100, 1.03)] * 12
    camera.zoom_at(320, 180, 1.6)
    times = 0
    for move in ways:
        move()
        before = painter.animals.collected
        moving = picture(painter, moves=True)
        times += painter.animals.collected is not before
        assert np.abs(moving - collected_for_it()).mean() < 2
    assert 0 < times < len(ways) / 3
    for _ in range(RESTS):
        resting = picture(painter, moves=True)
    np.testing.assert_array_equal(resting, collected_for_it())


def test_looks_are_sent_when_they_change(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 100), at(300, 100), at(500, 100, prefab="green")))
    assert len(np.unique(places(pixels(window))[:, 0] // 100)) == 4  # around 100 and 300
    table = window.simulation.world.table
    table.write("Look.colour", 0, 0x00FF00)  # one is unlike its prefab
    window.painter.take(window.simulation)
    assert middle(places(pixels(window)))[0] == pytest.approx(300, abs=1)
    table.write("Look.colour", slice(0, 3), 0xFF0000)
    window.painter.take(window.simulation)
    assert len(places(pixels(window), 1)) == 0
    assert middle(places(pixels(window)))[0] == pytest.approx(300, abs=1)


def test_over_the_seam_of_a_torus_animals_are_whole_and_above_the_scenery(open_on: OpenWindow) -> None:
    scene = drifting(at(2, 180, (400, 0)), at(400, 358, (0, 0), "green"), at(400, 43, prefab="rock"), size=30)
    scene.prefabs["rock"] = Prefab("rock", {"Position": {}, "Obstacle": {"radius": 20.0}})
    scene.settings.edges = "wrap"
    window = open_on(scene)
    window.on_update(0)
    for place, channel in (((0, 180), 0), ((400, 0), 1)):
        window.session.camera.look_at(*place)
        found = places(pixels(window), channel)
        assert len(found) == pytest.approx(np.pi * 30**2, rel=0.1)
        assert np.ptp(found, axis=0) == pytest.approx((58, 58), abs=2)


def test_an_empty_world_shows_its_sky(open_on: OpenWindow) -> None:
    window = open_on(drifting())
    picture = pixels(window)
    assert len(places(picture)) == 0
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50


def before_each_backdrop(window: FlockWindow) -> Iterator[NDArray[np.float64]]:
    """The picture of a world before each."""
    for name in BACKDROPS:
        window.simulation.world.resource(Settings).backdrop = name
        window.painter.take(window.simulation)
        yield pixels(window).astype(float)


def test_beyond_the_border_the_backdrop_goes_on_without_an_edge(open_on: OpenWindow) -> None:
    for picture in before_each_backdrop(open_on(drifting(), (640, 640))):
        lines = picture.mean((1, 2))  # the world: from line 140 to 500
        assert np.abs(np.diff(lines)).max() < 5


def test_copies_of_a_torus_meet_without_a_seam(open_on: OpenWindow) -> None:
    scene = drifting()
    scene.settings.edges = "wrap"
    window = open_on(scene)
    window.on_update(0)
    window.session.camera.look_at(0, 0)  # the corners of four copies are in the middle
    for picture in before_each_backdrop(window):
        for lines in (picture, picture.transpose(1, 0, 2)):
            steps = np.median(np.abs(np.diff(lines, axis=0)).mean(2), axis=1)  # without stars
            middle = len(steps) // 2
            assert steps[middle - 2 : middle + 2].max() < 1.5 * np.quantile(steps, 0.9) + 0.3
