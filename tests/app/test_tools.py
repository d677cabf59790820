"""The tools of the window: which is in hand, what it places, and where."""

from __future__ import annotations

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_RIGHT as RIGHT
from arcade import key

import sandbox
from components.store.world import Prefab
from sandbox.app.brush import HANDFUL
from sandbox.app.tools import TOOLS
from sandbox.app.window import FlockWindow
from sandbox.scene import Entry, Scene
from sandbox.simulation import Simulation

from .conftest import OpenWindow, at, drifting, living, pixels, send

NUMBER = {tool.name: number for number, tool in enumerate(TOOLS, 1)}


def with_tools(edges: str = "turn", radius: float = 10) -> Scene:
    """A scene that has a prefab for each tool, besides boids that come first."""
    scene = drifting()
    scene.settings.edges = edges
    own = {"obstacle": {"Obstacle": {"radius": radius}}, "wind": {"Wind": {}}, "goal": {"Goal": {}}}
    own["food"] = {"Food": {"radius": radius}}
    scene.prefabs |= {name: Prefab(name, {"Position": {}, **components}) for name, components in own.items()}
    scene.prefabs["wall"] = Prefab("wall", {"Wall": {"thickness": 4.0}})
    scene.prefabs["predator"] = Prefab("predator", {**scene.prefabs["red"].components, "Predator": {}})
    return scene


def take(window: FlockWindow, name: str) -> None:
    send(window, ("on_text", str(NUMBER[name])))


def click(window: FlockWindow, x: int, y: int) -> None:
    send(window, ("on_mouse_press", x, y, LEFT, 0), ("on_mouse_release", x, y, LEFT, 0))


def drag(window: FlockWindow, begin: tuple[int, int], *places: tuple[int, int], button: int = LEFT) -> None:
    send(window, ("on_mouse_press", *begin, button, 0))
    for place, last in zip(places, (begin, *places), strict=False):
        send(window, ("on_mouse_drag", *place, place[0] - last[0], place[1] - last[1], button, 0))
    send(window, ("on_mouse_release", *(places or (begin,))[-1], button, 0))


def settled(window: FlockWindow) -> dict[str, int]:
    """How many live, by prefab, after a frame while paused."""
    window.session.clock.paused = True
    window.on_update(0.01)
    return window.simulation.populations()


def walls(window: FlockWindow) -> list[list[float]]:
    """The ends of every wall: ax, ay, bx, by."""
    table = window.simulation.world.table
    rows = [row for row in range(table.size) if int(table.presence[row]) & table.mask([table.components["Wall"]])]
    return [[float(table.columns[f"Wall.{end}"][row]) for end in ("ax", "ay", "bx", "by")] for row in rows]


