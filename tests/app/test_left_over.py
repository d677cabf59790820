"""What is left over of what a person did before: the tool in hand, and what the mouse happens to rest on."""

from __future__ import annotations

from pathlib import Path

from arcade import MOUSE_BUTTON_LEFT as LEFT

from sandbox.app.window import FlockWindow

from .conftest import OpenWindow, at, drifting, send
from .mouse import settled, take, with_tools
from .widgets import click, look

POND = 'format = 1\n[[spawn]]\nprefab = "boid"\nat = [100, 100]\n'


def test_an_opened_scene_begins_with_the_usual_tool(open_on: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "pond.toml").write_text(POND)
    window = open_on(with_tools(at(100, 100)))
    take(window, "erase")
    window.filing.open(tmp_path / "pond.toml")
    assert settled(window) == {"boid": 1}
    assert window.session.hand.tool.name == "boid"


def test_who_restarts_a_scene_keeps_the_tool(open_on: OpenWindow) -> None:
    window = open_on(with_tools(at(100, 100)))
    take(window, "erase")
    window.session.act("restart")
    assert settled(window) == {"red": 1}
    assert window.session.hand.tool.name == "erase"


def test_where_a_menu_was_chosen_no_tip_of_what_lay_under_it_comes_until_the_mouse_moves(
    open_on: OpenWindow,
) -> None:
    window = open_on(drifting(at(100, 100)), (900, 700), panels=["palette"])
    helps = {tool.help for tool in window.session.hand.tools}
    click(window, "Edit")
    seen = look(window)
    left, low, _, high = seen.boxes["Select everything"]
    x, y = round(left) + 12, round((low + high) / 2)
    tool_left, _, tool_right, _ = seen.boxes["##tool boid"]
    assert tool_left < x < tool_right
    send(window, ("on_mouse_motion", x, y, 0, 0), ("on_mouse_press", x, y, LEFT, 0))
    window.on_draw()
    send(window, ("on_mouse_release", x, y, LEFT, 0))
    assert not helps & texts_of(window, 1.5)
    assert window.session.selection.serials == (1,)
    send(window, ("on_mouse_motion", x + 1, y, 1, 0))
    assert helps & texts_of(window, 1.5)


def texts_of(window: FlockWindow, seconds: float) -> set[str]:
    """All texts of so many seconds."""
    seen = set()
    for _ in range(round(seconds * 20)):
        window.on_update(0.05)
        seen |= set(look(window, 1).texts)
    return seen
