"""Overlays: what each shows, at the right place of the picture, and that none changes the world."""

from __future__ import annotations

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from numpy.typing import NDArray

from components.flock import Flocker, Perception
from components.motion import Motion
from sandbox.app.drawing.picture import drawn
from sandbox.app.overlays import effects, grid, heat, in_hand, perception, rule_colours, selection, trails, vectors
from sandbox.app.overlays.explained import room_for_rings
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.overlays.overlays import Overlays
from sandbox.app.parts import BUILT_IN
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Circle, Entry, Scene
from sandbox.edit import Despawn, SetField, Spawn, Undo
from sandbox.explain.explanation import explain
from sandbox.scenes.bundled import find_scene
from sandbox.scenes.reader import read_scene
from sandbox.simulation import Simulation
from systems.engine.app import installed
from systems.engine.events import Events
from systems.engine.settings import Settings
from systems.flocking.flock_grid import FlockGrid
from systems.space.grid import CellGrid

from .conftest import OpenWindow, at, drifting, pixels, send
from .mouse import PLACING, click, take, with_tools
from .test_colours import LACKING, seen_without

pytestmark = pytest.mark.painted

ALL = installed(BUILT_IN).overlays
Picture = NDArray[np.int64]


def seen(window: FlockWindow, overlays: Overlays | None, alpha: float = 1.0, ratio: float = 1.0) -> Picture:
    """The window's view with these overlays, without panels: (height, width, 3), the first row lowest."""
    session, context = window.session, window.ctx
    camera = session.camera
    size = tuple(round(side * ratio) for side in camera.screen)
    target = context.framebuffer(color_attachments=[context.texture(size, components=3)])
    with target.activate():
        window.painter.draw(camera, alpha, ratio, *(overlays.layers(session) if overlays else ()))
        data = target.read(components=3)
    return np.frombuffer(data, np.uint8).reshape(size[1], size[0], 3).astype(int)


def added(window: FlockWindow, overlay: Overlay, alpha: float = 1.0, ratio: float = 1.0) -> NDArray[np.float64]:
    """The middles of the pixels that an overlay changes, in pixels of the camera's screen, shape (n, 2)."""
    window.session.shown = {overlay.name}
    overlays = Overlays(window.ctx, [overlay])
    overlays.update(window.session)
    differ = np.abs(seen(window, overlays, alpha, ratio) - seen(window, None, alpha, ratio)).max(-1)
    return (np.argwhere(differ > 6)[:, ::-1] + 0.5) / ratio


def step(window: FlockWindow, overlays: Overlays | None = None, ticks: int = 1) -> None:
    """As the window does it: ticks, then what is to be drawn, then what overlays note."""
    for _ in range(ticks):
        window.simulation.step()
        window.painter.take(window.simulation)
        if overlays is not None:
            overlays.update(window.session)


def bundled(name: str) -> Scene:
    return read_scene(find_scene(name))


def unit_by_pixel(open_on: OpenWindow, name: str) -> FlockWindow:
    """A window in which a pixel is a unit of the scene's world."""
    scene = bundled(name)
    return open_on(scene, size=(round(scene.settings.width), round(scene.settings.height)))


# ---- all of them


def test_each_has_a_name_of_its_own_and_says_what_it_shows() -> None:
    assert len({overlay.name for overlay in ALL}) == len(ALL) >= 7
    assert all(overlay.title and overlay.help for overlay in ALL)
    assert {"selection", "effects"} <= {overlay.name for overlay in ALL if overlay.always}


@pytest.mark.parametrize("scene", ["hunters", "pasture", "maze", "storm"])
def test_none_changes_the_world(open_on: OpenWindow, scene: str) -> None:
    watched, alone = (open_on(bundled(scene)) for _ in range(2))
    overlays = Overlays(watched.ctx, installed(BUILT_IN).overlays)
    watched.session.shown = {overlay.name for overlay in overlays.all}
    for tick in range(20):
        if tick == 5:
            watched.session.selection.choose(range(1, 4))
        if tick == 10:
            watched.session.selection.choose([7])
        step(watched, overlays)
        step(alone)
        seen(watched, overlays, 0.3)
    assert watched.simulation.digest() == alone.simulation.digest()


