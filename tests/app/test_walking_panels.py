"""The keyboard reaches every panel: F6 goes from one to the next, Tab and arrows through it, Esc back to the world."""

from __future__ import annotations

from arcade import key
from imgui_bundle import imgui

from sandbox.app.window import X11_LEFT_TAB, FlockWindow

from .conftest import OpenWindow, at, drifting, send
from .mouse import click
from .widgets import look

USUAL = ["palette", "inspector", "time bar"]


def press(window: FlockWindow, *symbols: int) -> None:
    for symbol in symbols:
        send(window, ("on_key_press", symbol, 0))
        look(window)
        send(window, ("on_key_release", symbol, 0))
        look(window)


def test_f6_goes_through_all_that_are_seen_and_back_to_the_world(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1280, 800), panels=USUAL)
    look(window)
    walked = []
    for _ in range(len(USUAL) + 1):
        press(window, key.F6)
        walked.append(window.session.view.walked)
    assert sorted(walked) == sorted([*USUAL, ""])


def test_tab_goes_on_from_what_is_marked_at_first(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1280, 800), panels=USUAL)
    look(window)
    for _ in USUAL:
        press(window, key.F6)
        marked = [imgui.get_current_context().nav_id]
        for _ in range(2):
            press(window, key.TAB)
            marked.append(imgui.get_current_context().nav_id)
        assert 0 not in marked
        assert len({*marked}) == 3


def test_x11_has_another_name_for_tab_with_shift(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1280, 800), panels=USUAL)
    tool = window.session.hand.tool.name
    press(window, key.TAB)
    assert window.session.hand.tool.name != tool
    send(window, ("on_key_press", X11_LEFT_TAB, key.MOD_SHIFT))
    look(window)
    assert window.session.hand.tool.name == tool


def test_arrows_and_space_press_what_is_in_a_panel_and_the_world_hears_nothing(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1280, 800), panels=USUAL)
    window.session.clock.paused = True
    look(window)
    before, tick = window.session.hand.tool.name, window.simulation.tick
    while window.session.view.walked != "palette":
        press(window, key.F6)
    press(window, key.DOWN, key.DOWN, key.DOWN, key.SPACE)
    assert window.session.hand.tool.name != before
    assert window.session.clock.paused
    assert window.simulation.tick == tick


def test_escape_and_a_click_on_the_world_end_it(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1280, 800), panels=USUAL)
    look(window)
    press(window, key.F6, key.ESCAPE)
    assert window.session.view.walked == ""
    assert not window.gui.events.hidden
    press(window, key.F6)
    click(window, 640, 400)
    assert window.session.view.walked == ""
    press(window, key.SPACE)
    assert window.session.clock.paused


def test_escape_closes_a_list_and_leaves_the_mark_where_it_was(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1280, 800), panels=["palette"])
    look(window)
    press(window, key.F6, *len(window.session.app.tools) * [key.DOWN])
    context = imgui.get_current_context()
    marked = context.nav_id
    press(window, key.SPACE)
    assert imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    press(window, key.ESCAPE)
    assert not imgui.is_popup_open("", imgui.PopupFlags_.any_popup)
    assert window.session.view.walked == "palette"
    assert (context.nav_id, context.nav_cursor_visible) == (marked, True)
