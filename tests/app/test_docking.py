"""Panels stand beside the world, hide nothing of each other, and are found again where a person put them."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from imgui_bundle import imgui

from sandbox.app.gui.panel import Box
from sandbox.app.preferences import Preferences, read_preferences, write_preferences
from sandbox.app.window import FlockWindow

from .conftest import OpenWindow, at, drifting, send
from .drawn import drawn
from .fields import frame
from .widgets import look

USUAL = "palette", "inspector", "time bar"
PANELS = "charts", "world", "pipeline", "log", "settings", "help", "mods", "scenes"


def hidden(one: Box, other: Box) -> float:
    """How much of one box another covers, pixels²."""
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(wide, 0) * max(high, 0)


def standing(window: FlockWindow) -> dict[str, Box]:
    """Where the panels are that are seen, pixels from the upper left."""
    look(window, 3)
    names = {panel.name for panel in window.session.app.panels}
    found = {}
    for shown in imgui.get_current_context().windows:
        name = shown.name.rpartition("###")[2]
        if shown.active and not shown.hidden and name in names:
            found[name] = Box(shown.pos.x, shown.pos.y, shown.size.x, shown.size.y)
    return found


def drag(window: FlockWindow, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag with the left button; places are pixels from the upper left."""
    high = window.height
    (x, y), (to_x, to_y) = (begin[0], high - begin[1]), (end[0], high - end[1])
    steps = 6
    send(window, ("on_mouse_motion", x, y, 0, 0))
    look(window)
    send(window, ("on_mouse_press", x, y, LEFT, 0))
    look(window)
    for step in range(1, steps + 1):
        there = x + (to_x - x) * step / steps, y + (to_y - y) * step / steps
        send(window, ("on_mouse_drag", *there, (to_x - x) / steps, (to_y - y) / steps, LEFT, 0))
        look(window)
    send(window, ("on_mouse_release", to_x, to_y, LEFT, 0))
    look(window)


@pytest.mark.parametrize("size", [(800, 600), (1024, 700), (1440, 900), (420, 400)])
def test_however_many_are_open_none_covers_another_or_is_cut_off(open_on: OpenWindow, size: tuple[int, int]) -> None:
    window = open_on(drifting(at(300, 200)), size, panels=USUAL)
    for name in PANELS:
        window.session.toggle_panel(name)
        shown = standing(window).values()
        for one, other in combinations(shown, 2):
            assert hidden(one, other) < 1
        for box in shown:
            assert -0.5 <= box.x <= box.x + box.width <= size[0] + 0.5
            assert 20 < box.y <= box.y + box.height <= size[1] + 0.5


@pytest.mark.parametrize("panel", PANELS)
def test_in_a_small_window_the_world_stays_in_sight(open_on: OpenWindow, panel: str) -> None:
    window = open_on(drifting(at(300, 200)), (800, 600), panels=[*USUAL, panel])
    shown = standing(window)
    left, low, right, high = window.session.camera.insets
    assert 800 - left - right > 300
    middle = Box(left, high, 800 - left - right, 600 - low - high)
    assert all(hidden(middle, box) < 1 for box in shown.values())


def test_a_panel_that_is_opened_comes_to_the_front_of_its_tabs(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=USUAL)
    for name in ("charts", "log", "world"):
        window.session.toggle_panel(name)
        assert name in standing(window)
    window.session.front("charts")
    assert {"charts", "log"} & set(standing(window)) == {"charts"}


def test_a_panel_that_is_closed_changes_no_tab_elsewhere(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=(*USUAL, "explain"))
    look(window)
    window.session.toggle_panel("scenes")
    window.session.view.to_front = "inspector"  # as a click on its tab
    assert "scenes" in standing(window)
    window.session.toggle_panel("scenes")
    assert {"inspector", "explain"} & set(standing(window)) == {"inspector"}


def test_the_edge_between_panels_and_world_can_be_dragged(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=USUAL)
    before = standing(window)["inspector"]
    drag(window, (before.x - 1, 400), (before.x - 101, 400))
    after = standing(window)["inspector"]
    assert after.width == pytest.approx(before.width + 100, abs=8)
    assert window.session.camera.insets[2] == pytest.approx(after.width, abs=8)


def test_a_press_on_the_world_is_for_the_world(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=USUAL)
    look(window)
    left, low, _, _ = window.session.camera.insets
    assert not window.gui.events.covers(left + 10, low + 10)
    assert window.gui.events.covers(left - 10, low + 10)


def test_panels_come_again_where_a_person_put_them(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=USUAL)
    before = standing(window)["inspector"]
    drag(window, (before.x - 1, 400), (before.x - 101, 400))
    put = standing(window)["inspector"]
    window.gui.keep(window.session.preferences)
    write_preferences(window.session.preferences)

    kept, wrong = read_preferences()
    assert not wrong
    make = window.session.document.again
    for size, found in (((1440, 900), put), ((1200, 800), None)):
        later = FlockWindow(make(), make, size, False, kept)
        there = standing(later)["inspector"]
        assert there == found or (found is None and there.width < put.width)
        later.close()


def test_an_arrangement_is_kept_within_seconds_and_found_again_at_its_window_size(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=USUAL)
    before = standing(window)["inspector"]
    drag(window, (before.x - 1, 400), (before.x - 101, 400))
    put = standing(window)["inspector"]
    for _ in range(8):
        frame(window, 1.0)
    assert "1440x900" in window.session.preferences.layouts
    for size in ((1200, 800), (1440, 900)):
        send(window, ("on_resize", *size))
        there = standing(window)["inspector"]
    assert there == put


