"""The hand: which button does what, the brush, picking, pulling and scaring; and whose a press is."""

from __future__ import annotations

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_MIDDLE as MIDDLE
from arcade import MOUSE_BUTTON_RIGHT as RIGHT
from arcade import key
from imgui_bundle import imgui

import sandbox
from sandbox.app.preferences import Preferences
from sandbox.app.session.action import actions_of
from sandbox.app.session.hand import BRUSH, LARGEST, MOST, SMALLEST
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import Clear, SetHand, Undo
from sandbox.scenes.bundled import find_scene
from systems.engine.hand import Hand

from .conftest import OpenWindow, at, living, pixels, send
from .fields import type_into
from .mouse import NUMBER, click, drag, hit, log, point, press, settled, steps, take, walls, with_tools
from .widgets import click as click_widget
from .widgets import look

ALT, CTRL, SHIFT = key.MOD_ALT, key.MOD_CTRL, key.MOD_SHIFT
TICK = 0.1  # s


# ---- erasing


@pytest.mark.parametrize(("name", "button"), [("erase", LEFT), *((name, RIGHT) for name in NUMBER)])
def test_the_eraser_and_the_right_button_erase(open_on: OpenWindow, name: str, button: int) -> None:
    window = open_on(with_tools(at(100, 180), at(300, 190), at(500, 170), at(300, 300)))
    take(window, name)
    drag(window, (90, 180), (510, 180), button=button)
    assert settled(window) == {"red": 1}
    assert living(window).tolist() == [[300, 300]]
    assert len(steps(window)) == 1
    window.session.submit(Undo())
    assert settled(window) == {"red": 4}