def test_in_an_empty_world_and_before_the_first_tick_nothing_breaks(open_on: OpenWindow) -> None:
    for scene in (drifting(), bundled("hunters"), bundled("maze")):
        window = open_on(scene)
        overlays = Overlays(window.ctx, installed(BUILT_IN).overlays)
        window.session.shown = {overlay.name for overlay in overlays.all}
        window.session.selection.choose([1, 2])
        overlays.update(window.session)
        assert seen(window, overlays, 0.0).any()
        assert window.simulation.tick == 0


@pytest.mark.parametrize("ticks", [0, 1])
def test_drawing_them_leaves_the_resources_of_the_world_alone(open_on: OpenWindow, ticks: int) -> None:
    window = open_on(bundled("hunters"))
    overlays = Overlays(window.ctx, installed(BUILT_IN).overlays)
    step(window, overlays, ticks)
    window.session.shown = {overlay.name for overlay in overlays.all}
    overlays.update(window.session)
    before = {kind: id(resource) for kind, resource in window.simulation.world.resources.items()}
    seen(window, overlays, 0.3)
    assert {kind: id(resource) for kind, resource in window.simulation.world.resources.items()} == before


def test_what_is_not_shown_is_not_drawn(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 180)))
    overlays = Overlays(window.ctx, installed(BUILT_IN).overlays)
    step(window, overlays)
    assert (seen(window, overlays) == seen(window, None)).all()


@pytest.mark.parametrize("tool", [*PLACING, "erase"])
@pytest.mark.parametrize("edges", ["turn", "wrap"])
def test_a_tool_that_places_shows_where_the_world_ends_and_others_near_an_edge(
    open_on: OpenWindow, edges: str, tool: str
) -> None:
    window = open_on(with_tools(edges=edges), (640, 360))
    take(window, tool)
    window.session.camera.zoom_at(320, 180, 0.5)
    edge = window.session.camera.project((640, 300))
    for x, shows in ((320, tool in PLACING), (630, True)):
        shown = pointed_at(window, *window.session.camera.project((x, 180)))
        assert (np.hypot(*(shown - edge).T).min(initial=99) < 3) == (shows and edges == "turn")


@pytest.mark.parametrize("depth", [0, 300])
@pytest.mark.parametrize("tool", PLACING)
def test_outside_the_world_the_mouse_has_a_cross_before_the_click(open_on: OpenWindow, tool: str, depth: float) -> None:
    window = open_on(with_tools(depth=depth), (640, 640))
    take(window, tool)
    for y, crosses in ((320, False), (30, True)):
        window.session.hand.pixel = 320, y
        window.session.shown = {"in hand"}
        overlays = Overlays(window.ctx, [in_hand.InHand()])
        overlays.update(window.session)
        red, green, blue = np.moveaxis(seen(window, overlays)[y - 9 : y + 9, 311:329], -1, 0)
        warm = (red > 180) & (green < 0.65 * red) & (blue < 0.6 * red)
        assert (warm.sum() > 20) == crosses
        click(window, 320, y)
        assert ("outside" in window.session.messages.newest) == crosses


def pointed_at(window: FlockWindow, x: float, y: float) -> NDArray[np.float64]:
    """What the overlay In hand adds with the mouse at a pixel."""
    window.session.hand.pixel = x, y
    return added(window, in_hand.InHand())


def test_a_picture_can_include_them(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 180)))
    overlays = Overlays(window.ctx, [selection.Selection()])
    window.session.selection.choose([1])
    session = window.session
    bare = drawn(window.painter, session.camera)
    under, over = overlays.layers(session)
    assert drawn(window.painter, session.camera, under=under, over=over) != bare


# ---- selection


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("zoom", [0.5, 1.0, 4.0])
def test_a_ring_follows_the_selected_between_two_ticks(open_on: OpenWindow, zoom: float, ratio: float) -> None:
    scene = drifting(at(300, 180, (400, -200)), at(100, 60))
    scene.settings.edges = "open"  # with no copies
    window = open_on(scene)
    window.session.selection.choose([1])
    step(window)
    camera = window.session.camera
    camera.look_at(320, 170)
    camera.zoom = zoom
    for alpha in (0.0, 0.5, 1.0):
        found = added(window, selection.Selection(), alpha, ratio)
        place = camera.project((300 + 40 * alpha, 180 - 20 * alpha))
        assert (found.min(0) + found.max(0)) / 2 == pytest.approx(place, abs=1)
        assert np.ptp(found[:, 0]) / 2 == pytest.approx(10 * zoom + selection.AROUND, abs=4)


