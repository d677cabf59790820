"""Every key of the list, pressed as hands press it, does what the list says: one line for each action."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from arcade import key

from sandbox.app.input import NAMES
from sandbox.app.parts import install
from sandbox.app.session.action import Action, actions_of
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import Despawn, SetSetting
from sandbox.render.tints import TINTS
from systems.engine.app import installed

from .conftest import OpenWindow, at, send
from .mouse import with_tools
from .widgets import look

ACTIONS = actions_of(installed([install])).values()  # those of extras are tested with them
SYMBOLS = {name: symbol for symbol, name in NAMES.items()}
HELD = {"Ctrl": key.MOD_CTRL, "Alt": key.MOD_ALT, "Shift": key.MOD_SHIFT}
Check = Callable[[FlockWindow], object]


def press(window: FlockWindow, keys: str) -> None:
    """Press "Ctrl+Shift+Z", or type ".", let it go, and have a frame pass."""
    *held, last = keys.split("+") if len(keys) > 1 else [keys]
    if last in SYMBOLS:
        modifiers = sum(HELD[name] for name in held)
        send(window, ("on_key_press", SYMBOLS[last], modifiers))
        window.on_update(0.1)
        send(window, ("on_key_release", SYMBOLS[last], modifiers))
    else:
        send(window, ("on_text", last))
    window.on_update(0)
    window.on_draw()


def closer(window: FlockWindow) -> None:
    window.session.camera.zoom_at(320, 180, 2)


def edited(window: FlockWindow) -> None:
    window.session.submit(Despawn((1,)))
    window.on_update(0)


def undone(window: FlockWindow) -> None:
    edited(window)
    window.session.document.undo()
    window.on_update(0)


def selected(window: FlockWindow) -> None:
    window.session.selection.choose([2])


def copied(window: FlockWindow) -> None:
    selected(window)
    window.session.act("copy")
    send(window, ("on_mouse_motion", 300, 180, 1, 1))


def count(window: FlockWindow) -> int:
    return window.simulation.world.table.size


def some_ticks(window: FlockWindow) -> None:
    for _ in range(3):
        window.session.act("one_tick")
        window.on_update(0.1)


def at_the_beginning(window: FlockWindow) -> None:
    some_ticks(window)
    window.session.act("beginning")
    window.on_update(0.1)


def nothing(window: FlockWindow) -> None:
    pass


def in_depth(window: FlockWindow) -> None:
    window.session.submit(SetSetting("depth", 200.0))
    window.on_update(0.1)
    look(window)


def selected_in_depth(window: FlockWindow) -> None:
    in_depth(window)
    selected(window)


def palette(window: FlockWindow) -> None:
    window.session.preferences.open.append("palette")
    look(window)


EFFECTS: dict[str, tuple[Check, Check]] = {
    "new": (nothing, lambda w: count(w) == 0),
    "open": (nothing, lambda w: w.session.asking.dialog and not w.session.asking.dialog.saves),
    "save": (nothing, lambda w: w.session.asking.dialog and w.session.asking.dialog.saves),
    "save_as": (nothing, lambda w: w.session.asking.dialog and w.session.asking.dialog.saves),
    "save_state": (nothing, lambda w: w.session.asking.dialog and "State" in w.session.asking.dialog.kind.words),
    "save_recording": (
        nothing,
        lambda w: w.session.asking.dialog and "recording" in w.session.asking.dialog.kind.words,
    ),
    "restart": (lambda w: w.simulation.step(3), lambda w: w.simulation.tick == 0),
    "screenshot": (nothing, lambda w: [w.jobs.finish(), *w.shots.folder.glob("*.png")][1:]),
    "copy_picture": (nothing, lambda w: [w.jobs.finish(), "picture" in str(w.session.messages.log)][1]),
    "quit": (edited, lambda w: w.session.asking.question),
    "undo": (edited, lambda w: count(w) == 4),
    "redo": (undone, lambda w: count(w) == 3),
    "select_all": (nothing, lambda w: w.session.selection.serials == (1, 2, 3, 4)),
    "cut": (selected, lambda w: count(w) == 3 and w.session.document.copied),
    "copy": (selected, lambda w: count(w) == 4 and w.session.document.copied),
    "paste": (copied, lambda w: count(w) == 5),
    "remove": (selected, lambda w: count(w) == 3),
    "pause": (nothing, lambda w: not w.session.clock.paused),
    "one_tick": (nothing, lambda w: w.simulation.tick == 1),
    "tick_back": (some_ticks, lambda w: w.simulation.tick == 2),
    "second": (at_the_beginning, lambda w: w.simulation.tick == 3),
    "second_back": (some_ticks, lambda w: w.simulation.tick == 0),
    "beginning": (some_ticks, lambda w: w.simulation.tick == 0),
    "present": (at_the_beginning, lambda w: w.simulation.tick == 3),
    "mark": (nothing, lambda w: w.session.document.timeline.recording.markers),
    "loop": (nothing, lambda w: w.session.playback.loop == (0, 0)),
    "backwards": (some_ticks, lambda w: w.session.playback.backwards),
    "slower": (nothing, lambda w: w.session.clock.speed == 50),
    "faster": (nothing, lambda w: w.session.clock.speed == 200),
    "follow": (selected, lambda w: w.session.view.following),
    "ride": (selected_in_depth, lambda w: w.session.view.riding),
    "from_front": (in_depth, lambda w: w.session.camera.axes[2, 2] > 0.99),
    "from_side": (in_depth, lambda w: w.session.camera.axes[2, 0] > 0.99),
    "from_top": (in_depth, lambda w: w.session.camera.axes[2, 1] > 0.99),
    "parallel": (in_depth, lambda w: w.session.camera.parallel),
    "pan_higher": (closer, lambda w: w.session.camera.y > 181),
    "pan_lower": (closer, lambda w: w.session.camera.y < 179),
    "pan_up": (closer, lambda w: w.session.camera.y > 181),
    "pan_left": (closer, lambda w: w.session.camera.x < 319),
    "pan_down": (closer, lambda w: w.session.camera.y < 179),
    "pan_right": (closer, lambda w: w.session.camera.x > 321),
    "fit": (lambda w: w.session.camera.zoom_at(9, 9, 2), lambda w: w.session.camera.fitted),
    "colours": (nothing, lambda w: w.simulation.pipeline.by_name["render"].colour == TINTS[1]),
    **{
        f"colour_{tint}": (
            lambda w, n=n: w.session.document.colour_by(TINTS[n - 1]),
            lambda w, tint=tint: w.session.document.coloured_by == tint,
        )
        for n, tint in enumerate(TINTS)
    },
    "commands": (nothing, lambda w: w.session.view.palette_open),
    "compare": (nothing, lambda w: w.session.document.comparison),
    "keep_second": (
        lambda w: w.session.act("compare"),
        lambda w: w.session.document.timeline.branch.parent and not w.session.document.comparison,
    ),
    "surprise": (nothing, lambda w: w.session.messages.newest.startswith("Surprise")),
    "layout_play": (nothing, lambda w: w.session.preferences.open == ["palette", "inspector", "time bar"]),
    "layout_study": (nothing, lambda w: "charts" in w.session.preferences.open),
    "layout_present": (nothing, lambda w: not w.session.preferences.open),
    "reset_layout": (lambda w: w.gui.keep(w.session.preferences), lambda w: not w.session.preferences.layouts),
    "sound": (nothing, lambda w: w.session.preferences.muted),
    "full_screen": (nothing, lambda w: w.filled),
    "ambient": (nothing, lambda w: w._ambient),
    "walk": (palette, lambda w: w.session.view.walked == "palette"),
    "hide": (nothing, lambda w: w.gui.events.hidden),
    "step_back": (selected, lambda w: w.session.selection.serials == ()),
    "wider": (nothing, lambda w: w.session.hand.brush > 28),
    "narrower": (nothing, lambda w: w.session.hand.brush < 28),
    "next_tool": (lambda w: w.session.hand.take_number(w.session, 1), lambda w: w.session.hand.number == 2),
    "previous_tool": (lambda w: w.session.hand.take_number(w.session, 2), lambda w: w.session.hand.number == 1),
    **{f"tool_{n}": (nothing, lambda w, n=n: w.session.hand.number == n) for n in range(1, 12)},
    **{
        name: (nothing, lambda w, name=name: name in w.session.shown)
        for name in ("grid", "perception", "vectors", "trails", "heat")
    },
    **{
        name: (nothing, lambda w, name=name: name in w.session.preferences.open)
        for name in (
            [
                "charts",
                "explain",
                "help",
                "history",
                "inspector",
                "log",
                "looks",
                "mods",
                "palette",
                "pipeline",
                "scenes",
                "settings",
                "share",
                "world",
            ]
            + ["time bar"]
        )
    },
}


@pytest.fixture
def window(open_on: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlockWindow:
    """Four things in a world that stands, seen in a window that no screen can be filled with."""
    monkeypatch.setattr(FlockWindow, "filled", False, raising=False)
    monkeypatch.setattr(FlockWindow, "set_fullscreen", lambda self, on: setattr(self, "filled", on))
    opened = open_on(with_tools(at(100, 100), at(200, 100), at(300, 100), Entry("obstacle", at=(500, 300))))
    opened.session.clock.paused = True
    opened.shots.folder = opened.session.document.folder = tmp_path
    opened.on_draw()
    return opened


def test_the_list_is_whole() -> None:
    assert {action.name for action in ACTIONS} == set(EFFECTS)
    assert TINTS[0] == "species"


@pytest.mark.parametrize(
    ("action", "keys"),
    [(action, keys) for action in ACTIONS for keys in action.keys],
    ids=lambda x: getattr(x, "name", x),
)
def test_a_key_does_what_the_list_says(window: FlockWindow, action: Action, keys: str) -> None:
    before, after = EFFECTS[action.name]
    before(window)
    press(window, keys)
    assert after(window)


@pytest.mark.parametrize("action", [action for action in ACTIONS if not action.keys], ids=lambda action: action.name)
def test_an_action_without_a_key_gets_one_in_the_settings(window: FlockWindow, action: Action) -> None:
    window.session.preferences.keys[action.name] = ["F9"]
    before, after = EFFECTS[action.name]
    before(window)
    press(window, "F9")
    assert after(window)
