"""Ticks that take longer than a frame: the menus answer meanwhile, and all else afterwards, as it came."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import esper
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_MIDDLE as MIDDLE
from arcade import key
from imgui_bundle import imgui

from components.store.world import World
from sandbox.app.window import FlockWindow
from sandbox.scenes.bundled import find_scene
from sandbox.scenes.reader import read_scene
from sandbox.simulation import Simulation
from systems.engine.system import Phase, System

from .conftest import OpenWindow, at, drifting
from .modded import named, write_mod
from .widgets import look

TICK = 0.06  # s


class Slow(System):
    """Takes its time."""

    phase = Phase.STEER

    def __init__(self) -> None:
        super().__init__()
        self.threads: set[str] = set()
        self.wrong: Exception | None = None

    def run(self, world: World) -> None:
        self.threads.add(threading.current_thread().name)
        time.sleep(TICK)
        if self.wrong:
            raise self.wrong


class Hands:
    """What a person does while a tick runs: some events each time that the window looks for them."""

    def __init__(self, window: FlockWindow) -> None:
        self.window = window
        self.script: list[list[tuple[Any, ...]]] = []
        self.menu_frames = 0
        self._look, self._flip = window.dispatch_events, window.flip
        window.dispatch_events, window.flip = self.look, self.flip  # type: ignore[method-assign]

    def look(self) -> None:
        if self.window.long_ticks.runs and self.script:
            for event in self.script.pop(0):
                self.window.dispatch_event(*event)
        self._look()

    def flip(self) -> None:
        self.menu_frames += self.window.long_ticks.runs
        self._flip()

    def click(self, place: tuple[int, int]) -> None:
        """Over it, press, release: each while a tick runs."""
        self.script += [[("on_mouse_motion", *place, 0, 0)], [], [("on_mouse_press", *place, LEFT, 0)], []]
        self.script += [[("on_mouse_release", *place, LEFT, 0)], []]
        while self.script:
            frames(self.window)


def frames(window: FlockWindow, count: int = 1) -> None:
    for _ in range(count):
        window.on_update(0.1)
        window.on_draw()


@pytest.fixture
def slow(open_on: OpenWindow) -> tuple[FlockWindow, Slow]:
    window = open_on(drifting(at(100, 100)), (900, 640), panels=["palette", "inspector"])
    return window, slowed(window)


def slowed(window: FlockWindow) -> Slow:
    """Make each tick slow, and run two of them."""
    system = Slow()
    window.simulation.world.enter()
    esper.add_processor(system)
    frames(window, 2)
    assert window.long_ticks.expected or window.simulation.scene.loaded
    system.threads.clear()
    return system


def test_menus_open_while_a_tick_runs_and_what_is_chosen_is_done_after_it(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    places, hands = look(window).places, Hands(window)
    hands.click(places["Time"])
    assert hands.menu_frames > 2
    seen = look(window)
    assert "Faster" in seen.places  # it is still open when panels are drawn again
    assert "Inspector###inspector" in names_of_windows()
    speed, tick = window.session.clock.speed, window.simulation.tick
    hands.click(seen.places["Faster"])
    assert window.session.clock.speed > speed
    assert window.session.acted["faster"] == 1
    assert window.simulation.tick > tick
    assert system.threads == {"ticks_0"}


def names_of_windows() -> list[str]:
    return [shown.name for shown in imgui.get_current_context().windows if shown.active and not shown.hidden]


def test_all_else_waits_for_the_end_of_the_tick_in_the_order_in_which_it_came(slow: tuple[FlockWindow, Slow]) -> None:
    window, _ = slow
    hands, size = Hands(window), window.simulation.world.table.size
    window.session.act("tool_2")
    x, y = 450, 300
    hands.script = [
        [("on_mouse_motion", x, y, 0, 0), ("on_mouse_press", x, y, LEFT, 0)],
        [("on_mouse_release", x, y, LEFT, 0), ("on_key_press", key.SPACE, 0), ("on_key_release", key.SPACE, 0)],
    ]
    frames(window, 3)
    assert hands.menu_frames == 0
    assert window.session.clock.paused
    assert window.simulation.world.table.size > size


def test_what_comes_before_a_click_on_a_menu_is_done_before_it(slow: tuple[FlockWindow, Slow]) -> None:
    window, _ = slow
    hands = Hands(window)
    hands.click(look(window).places["Time"])
    place = look(window).places["Faster"]
    hands.script = [
        [("on_mouse_motion", *place, 0, 0), ("on_key_press", key.T, 0), ("on_key_release", key.T, 0)],
        [("on_mouse_press", *place, LEFT, 0)],
        [("on_mouse_release", *place, LEFT, 0)],
    ]
    frames(window, 5)
    assert [*window.session.acted] == ["trails", "faster"]


def test_the_mouse_is_where_it_went_last(slow: tuple[FlockWindow, Slow]) -> None:
    window, _ = slow
    hands, place = Hands(window), look(window).places["Time"]
    hands.script = [[("on_mouse_motion", 450, 300, 0, 0), ("on_mouse_motion", *place, 0, 0)]]
    frames(window, 3)
    assert imgui.get_io().mouse_pos.x == place[0]
    assert hands.menu_frames


def test_the_world_is_dragged_on_over_the_menus(slow: tuple[FlockWindow, Slow]) -> None:
    window, _ = slow
    hands, (x, y), before = Hands(window), look(window).places["Time"], window.session.camera.x
    hands.script = [
        [("on_mouse_motion", 450, 300, 0, 0), ("on_mouse_press", 450, 300, MIDDLE, 0)],
        [("on_mouse_drag", x, y, x - 450, y - 300, MIDDLE, 0), ("on_mouse_release", x, y, MIDDLE, 0)],
    ]
    frames(window, 3)
    assert window.session.camera.x != before


@pytest.mark.parametrize("what", ["a field", "a slider", "a list"])
def test_what_is_in_use_is_not_ended_by_a_mouse_over_the_menus(slow: tuple[FlockWindow, Slow], what: str) -> None:
    window, _ = slow
    hands, places = Hands(window), look(window).places
    used = places[{"a field": "##search", "a slider": "##everybody/alignment", "a list": "##prefab"}[what]]
    hands.script = [[("on_mouse_motion", *used, 0, 0), ("on_mouse_press", *used, LEFT, 0)]]
    frames(window, 3)
    if what != "a slider":
        hands.script = [[("on_mouse_release", *used, LEFT, 0)]]
        frames(window, 3)
    moves = ("on_mouse_drag", *places["Time"], 0, 0, LEFT, 0) if what == "a slider" else None
    hands.script = [[moves or ("on_mouse_motion", *places["Time"], 0, 0)]]
    frames(window, 3)
    is_open = imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    assert is_open if what == "a list" else imgui.is_any_item_active()


def test_the_world_is_the_same_to_the_bit(open_on: OpenWindow) -> None:
    scene = read_scene(find_scene("reef"))
    window = open_on(scene)
    slowed(window)
    frames(window, 3)
    plain = Simulation(scene, 1)
    plain.step(window.simulation.tick)
    assert window.simulation.digest() == plain.digest()


def test_what_goes_wrong_in_a_tick_is_raised(slow: tuple[FlockWindow, Slow]) -> None:
    window, system = slow
    system.wrong = ValueError("as a test wants it")
    with pytest.raises(ValueError, match="as a test wants it"):
        frames(window)
    system.wrong = None
    frames(window)
    assert not window.long_ticks.runs


def test_with_mods_ticks_run_where_ctrl_c_reaches_them(open_on: OpenWindow, tmp_path: Path) -> None:
    library = named(write_mod(tmp_path, "def install(app):\n    pass\n"))
    window = open_on(drifting(at(100, 100)), library=library)
    system = slowed(window)
    frames(window)
    assert system.threads == {"MainThread"}