def test_a_selected_wall_is_framed(open_on: OpenWindow) -> None:
    window = open_on(bundled("maze"), size=(1280, 720))
    table = window.simulation.world.table
    row = int(table.rows(table.components["Wall"])[0])
    window.session.selection.choose([int(table.serial[row])])
    found = added(window, selection.Selection())
    ends = [[float(table.columns[f"Wall.{end}{axis}"][row]) for axis in "xy"] for end in "ab"]
    half = float(table.columns["Wall.thickness"][row]) / 2 * window.session.camera.zoom
    for end in ends:
        away = np.hypot(*(found - window.session.camera.project(end)).T)
        assert away.min() < half + 5


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("view", [(0.0, 0.0), (np.pi / 2, 0.0), (0.0, 1.5), (0.6, 0.4)])
@pytest.mark.parametrize("solid", ["wall", "pillar"])
def test_with_depth_a_selected_wall_or_pillar_is_framed_through_the_whole_depth(
    open_on: OpenWindow, solid: str, view: tuple[float, float], parallel: bool
) -> None:
    entry = Entry("obstacle", at=(300, 180))
    if solid == "wall":
        entry = Entry("wall", points=((250, 140), (350, 220)), values={"Wall.thickness": 40.0})
    scene = with_tools(entry, radius=30, depth=400)
    scene.prefabs["obstacle"].components["Obstacle"]["pillar"] = True
    window = open_on(scene, (800, 600))
    camera = window.session.camera
    camera.parallel = parallel
    camera.look_from(*view)
    camera.fit()
    camera.zoom /= 1.3
    window.session.selection.choose([1])
    found = added(window, selection.Selection())
    turn = np.linspace(0, 2 * np.pi, 60)
    outline = np.column_stack([300 + 30 * np.cos(turn), 180 + 30 * np.sin(turn)])
    if solid == "wall":
        along = np.array([100, 80]) / np.hypot(100, 80)
        aside = 20 * np.array([-along[1], along[0]])
        outline = np.array([end + side * aside for end in ((250, 140), (350, 220)) for side in (-1, 1)])
    corners = camera.project(np.concatenate([np.insert(outline, 2, z, axis=1) for z in (0, 400)]))
    assert found.min(0) == pytest.approx(corners.min(0) - 5, abs=8)
    assert found.max(0) == pytest.approx(corners.max(0) + 5, abs=8)
    away = np.linalg.norm(corners[:, None] - found, axis=2).min(axis=1)
    assert away.max() < 14


def test_of_more_than_can_be_told_apart_some_have_a_ring_and_of_few_that_are_seen_each(
    open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selection, "MOST", 4)
    places = [(x, y) for x in range(60, 640, 60) for y in (60, 180, 300)]
    window = open_on(drifting(*(at(*place) for place in places)))
    window.session.selection.choose(range(1, len(places) + 1))

    def ringed() -> list[tuple[int, int]]:
        found = added(window, selection.Selection())
        camera = window.session.camera
        away = [np.hypot(*(found - camera.project(place)).T) / camera.zoom for place in places]
        return [place for place, far in zip(places, away, strict=True) if far.min(initial=99) < 20]

    assert 2 <= len(ringed()) <= 4
    window.session.camera.zoom = 4
    window.session.camera.look_at(300, 180)
    assert ringed() == [(240, 180), (300, 180), (360, 180)]


def test_those_who_died_have_no_ring(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 180)))
    window.session.selection.choose([1])
    window.simulation.submit(Despawn((1,)))
    step(window)
    assert len(added(window, selection.Selection())) == 0


# ---- grid cells


def cells_now(window: FlockWindow) -> CellGrid:
    window.simulation.pipeline.by_name["spatial_hash"].process(window.simulation.world)
    return window.simulation.world.resource(FlockGrid).grid