def test_number_keys_take_tools(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    for name in NUMBER:
        take(window, name)
        assert window.session.hand.tool.name == name


def test_tab_goes_through_the_tools_and_back(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    names = [tool.name for tool in TOOLS]
    seen = []
    for modifiers in [0] * len(names) + [key.MOD_SHIFT] * len(names):
        seen.append(window.session.hand.tool.name)
        send(window, ("on_key_press", key.TAB, modifiers), ("on_key_release", key.TAB, modifiers))
    assert seen == names + [names[0], *names[:0:-1]]


@pytest.mark.parametrize("name", ["predator", "obstacle", "wind", "food", "goal"])
@pytest.mark.parametrize("notches", [0, 4])
def test_a_click_places_one_just_there(open_on: OpenWindow, name: str, notches: int) -> None:
    window = open_on(with_tools())
    take(window, name)
    send(window, ("on_mouse_scroll", 300, 200, 0, float(notches)))
    click(window, 400, 250)
    assert settled(window) == {name: 1}
    assert living(window)[0] == pytest.approx(window.session.camera.to_world(400, 250), abs=1e-3)


def test_on_a_screen_of_twice_the_pixels_it_lands_under_the_cursor(
    open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_on(with_tools())
    monkeypatch.setattr(window, "get_pixel_ratio", lambda: 2.0)
    take(window, "goal")
    click(window, 400, 250)
    settled(window)
    assert living(window)[0] == pytest.approx((400, 250))


def test_the_first_tool_places_a_handful_of_boids(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    take(window, "goal")
    take(window, "boid")
    click(window, 300, 200)
    assert settled(window) == {"red": HANDFUL}


@pytest.mark.parametrize("name", ["predator", "wind", "goal"])
def test_of_some_things_a_drag_places_only_one(open_on: OpenWindow, name: str) -> None:
    window = open_on(with_tools())
    take(window, name)
    drag(window, (100, 100), (300, 100), (500, 300))
    assert settled(window) == {name: 1}


@pytest.mark.parametrize("name", ["obstacle", "food"])
def test_a_drag_places_a_row_side_by_side(open_on: OpenWindow, name: str) -> None:
    window = open_on(with_tools(radius=20))
    take(window, name)
    drag(window, (100, 180), *[(x, 180) for x in range(101, 501, 7)], (500, 180))
    settled(window)
    found = np.sort(living(window)[:, 0])
    assert found == pytest.approx(np.arange(100, 501, 40), abs=0.01)


def test_a_wall_goes_from_press_to_release_and_shows_before(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    take(window, "wall")
    sky = pixels(window).astype(int)
    send(window, ("on_mouse_press", 100, 100, LEFT, 0), ("on_mouse_drag", 300, 100, 200, 0, LEFT, 0))
    assert settled(window) == {}
    assert np.abs(pixels(window) - sky)[98:103, 110:290].max(axis=(0, 2)).min() > 60
    send(window, ("on_mouse_drag", 300, 200, 0, 100, LEFT, 0), ("on_mouse_release", 300, 200, LEFT, 0))
    assert settled(window) == {"wall": 1}
    assert walls(window) == [[100, 100, 300, 200]]
    assert (pixels(window)[100, 200] == sky[100, 200]).all()
    click(window, 500, 300)
    assert settled(window) == {"wall": 1}
    assert "drag" in window.session.messages.newest


def test_a_wall_ends_at_the_border_but_does_not_begin_beyond(open_on: OpenWindow) -> None:
    window = open_on(with_tools(), (640, 640))
    take(window, "wall")
    drag(window, (100, 300), (100, 20))
    assert settled(window) == {"wall": 1}
    assert walls(window) == [[100, 160, 100, 0]]
    drag(window, (100, 20), (100, 300))
    assert settled(window) == {"wall": 1}
    assert "outside" in window.session.messages.newest


def test_another_tool_lets_go_of_a_wall_half_drawn(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    take(window, "wall")
    send(window, ("on_mouse_press", 100, 100, LEFT, 0), ("on_mouse_drag", 300, 100, 200, 0, LEFT, 0))
    take(window, "food")
    send(window, ("on_mouse_release", 300, 100, LEFT, 0))
    assert settled(window) == {}


@pytest.mark.parametrize("name", NUMBER)
def test_outside_the_world_nothing_is_placed_and_it_is_said(open_on: OpenWindow, name: str) -> None:
    window = open_on(with_tools(), (640, 640))
    take(window, name)
    drag(window, (300, 20), (310, 22))
    assert settled(window) == {}
    assert "outside" in window.session.messages.newest


def test_in_a_world_without_edges_everywhere_is_inside(open_on: OpenWindow) -> None:
    window = open_on(with_tools("open"), (640, 640))
    take(window, "goal")
    click(window, 300, 20)
    take(window, "wall")
    drag(window, (100, 20), (500, 30))
    assert settled(window) == {"goal": 1, "wall": 1}


@pytest.mark.parametrize("name", NUMBER)
def test_where_a_scene_has_no_such_prefab_it_is_said(open_on: OpenWindow, name: str) -> None:
    scene = drifting()
    scene.prefabs = {}
    window = open_on(scene)
    take(window, name)
    drag(window, (300, 100), (400, 100))
    assert settled(window) == {}
    assert "no prefab" in window.session.messages.newest


def test_the_scenes_own_prefab_comes_before_the_built_in_one() -> None:
    with sandbox.load("ronan") as simulation:
        found = {tool.name: tool.prefab(simulation.world.prefabs).name for tool in TOOLS}
        assert found == {**{tool.name: tool.name for tool in TOOLS}, "boid": "ronan"}


def test_a_right_drag_removes_walls_it_crosses(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    take(window, "wall")
    for x in (100, 300, 500):
        drag(window, (x, 50), (x + 20, 310))
    settled(window)
    drag(window, (60, 180), (340, 180), button=RIGHT)
    assert settled(window) == {"wall": 1}
    assert walls(window) == [[500, 50, 520, 310]]


def test_all_that_tools_do_is_in_the_log_and_replays(open_on: OpenWindow) -> None:
    scene = with_tools()
    window = open_on(scene)
    for name in NUMBER:
        take(window, name)
        drag(window, (100, 40 * NUMBER[name]), (200, 40 * NUMBER[name]))
    drag(window, (150, 100), (180, 130), button=RIGHT)
    window.on_update(0.1)
    from sandbox.commands import CommandQueue

    log = window.simulation.world.resource(CommandQueue).log
    with Simulation(scene, 1) as again:
        for done in log:
            again.submit(done.command, done.joins)
        again.step()
        assert again.digest() == window.simulation.digest()


def test_an_entry_of_a_wall_needs_no_place() -> None:
    with Simulation(with_tools()) as simulation:
        from sandbox.commands import Spawn

        simulation.submit(Spawn(Entry("wall", values={"Wall.ax": 1.0, "Wall.bx": 9.0})))
        simulation.submit(Spawn(at(1, 2)))
        simulation.step()
        assert simulation.populations() == {"wall": 1, "red": 1}