def test_walls_it_crosses_go_too(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    take(window, "wall")
    for x in (100, 300, 500):
        drag(window, (x, 50), (x + 20, 310))
    settled(window)
    drag(window, (60, 180), (340, 180), button=RIGHT)
    assert settled(window) == {"wall": 1}
    assert walls(window) == [[500, 50, 520, 310]]


@pytest.mark.parametrize("button", [LEFT, RIGHT])
def test_with_shift_a_line_is_erased_and_with_control_a_rectangle(open_on: OpenWindow, button: int) -> None:
    spots = [at(x, y) for x in range(50, 600, 50) for y in range(50, 350, 50)]
    window = open_on(with_tools(*spots))
    take(window, "erase")
    press(window, (50, 50), (200, 300), (550, 50), button=button, held=SHIFT)
    assert settled(window) == {"red": 66}
    drag(window, (50, 50), (200, 300), (550, 50), button=button, held=SHIFT)
    assert settled(window) == {"red": 55}
    assert living(window)[:, 1].min() == 100
    drag(window, (580, 330), (280, 180), button=button, held=CTRL)
    settled(window)
    assert not (living(window) > (280, 180)).all(1).any()
    assert len(living(window)) == 55 - 18
    assert len(steps(window)) == 2


# ---- the brush


def test_brackets_and_control_with_the_wheel_change_the_brush(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    hand, zoom = window.session.hand, window.session.camera.zoom
    send(window, ("on_text", "]"))
    assert hand.brush > BRUSH
    send(window, ("on_text", "["), ("on_text", "["))
    assert hand.brush < BRUSH
    send(window, ("on_key_press", key.LCTRL, CTRL), ("on_mouse_scroll", 300, 200, 0, 3.0))
    assert hand.brush > BRUSH
    assert window.session.camera.zoom == zoom
    for notches, bound in ((-99.0, SMALLEST), (99.0, LARGEST)):
        send(window, ("on_mouse_scroll", 300, 200, 0, notches))
        assert hand.brush == bound
    send(window, ("on_key_release", key.LCTRL, 0), ("on_mouse_scroll", 300, 200, 0, 1.0))
    assert window.session.camera.zoom > zoom


@pytest.mark.parametrize("notches", [-3, 0, 4])
def test_the_brush_is_as_wide_on_the_screen_at_any_zoom(open_on: OpenWindow, notches: int) -> None:
    window = open_on(with_tools())
    window.session.hand.brush = 60
    send(window, ("on_mouse_scroll", 300, 180, 0, float(notches)))
    click(window, 300, 180)
    click(window, 300, 180)
    settled(window)
    camera = window.session.camera
    off = [np.hypot(*(np.array(camera.project((x, y))) - (300, 180))) for x, y in living(window)]
    assert 30 < max(off) < 60.1
    drag(window, (300, 180), button=RIGHT)
    assert settled(window) == {}


def test_a_click_places_as_many_as_the_count_says(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    window.session.hand.count = 40
    take(window, "food")
    assert window.session.hand.count == 1
    window.session.hand.count = 3
    click(window, 400, 200)
    take(window, "boid")
    click(window, 200, 200)
    assert settled(window) == {"food": 3, "red": 40}
    window.session.hand.count = 10 * MOST
    assert window.session.hand.count == MOST
    window.session.hand.count = 1
    click(window, 500, 50)
    settled(window)
    assert living(window)[-1].tolist() == [500, 50]


# ---- picking


@pytest.mark.parametrize(("button", "held"), [(MIDDLE, 0), (LEFT, ALT)])
def test_a_click_picks_tool_and_prefab_of_what_is_there(open_on: OpenWindow, button: int, held: int) -> None:
    scene = at(100, 100, prefab="green"), Entry("obstacle", at=(300, 200)), Entry("wall", points=((300, 50), (500, 50)))
    window = open_on(with_tools(*scene))
    window.session.clock.paused = True
    for place, tool, prefab in (((300, 205), "obstacle", "obstacle"), ((400, 52), "wall", "wall")):
        click(window, *place, button, held)
        assert window.session.hand.tool.name == tool
        assert window.session.hand.prefab(window.session, window.session.hand.tool) == prefab
    click(window, 101, 99, button, held)
    assert window.session.hand.tool.name == "boid"
    click(window, 600, 300, button, held)
    assert "nothing" in window.session.messages.newest
    click(window, 500, 300)
    assert settled(window)["green"] == 13


def test_a_middle_drag_pans_and_picks_nothing(open_on: OpenWindow) -> None:
    window = open_on(with_tools(Entry("obstacle", at=(300, 200))))
    x, y = window.session.camera.x, window.session.camera.y
    drag(window, (300, 200), (340, 210), (301, 201), (340, 210), button=MIDDLE)
    assert (window.session.camera.x, window.session.camera.y) == (x - 40, y - 10)
    assert window.session.hand.tool.name == "boid"
    assert log(window) == []


def test_what_a_tool_places_can_be_chosen_and_goes_with_its_tool(open_on: OpenWindow) -> None:
    window = open_on(with_tools(), (800, 600), panels=["palette"])
    click_widget(window, "##prefab")
    click_widget(window, "green##prefab")
    click(window, 400, 300)
    take(window, "goal")
    take(window, "boid")
    click(window, 500, 300)
    assert settled(window) == {"green": 24}


# ---- pulling and scaring


def hands(window: FlockWindow) -> list[SetHand]:
    return [done.command for done in log(window) if isinstance(done.command, SetHand)]


@pytest.mark.parametrize(("held", "sign"), [(0, 1), (SHIFT, -1)])
def test_the_hand_pulls_the_flock_and_with_shift_scares_it(open_on: OpenWindow, held: int, sign: int) -> None:
    window = open_on(with_tools(at(200, 180), at(400, 180)))
    take(window, "hand")
    press(window, (300, 180), held=held)
    for _ in range(4):
        window.on_update(TICK)
    apart = np.diff(living(window)[:, 0])[0]
    assert (200 - apart) * sign > 5
    assert len(hands(window)) == 1
    send(window, ("on_mouse_drag", 320, 200, 20, 20, LEFT, held), ("on_mouse_drag", 330, 200, 10, 0, LEFT, held))
    window.on_update(TICK)
    assert [(b.x, b.y) for b in hands(window)] == [(300, 180), (330, 200)]
    send(window, ("on_mouse_release", 330, 200, LEFT, held))
    window.on_update(TICK)
    assert window.simulation.world.resource(Hand) == Hand()
    assert hands(window)[-1].strength == 0
    assert steps(window) == []


@pytest.mark.parametrize("holds", [True, False])
def test_who_pulls_while_time_stands_is_told_until_it_goes_on(open_on: OpenWindow, holds: bool) -> None:
    window = open_on(with_tools(at(200, 180)))
    window.session.clock.paused = True
    take(window, "hand")
    press(window, (300, 180))
    window.on_update(TICK)
    assert window.session.messages.newest == "Time stands: the hand pulls once it goes on (Space)"
    assert living(window)[0, 0] == 200
    if not holds:
        send(window, ("on_mouse_release", 300, 180, LEFT, 0))
    hit(window, key.SPACE)
    for _ in range(3):
        window.on_update(TICK)
    assert not window.session.messages.shown
    assert (living(window)[0, 0] > 200) == holds


@pytest.mark.parametrize("event", [("on_deactivate",), ("on_text", "1"), ("on_key_press", key.R, 0)])
def test_the_hand_lets_go_whatever_comes_between(open_on: OpenWindow, event: tuple[object, ...]) -> None:
    window = open_on(with_tools(at(200, 180)))
    take(window, "hand")
    press(window, (300, 180))
    window.on_update(TICK)
    assert window.simulation.world.resource(Hand).strength
    send(window, event)
    window.on_update(TICK)
    assert window.simulation.world.resource(Hand) == Hand()
    send(window, ("on_mouse_drag", 320, 200, 20, 20, LEFT, 0), ("on_mouse_release", 320, 200, LEFT, 0))
    window.on_update(TICK)
    assert window.simulation.world.resource(Hand) == Hand()


def test_the_palette_tells_how_wide_the_circle_is(open_on: OpenWindow) -> None:
    window = open_on(with_tools(), (1280, 900), panels=["palette"])
    window.session.hand.brush = 20
    take(window, "hand")
    window.on_draw()
    press(window, (600, 500))
    window.on_update(TICK)
    texts = look(window).texts
    circle = f"{hands(window)[0].radius * window.session.camera.zoom:.0f} px"
    assert texts[texts.index("Circle") + 1] == circle == "120 px"


# ---- buttons


def test_another_button_ends_what_one_had_begun(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    take(window, "wall")
    press(window, (100, 100), (300, 100))
    click(window, 300, 100, RIGHT)
    send(window, ("on_mouse_release", 300, 100, LEFT, 0))
    assert settled(window) == {}


def test_a_drag_without_a_press_does_nothing(open_on: OpenWindow) -> None:
    window = open_on(with_tools(at(300, 180)))
    send(window, ("on_mouse_drag", 300, 180, 5, 5, LEFT, 0), ("on_mouse_release", 300, 180, LEFT, 0))
    send(window, ("on_mouse_drag", 300, 180, 5, 5, RIGHT, 0), ("on_mouse_release", 300, 180, RIGHT, 0))
    assert settled(window) == {"red": 1}


# ---- panels


def test_the_palette_takes_tools_and_sets_count_and_brush(open_on: OpenWindow) -> None:
    window = open_on(with_tools(), (800, 600), panels=["palette"])
    for name in NUMBER:
        click_widget(window, f"##tool {name}")
        assert window.session.hand.tool.name == name
    click_widget(window, "##tool boid")
    click_widget(window, "##count")
    click_widget(window, "##brush")
    assert window.session.hand.count not in (1, 12)
    assert window.session.hand.brush != BRUSH
    assert settled(window) == {}
    assert log(window) == []


def test_a_count_holds_for_its_scene_and_for_no_other(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    usual = window.session.hand.count
    window.session.hand.count = 3000
    window.filing.restart()
    assert window.session.hand.count == 3000
    window.filing.open(find_scene("ronan"))
    assert window.session.hand.count == usual


@pytest.mark.parametrize(
    ("text", "count", "said"),
    [("20000", 12, "Count must be at most 10,000."), ("abc", 12, "“abc” is not a number."), ("7000", 7000, "")],
)
def test_a_count_that_can_not_be_says_why(open_on: OpenWindow, text: str, count: int, said: str) -> None:
    window = open_on(with_tools(), (640, 560), panels=["palette"])
    type_into(window, "##count", text)
    assert window.session.hand.count == count
    assert [text for text in look(window).texts if "must" in text or "“" in text] == ([said] if said else [])


def test_everywhere_spreads_all_of_them_over_the_world_in_one_step(open_on: OpenWindow) -> None:
    window = open_on(with_tools(), (800, 600), panels=["palette"])
    click_widget(window, "Everywhere##spread")
    window.session.hand.count = 5000
    x, y = map(round, window.session.camera.project((320, 180)))
    drag(window, (x, y), (x + 100, y))
    assert settled(window) == {"red": 5000}
    for axis, wide in enumerate((640, 360)):
        assert np.histogram(living(window)[:, axis], 4, (0, wide))[0].min() > 1000
    assert len(steps(window)) == 1
    window.session.submit(Undo())
    assert settled(window) == {}


def test_everywhere_is_said_for_each_tool(open_on: OpenWindow) -> None:
    window = open_on(with_tools(), (800, 600), panels=["palette"])
    click_widget(window, "Everywhere##spread")
    hand = window.session.hand
    assert hand.spread
    take(window, "predator")
    assert not hand.spread
    take(window, "boid")
    assert hand.spread
    click_widget(window, "Everywhere##spread")
    assert not hand.spread


def test_a_tool_places_the_kind_of_its_role_that_lives_most_here(open_on: OpenWindow) -> None:
    simulation = sandbox.load("pasture").simulation
    window = FlockWindow(simulation, lambda: sandbox.load("pasture").simulation, (640, 560), preferences=Preferences())
    hand, tools = window.session.hand, {tool.name: tool for tool in window.session.hand.tools}
    assert [hand.prefab(window.session, tools[name]) for name in ("boid", "predator", "food")] == [
        "sheep",
        "wolf",
        "grass",
    ]
    before = simulation.populations()
    click(window, 320, 300)
    assert settled(window) == {**before, "sheep": before["sheep"] + 12}
    window.close()


def test_what_a_tool_places_stays_while_the_world_changes(open_on: OpenWindow) -> None:
    window = open_on(with_tools(at(100, 100), at(200, 100, prefab="green"), at(300, 100, prefab="green")))
    hand, boid = window.session.hand, window.session.hand.tools[1]
    assert hand.prefab(window.session, boid) == "green"
    window.session.submit(Clear("green"))
    window.on_update(0.01)
    assert hand.prefab(window.session, boid) == "green"


@pytest.mark.parametrize("size", [(640, 380), (800, 600), (1280, 720), (1920, 1080)])
def test_everything_of_the_palette_is_in_sight(open_on: OpenWindow, size: tuple[int, int]) -> None:
    window = open_on(with_tools(), size, panels=["palette", "time bar"])
    boxes = look(window).boxes
    time_bar = 56
    for label in [*(f"##tool {name}" for name in NUMBER), "##prefab", "##count", "Everywhere##spread", "##brush"]:
        left, low, right, top = boxes[label]
        assert 0 < left < right < 150, label
        assert time_bar < low < top < size[1], label


def test_a_press_on_a_panel_never_reaches_the_world(open_on: OpenWindow) -> None:
    window = open_on(with_tools(), (800, 600), panels=["palette"])
    x, y = look(window).places["##tool wind"]
    point(window, 400, 300)
    window.on_draw()
    send(window, ("on_mouse_motion", x, y, 0, 0), ("on_mouse_press", x, y, LEFT, 0))  # in one frame
    send(window, ("on_mouse_drag", 400, 300, 300, 0, LEFT, 0), ("on_mouse_release", 400, 300, LEFT, 0))
    window.on_draw()
    assert settled(window) == {}
    assert log(window) == []


def test_a_drag_that_began_in_the_world_stays_the_worlds_over_a_panel(open_on: OpenWindow) -> None:
    window = open_on(with_tools(), (800, 600), panels=["palette"])
    take(window, "wall")
    x, y = look(window).places["##tool wind"]
    press(window, (400, 300), (x, y))
    window.on_draw()
    send(window, ("on_mouse_release", x, y, LEFT, 0))
    window.on_draw()
    assert window.session.hand.tool.name == "wall"
    assert settled(window) == {"wall": 1}
    assert walls(window)[0][0] == pytest.approx(window.session.camera.to_world(400, 300)[0], abs=0.01)


def test_over_a_panel_no_outline_is_shown(open_on: OpenWindow) -> None:
    window = open_on(with_tools(), (800, 600), panels=["palette"])
    look(window)
    point(window, 400, 300)
    assert window.session.hand.pixel == (400, 300)
    point(window, *look(window).places["##tool wind"])
    assert window.session.hand.pixel is None
    point(window, 400, 300)
    send(window, ("on_mouse_leave", 799, 300))
    assert window.session.hand.pixel is None


def test_a_mouse_outside_the_window_is_over_no_panel(open_on: OpenWindow) -> None:
    window = open_on(with_tools(), (800, 600), panels=["palette"])
    point(window, *look(window).places["##brush"])
    window.on_draw()
    assert imgui.get_io().want_capture_mouse
    send(window, ("on_mouse_leave", -2, 300))
    window.on_draw()
    assert not imgui.get_io().want_capture_mouse


@pytest.mark.parametrize("name", NUMBER)
def test_every_tool_but_select_shows_what_a_click_would_do(open_on: OpenWindow, name: str) -> None:
    window = open_on(with_tools())
    take(window, name)
    before = pixels(window).astype(int)
    point(window, 300, 200)
    assert (np.abs(pixels(window) - before).max() > 20) == (name != "select")
    window.session.hand.leave()
    assert (pixels(window) == before).all()


def test_a_tool_of_a_mod_comes_through_the_same_door(open_on: OpenWindow) -> None:
    from sandbox.app.session.tool import Spot, Tool

    class Note(Tool):
        name, title, icon, help = "note", "Note", "N", "Says where."

        def press(self, session: object, spot: Spot) -> None:
            window.session.messages.say(f"here: {spot.x:g}, {spot.y:g}")

    window = open_on(with_tools(), (800, 700), panels=["palette"])
    window.session.app.add_tool(Note())
    click_widget(window, "##tool note")
    x, y = map(round, window.session.camera.project((320, 180)))
    click(window, x, y)
    there = window.session.messages.newest.removeprefix("here: ")
    assert [float(number) for number in there.split(", ")] == pytest.approx([320, 180], abs=1)


def test_a_tool_beyond_the_tenth_has_no_key_until_it_is_given_one(open_on: OpenWindow) -> None:
    from sandbox.app.session.tool import Tool

    class Note(Tool):
        name, title, icon, help = "note", "Note", "N", "Does nothing."

    window = open_on(with_tools())
    session = window.session
    session.app.add_tool(Note())
    session.actions = actions_of(session.app)
    assert session.actions["tool_12"].title == "Note"
    assert session.actions["tool_12"].keys == ()
    session.preferences.keys["tool_12"] = ["F8"]
    hit(window, key.F8)
    assert session.hand.tool.name == "note"


def test_keys_find_their_way_while_a_button_is_down(open_on: OpenWindow) -> None:
    window = open_on(with_tools())
    press(window, (200, 200), (260, 200))
    hit(window, key.SPACE)
    send(window, ("on_mouse_drag", 320, 200, 60, 0, LEFT, 0), ("on_mouse_release", 320, 200, LEFT, 0))
    settled(window)
    assert len(steps(window)) == 1


# ---- Escape


@pytest.mark.parametrize("name", [name for name in NUMBER if name != "hand"])
@pytest.mark.parametrize("held", [0, SHIFT, CTRL])
@pytest.mark.parametrize("button", [LEFT, RIGHT])
def test_escape_takes_a_drag_back(open_on: OpenWindow, name: str, held: int, button: int) -> None:
    window = open_on(with_tools(at(100, 180), at(300, 190)))
    window.session.clock.paused = True
    take(window, name)
    click(window, 500, 100)  # an earlier step, which stays
    window.on_update(0.01)
    before, taken = window.simulation.digest(), len(steps(window))
    press(window, (100, 180), (200, 250), (300, 190), button=button, held=held)
    window.on_update(0.01)
    hit(window, key.ESCAPE)
    send(window, ("on_mouse_drag", 400, 200, 100, 10, button, held), ("on_mouse_release", 400, 200, button, held))
    window.on_update(0.01)
    assert window.simulation.digest() == before
    assert len(steps(window)) == taken
    assert not window.gui.events.hidden


def test_then_it_closes_what_is_in_front_and_then_it_deselects(open_on: OpenWindow) -> None:
    window = open_on(with_tools(at(100, 180)), (1440, 900), panels=["palette", "inspector", "time bar"])
    window.session.selection.choose([1])
    window.session.act("help")
    look(window)
    window.session.act("settings")
    look(window)
    docked = {"palette", "inspector", "time bar"}
    for left, chosen in ((docked | {"help"}, 1), (docked, 1), (docked, 0), (docked, 0)):
        hit(window, key.ESCAPE)
        look(window)
        assert {*window.session.preferences.open} == left
        assert len(window.session.selection.serials) == chosen