def test_the_cells_are_those_of_the_spatial_hash(open_on: OpenWindow) -> None:
    scene = drifting(at(330, 100), at(30, 30))
    for prefab in scene.prefabs.values():
        prefab.components["Perception"] = {"radius": 60.0}
    window = open_on(scene)
    window.session.selection.choose([1])
    step(window)
    index = cells_now(window)
    side = 1 / index.per_x, 1 / index.per_y
    assert side[0] == pytest.approx(64)
    window.session.shown = {"grid"}
    overlays = Overlays(window.ctx, [grid.GridCells()])
    change = (seen(window, overlays) - seen(window, None)).sum(-1)
    middles = [(column + 0.5, line + 0.3) for column in range(index.cells_x) for line in range(index.cells_y)]
    lit = {(int(c), int(r)): change[int(r * side[1]), int(c * side[0])] for c, r in middles}
    own = (int(330 * index.per_x), int(100 * index.per_y))
    around = {(own[0] + x, own[1] + y) for x in (-1, 0, 1) for y in (-1, 0, 1)}
    assert {cell for cell, light in lit.items() if light > 5} == around
    assert max(lit, key=lambda cell: lit[cell]) == own
    assert change[40, 63:66].max() > 5  # a line between two cells


def test_at_a_corner_of_a_torus_the_nine_cells_lie_in_all_four(open_on: OpenWindow) -> None:
    window = open_on(bundled("hunters"))
    step(window)
    index = cells_now(window)
    width, height = window.session.camera.world_size
    cells = grid.cells_of(index, np.array([[1.0, 1.0], [width - 0.1, height - 0.1], [width + 60.0, -5.0]]))
    last = [index.cells_x - 1, index.cells_y - 1]
    assert cells.tolist() == [[0, 0], last, [last[0], 0]]


# ---- perception


def test_what_the_selected_sees_is_lit_and_what_lies_behind_it_is_dark(open_on: OpenWindow) -> None:
    scene = drifting(at(300, 180, (1, 0)))
    for prefab in scene.prefabs.values():
        prefab.components["Perception"] = {"radius": 100.0, "fov": 270.0}
    window = open_on(scene)
    window.session.selection.choose([1])
    step(window)
    window.session.shown = {"perception"}
    overlays = Overlays(window.ctx, [perception.Sight()])
    change = (seen(window, overlays) - seen(window, None)).sum(-1)
    assert all(change[y, x] > 15 for x, y in [(370, 180), (300, 250), (300, 110), (240, 245)])
    assert all(change[y, x] < -5 for x, y in [(230, 180), (240, 220), (240, 140)])
    assert all(abs(change[y, x]) < 3 for x, y in [(410, 180), (300, 290), (190, 180)])


def test_with_depth_the_blind_cone_of_one_that_flies_at_the_viewer_is_darker_in_the_middle(open_on: OpenWindow) -> None:
    scene = drifting(Entry("red", at=(300, 180, 200), velocity=(0, 0, 1)))
    scene.settings.depth = 400.0
    for prefab in scene.prefabs.values():
        prefab.components["Perception"] = {"radius": 100.0, "fov": 270.0}
    window = open_on(scene)
    camera = window.session.camera
    camera.look_from(0.0, 0.0)
    camera.look_at(300, 180, 200)
    camera.parallel = True
    window.session.selection.choose([1])
    window.session.shown = {"perception"}
    change = (seen(window, Overlays(window.ctx, [perception.Sight()])) - seen(window, None)).sum(-1)
    x, y = camera.project((300, 180, 200))
    for way in np.array([(1, 0), (0, 1), (-1, 0), (0, -1)]) * camera.zoom:
        dark, light, beyond = (
            change[round(y + far * dy), round(x + far * dx)] for far, (dx, dy) in ((60, way), (85, way), (115, way))
        )
        assert dark < light - 10
        assert light > 10
        assert abs(beyond) < 3


def test_with_nothing_selected_everyones_is_faint(open_on: OpenWindow) -> None:
    window = unit_by_pixel(open_on, "hunters")
    step(window, ticks=5)
    faint = added(window, perception.Sight())
    table = window.simulation.world.table
    rows = table.rows(Perception)
    x, y = (table.columns[f"Position.{axis}"][rows] for axis in "xy")
    radius = table.columns["Perception.radius"][rows]
    away = np.abs(faint[::5, None] - np.stack([x, y], axis=1))
    away = np.hypot(*np.minimum(away, np.array(window.session.camera.world_size) - away).T).T - radius
    assert len(away) > 2000
    assert np.mean(away.min(1) < 2) > 0.95


# ---- rule vectors