@pytest.mark.parametrize("dock", ["0x0000B01D", "0x00000123"])
def test_a_panel_whose_dock_was_split_since_or_is_gone_is_shown_all_the_same(open_on: OpenWindow, dock: str) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=USUAL)
    look(window, 3)
    layouts = window.session.preferences.layouts
    window.gui.keep(window.session.preferences)
    head, panel, rest = layouts["1440x900"].partition("[Window][inspector]")
    layouts["1200x800"] = head + panel + re.sub("DockId=.*", f"DockId={dock},0", rest, count=1)
    send(window, ("on_resize", 1200, 800))
    assert set(standing(window)) == {*USUAL}


def test_a_panel_whose_dock_has_no_pixel_left_floats(open_on: OpenWindow) -> None:
    panels = "charts", "log", "world", "settings", "help", "mods"
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=[*USUAL, *panels])
    look(window, 3)
    rest = imgui.internal.find_window_by_name("###inspector").dock_id
    for name in panels:
        _, part, rest = imgui.internal.dock_builder_split_node_py(rest, imgui.Dir.down, 0.5)
        imgui.internal.dock_builder_dock_window(f"###{name}", part)
    look(window, 3)
    window.session.toggle_panel("mods")
    send(window, ("on_resize", 1, 1))
    look(window, 3)
    window.session.toggle_panel("mods")
    send(window, ("on_resize", 1000, 700))
    assert "mods" in standing(window)


def test_reset_puts_panels_where_they_stood_at_first(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=USUAL)
    first = standing(window)
    drag(window, (first["inspector"].x - 1, 400), (first["inspector"].x - 101, 400))
    assert standing(window) != first
    window.session.act("reset_layout")
    assert standing(window) == first


def test_reset_shows_the_panels_of_the_first_start_and_no_others(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=["palette", "charts", "pipeline", "time bar", "help"])
    look(window, 3)
    window.session.act("reset_layout")
    assert set(standing(window)) == set(Preferences().open)


@pytest.mark.parametrize(("name", "panels"), [("play", USUAL), ("study", (*USUAL, "charts")), ("present", ())])
def test_layouts_open_what_they_say_and_close_the_rest(open_on: OpenWindow, name: str, panels: tuple[str, ...]) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=[*USUAL, "help"])
    look(window)
    window.session.act(f"layout_{name}")
    assert set(standing(window)) == set(panels)


def test_a_tab_has_a_cross_that_closes_its_panel(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=[*USUAL, "charts"])
    look(window, 3)
    bar = imgui.internal.find_window_by_name("Charts###charts").dock_node.tab_bar
    x, y = bar.bar_rect.min.x + bar.tabs[0].offset + bar.tabs[0].width - 12, bar.bar_rect.get_center().y
    drag(window, (x, y), (x, y))
    assert "charts" not in window.session.preferences.open


def test_what_lies_over_the_world_stays_within_a_window_that_becomes_smaller(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=[*USUAL, "settings"])
    before = standing(window)["settings"]
    send(window, ("on_resize", 1100, 700))
    look(window, 4)
    after = standing(window)["settings"]
    assert before.x + before.width > 1100 >= after.x + after.width
    assert after.y + after.height <= 700


def test_the_tab_of_the_panel_in_front_is_seen_however_many_there_are(open_on: OpenWindow) -> None:
    tabs = ["charts", "mods", "log", "film", "world"]
    window = open_on(drifting(at(300, 200)), (1000, 700), panels=[*USUAL, *tabs])
    for name in ("world", "charts", "film", "world"):
        window.session.front(name)
        for _ in range(10):  # it glides
            frame(window, 0.1)
        shown = imgui.internal.find_window_by_name(f"###{name}")
        bar = shown.dock_node.tab_bar
        tab = next(tab for tab in bar.tabs if tab.id_ == shown.tab_id)
        left = tab.offset - bar.scrolling_anim
        assert bar.width_all_tabs > bar.bar_rect.get_width()
        assert left >= 0
        assert left + tab.width <= bar.bar_rect.get_width() + 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_four_tabs_beside_each_other_are_whole(open_on: OpenWindow, language: str) -> None:
    window = open_on(drifting(at(300, 200)), (1280, 700), panels=[*USUAL, "world", "explain", "film"])
    drawn(window, language)
    tabs = imgui.internal.find_window_by_name("###inspector").dock_node.tab_bar
    assert [tab.width for tab in tabs.tabs] == [tab.content_width for tab in tabs.tabs]
    assert len(tabs.tabs) == 4
    assert tabs.width_all_tabs < tabs.bar_rect.max.x - tabs.bar_rect.min.x
    drawn(window, "en")


def test_hidden_panels_come_back_where_they_stood(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=[*USUAL, "charts"])
    before = standing(window)
    for hides in (True, False):
        window.session.act("hide")
        assert ("hidden" in window.session.messages.newest) == hides
        look(window, 3)
    assert standing(window) == before


@pytest.mark.parametrize("opened", [(), ("help",)])
def test_the_key_of_a_panel_brings_back_all_that_are_hidden(open_on: OpenWindow, opened: tuple[str, ...]) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=[*USUAL, *opened])
    look(window)
    window.session.act("hide")
    look(window)
    window.session.act("help")
    assert {*USUAL, "help"} <= set(standing(window))


def test_at_800_by_600_the_world_has_more_than_half_of_the_width(open_on: OpenWindow) -> None:
    window = open_on(drifting(), (800, 600), panels=["palette", "inspector", "time bar"])
    look(window)
    assert window.session.camera.free[0] > 0.52 * 800


def test_large_text_leaves_tools_and_inspector(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1440, 900), panels=USUAL)
    window.session.preferences.text = 2.4
    look(window, 6)
    assert {"palette", "inspector"} <= window.session.view.panels