def test_each_rule_has_an_arrow_in_its_colour_that_points_where_it_steers(open_on: OpenWindow) -> None:
    window = open_on(bundled("murmuration"), size=(1280, 720))
    step(window, ticks=60)
    table = window.simulation.world.table
    serial = int(table.serial[table.rows(Motion)[100]])
    why = explain(window.simulation, serial)
    window.session.selection.choose([serial])
    window.session.clock.paused = True
    camera = window.session.camera
    camera.look_at(*why.position)
    camera.zoom = 40.0
    window.session.shown = {"vectors"}
    overlays = Overlays(window.ctx, [vectors.RuleVectors()])
    picture = seen(window, overlays)
    y, x = np.mgrid[:720, :1280] + 0.5
    largest = max(np.hypot(*vector) for vector in why.rules.values())
    checked = 0
    for rule, vector in {**why.rules, "sum": why.acceleration}.items():
        length = vectors.LONGEST * np.hypot(*vector) / max(largest, np.hypot(*why.acceleration))
        if length < 30:
            continue
        colour = rule_colours.SUM if rule == "sum" else rule_colours.rule_colour(rule)
        found = np.abs(picture - colour).max(-1) < 12
        off = np.stack([x[found] - 640, y[found] - 360], axis=1)
        far = off[np.argmax(np.hypot(*off.T) * (np.hypot(*off.T) < vectors.LONGEST + 5))]
        assert far @ vector / np.hypot(*far) / np.hypot(*vector) > 0.97
        assert np.hypot(*far) == pytest.approx(length, abs=6)
        checked += 1
    assert checked >= 2


def test_its_neighbours_are_joined_to_it(open_on: OpenWindow) -> None:
    window = unit_by_pixel(open_on, "hunters")
    step(window, ticks=100)
    serials = window.simulation.world.table.serial[: window.simulation.world.table.size]
    told = {int(serial): explain(window.simulation, int(serial)) for serial in serials}
    serial = max(told, key=lambda serial: len(told[serial].neighbours))
    assert told[serial].neighbours
    window.session.selection.choose([serial])
    found = added(window, vectors.RuleVectors())
    torus = np.array(window.session.camera.world_size)
    for other in told[serial].neighbours:
        row = window.simulation.world.table.rows_of(np.array([other]))[0]
        place = np.array([window.simulation.world.table.columns[f"Position.{axis}"][row] for axis in "xy"])
        away = np.abs(found - place)
        assert np.hypot(*np.minimum(away, torus - away).T).min() < 8


def test_with_nothing_selected_everyone_shows_what_it_is_asked(open_on: OpenWindow) -> None:
    window = unit_by_pixel(open_on, "hunters")
    step(window, ticks=50)
    assert len(added(window, vectors.RuleVectors())) > 500


def test_how_long_arrows_are_depends_neither_on_frames_nor_on_copies_of_a_torus(open_on: OpenWindow) -> None:
    window = unit_by_pixel(open_on, "hunters")
    overlays = Overlays(window.ctx, [vectors.RuleVectors()])
    window.session.shown = {"vectors"}
    step(window, overlays, ticks=20)
    seen(window, overlays)
    window.simulation.world.table.columns["Motion.acceleration.x"][:] *= 0.2  # a calm tick after a wild one
    window.simulation.world.table.columns["Motion.acceleration.y"][:] *= 0.2
    window.painter.take(window.simulation)  # animals bank as they accelerate
    first = seen(window, overlays)
    for _ in range(3):
        window.session.camera.look_at(5, 5)  # where four copies are seen
        seen(window, overlays)
    window.session.camera.fit()
    assert (seen(window, overlays) == first).all()


def test_a_change_that_is_undone_while_paused_leaves_arrows_as_they_were(open_on: OpenWindow) -> None:
    window = open_on(bundled("hunters"), size=(1280, 720))
    step(window, ticks=60)
    table, session = window.simulation.world.table, window.session
    session.clock.paused, session.shown = True, {"vectors"}
    session.selection.choose([int(table.serial[table.rows(Flocker)[0]])])
    pictures = []
    for commands in ([], [SetField("Flocker.cohesion_strength", 2_000.0)], [Undo()]):
        for command in commands:
            session.submit(command)
        window.on_update(0)
        pictures.append(pixels(window))
    before, changed, undone = pictures
    assert (before != changed).any()
    assert (before == undone).all()


def test_a_dear_explanation_waits_for_a_pause(open_on: OpenWindow) -> None:
    window = open_on(bundled("hunters"))
    overlay = vectors.RuleVectors()
    overlays = Overlays(window.ctx, [overlay])
    window.session.shown = {"vectors"}
    window.session.selection.choose([3])
    for _ in range(3):
        step(window, overlays)
        seen(window, overlays)
    account = overlay._accounts.of(window.session)
    assert account._told is not None
    told = account._told.tick
    account._cost = 1e9
    for _ in range(5):
        step(window, overlays)
        seen(window, overlays)
    assert account._told.tick == told
    window.session.clock.paused = True
    seen(window, overlays)
    assert account._told.tick == window.simulation.tick


@pytest.mark.parametrize("cones", LACKING)
def test_rules_are_told_apart_by_their_colours(cones: str) -> None:
    names = [name for name in rule_colours.COLOURS if name not in ("leading", "hand")]  # the three of flocking first
    rgb = np.array([rule_colours.rule_colour(name) for name in names]).astype(int)
    looks = seen_without(cones, rgb @ (1 << 16, 1 << 8, 1))
    apart = np.linalg.norm(looks[:, None] - looks[None], axis=2)
    assert min(apart[0, 1], apart[0, 2], apart[1, 2]) > 0.12
    assert apart[~np.eye(len(names), dtype=bool)].min() > 0.02
    assert looks[:, 0].min() > 0.5  # seen on dark grounds


def test_every_steering_system_has_a_colour() -> None:
    assert rule_colours.rule_colour("of_a_mod") == rule_colours.rule_colour("of_a_mod")
    steering = {system.name for system in _systems() if system.phase.name == "STEER"} - {"flocking"}
    assert steering <= set(rule_colours.COLOURS)


def _systems() -> list:  # type: ignore[type-arg]
    from sandbox.parts import BUILT_IN as SYSTEMS

    return installed(SYSTEMS).systems


# ---- trails and heat


def test_a_trail_lies_behind_the_animal_and_ends_two_seconds_back(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 180, (100, 0)), shape="dot", size=3))
    overlays = Overlays(window.ctx, [trails.Trails()])
    window.session.shown = {"trails"}
    overlays.update(window.session)
    step(window, overlays, ticks=35)
    change = np.abs(seen(window, overlays) - seen(window, None)).max(-1)
    found = np.argwhere(change > 6)[:, ::-1] + 0.5
    assert np.ptp(found[:, 1]) <= 4
    assert found[:, 0].max() == pytest.approx(450, abs=5)
    assert 450 - 200 - 12 < found[:, 0].min() < 450 - 120  # it fades
    assert change[180, 430] > change[180, 330]


def test_a_trail_runs_over_the_edge_of_a_torus(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(560, 180, (100, 0)), shape="dot", size=3))
    overlays = Overlays(window.ctx, [trails.Trails()])
    window.session.shown = {"trails"}
    overlays.update(window.session)
    step(window, overlays, ticks=14)  # at 60 of the next round
    found = np.argwhere(np.abs(seen(window, overlays) - seen(window, None)).max(-1) > 6)[:, ::-1]
    columns = set(found[:, 0].tolist())
    assert {5, 30, 50, 600, 630} <= columns
    assert not columns & set(range(80, 540))


def test_trails_follow_those_who_are_born_and_forget_those_who_die(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 100, (100, 0)), at(100, 200, (100, 0))))
    overlay = trails.Trails()
    overlays = Overlays(window.ctx, [overlay])
    window.session.shown = {"trails"}
    overlays.update(window.session)
    step(window, overlays, ticks=10)
    window.simulation.submit(Despawn((1,)))
    window.simulation.submit(Spawn(Entry("green", at=(100, 300), velocity=(100, 0))))
    step(window, overlays, ticks=5)
    assert overlay._paths.of(window.session)._serials.tolist() == [2, 3]
    tails = overlay._paths.of(window.session)._places[-1]
    assert tails[0, 0] == pytest.approx(100, abs=11)
    assert tails[1].tolist() == pytest.approx([100, 300], abs=11)


def test_a_crowd_takes_no_more_room(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 20_000, velocity=(50, 0))))
    overlay = trails.Trails()
    overlays = Overlays(window.ctx, [overlay])
    window.session.shown = {"trails"}
    step(window, overlays, ticks=3)
    assert 1000 < len(overlay._paths.of(window.session)._serials) <= trails.MOST
    assert overlay._paths.of(window.session)._places.nbytes < 2e6


def test_heat_lies_where_they_are_and_fades_where_they_were(open_on: OpenWindow) -> None:
    scene = drifting(Entry("red", 200, area=Circle(150, 180, 20), velocity=(200, 0)))
    scene.settings = Settings(640, 360, "turn", tick_rate=10)
    window = open_on(scene)
    overlays = Overlays(window.ctx, [heat.Heat()])
    window.session.shown = {"heat"}
    overlays.update(window.session)
    step(window, overlays, ticks=15)
    x = int(window.simulation.world.table.columns["Position.x"][0])
    change = np.abs(seen(window, overlays) - seen(window, None)).max(-1)
    assert change[180, x - 70] > 40
    assert change[:, :100].max() < 6 > change[300:, :].max()
    before = change[180, 170]
    step(window, overlays, ticks=20)
    after = np.abs(seen(window, overlays) - seen(window, None)).max(-1)[180, 170]
    assert after < before


def test_heat_counts_everyone_once() -> None:
    from systems.space.raster import divide

    settings = Settings(640, 360, "wrap")
    places = np.random.default_rng(1).random((5000, 2)).astype(np.float32) * (640, 360)
    cells = divide(settings, places, 20.0, 128)
    counts = heat.counted(settings, places.astype(np.float32), cells)
    plain = np.histogram2d(places[:, 1], places[:, 0], bins=counts.shape, range=((0, 360), (0, 640)))[0]
    assert (counts == plain).all()
    assert heat.blurred(counts.astype(np.float32), True).sum() == pytest.approx(5000)


# ---- catches and births


def test_a_catch_shows_for_a_moment_in_red_where_it_happened(open_on: OpenWindow) -> None:
    window = unit_by_pixel(open_on, "hunters")
    overlay = effects.Effects()
    overlays = Overlays(window.ctx, [overlay])
    events = window.simulation.world.resource(Events)
    for _ in range(3000):
        step(window, overlays)
        if len(events.catches):
            break
    places = events.catches.places
    assert len(places) == 1
    window.simulation.step(8)
    window.painter.take(window.simulation)
    camera = window.session.camera
    change = seen(window, overlays) - seen(window, None)
    x, y = camera.project(places[0])
    redder = np.argwhere((change[..., 0] > 20) & (change[..., 0] > change[..., 2] + 15))[:, ::-1] + 0.5
    assert len(redder) > 30
    off = np.abs(redder - (x, y))
    away = np.hypot(*np.minimum(off, np.array(camera.world_size) - off).T)
    assert away.max() < 40
    quiet = 0
    while quiet < 60:  # ticks
        step(window, overlays)
        quiet = 0 if len(events.catches) else quiet + 1
    assert (seen(window, overlays) == seen(window, None)).all()


def test_what_a_hand_places_pops_up_for_a_moment_also_while_paused_unless_motion_is_reduced(
    open_on: OpenWindow,
) -> None:
    for reduced in (True, False):
        window = open_on(drifting())
        window.session.preferences.reduce_motion = reduced
        window.session.clock.paused = True
        send(window, ("on_mouse_press", 320, 180, LEFT, 0), ("on_mouse_release", 320, 180, LEFT, 0))
        window.on_update(0.1)
        overlays = Overlays(window.ctx, [effects.Effects()])
        assert (seen(window, overlays) == seen(window, None)).all() == reduced
        window.on_update(0.5)
        assert (seen(window, overlays) == seen(window, None)).all()


def test_trails_of_another_world_begin_anew_also_where_nobody_lives_in_it(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 20)))
    window.session.toggle_overlay("trails")
    for _ in range(3):
        window.on_update(0.1)
    empty = Simulation(drifting())
    window.show(empty, lambda: empty)
    window.on_draw()
    assert window.painter.animals.count == 0


@pytest.mark.parametrize(("apart", "radius"), [(3.0, 2.0), (12.0, 4.8), (200.0, 7.0)])
def test_rings_around_neighbours_in_a_crowd_are_smaller_so_that_they_stand_apart(apart: float, radius: float) -> None:
    places = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1).reshape(-1, 2) * apart
    for zoom in (0.5, 2.0):
        assert room_for_rings(places / zoom, 1 / zoom) == pytest.approx(radius)
    assert room_for_rings(places[:1], 1.0) == 7.0 == room_for_rings(places[:0], 1.0)


def test_who_switches_trails_on_while_paused_is_told_that_they_take_time(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 100)))
    window.session.act("trails")
    assert not window.session.messages.newest
    window.session.act("trails")
    window.session.clock.paused = True
    window.session.act("trails")
    assert window.session.messages.newest == "Trails grow as time goes on, and the world is paused."
