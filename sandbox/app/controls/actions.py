"""The built-in actions of keys and menus, except those that toggle panels and overlays, and take tools."""

from __future__ import annotations

import math
from functools import partial
from itertools import starmap

from sandbox.app import clipboard
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.files.saving import Saving
from sandbox.app.preferences import Preferences
from sandbox.app.session.action import EDIT, FILE, OVERLAYS, TIME, TOOLS, VIEW, Action
from sandbox.app.session.session import Session
from sandbox.app.tools.under import just_placed, nearest_animal
from sandbox.render.tints import TINTS

PAN_STEP = 60.0  # pixels per call of `do`


def _saving(session: Session) -> Saving:
    return session.services.filing.saving


def _pan(way: str, flies: str, key: str, right: int, up: int, rises: int = 0) -> Action:
    """Return an action that pans while its key is held; in a world with depth, it flies.

    Keys like `;` arrive only as typed characters, so it is unknown whether they are held: then `do` pans by a step.
    """

    def do(session: Session) -> None:
        session.camera.pan(-right * PAN_STEP, -(up or rises) * PAN_STEP)

    return Action(
        f"pan_{way}",
        f"Pan {way} while held",
        do,
        (key,),
        group=VIEW,
        help="moves the camera",
        deep_title=f"Fly {flies} while held",
        pans=(right, up, rises),
    )


def _pause(session: Session) -> None:
    session.clock.paused = not session.clock.paused
    session.playback.backwards = False


def _change_tool(session: Session, step: int) -> None:
    session.hand.take_number(session, session.hand.number + step)


def _switch_sound(session: Session) -> None:
    session.preferences.muted = not session.preferences.muted


def _undo(session: Session) -> None:
    """Take back the last corner of a wall that goes on; else undo the last step."""
    if not session.hand.take_back(session):
        session.document.undo()


def _has_selection(session: Session) -> bool:
    return bool(session.selection.serials)


def _select_nearest(session: Session) -> None:
    """Select the animal just placed, or else the one nearest to the mouse, if nothing is selected."""
    if session.selection.serials:
        return
    placed, near = just_placed(session), nearest_animal(session, session.hand.spot(session))
    if (serial := near if placed is None else placed) is not None:
        session.selection.choose((serial,))


def _follow(session: Session) -> None:
    """Follow the selection, or stop it."""
    _select_nearest(session)
    session.follow()


def _ride(session: Session) -> None:
    """Ride on the selection, or stop it."""
    _select_nearest(session)
    session.ride()


def _switch_parallel(session: Session) -> None:
    if isinstance(session.camera, SpaceCamera):
        session.camera.parallel = not session.camera.parallel


def _from(side: str, number: int, yaw: float, pitch: float) -> Action:
    """Return an action that looks at a world with depth from one side; angles in half turns."""

    def do(session: Session) -> None:
        session.look_from(yaw * math.pi, pitch * math.pi)

    return Action(
        f"from_{side}",
        f"From the {side}",
        do,
        (f"Num{number}",),
        menu=VIEW,
        section=1,
        help="turns the camera, in a world with depth",
        deep=True,
    )


def _layout(title: str, *panels: str) -> Action:
    """Return an action that opens some panels and closes all others."""

    def do(session: Session) -> None:
        session.preferences.open[:] = panels

    words = f"opens {', '.join(panels)}" if panels else "shows only the world"
    return Action(f"layout_{title.lower()}", f"Layout: {title}", do, menu=VIEW, section=3, help=words)


def _reset_layout(session: Session) -> None:
    session.preferences.open[:] = Preferences().open
    session.view.resets_layout = True


def _find_action(session: Session) -> None:
    session.view.palette_open = not session.view.palette_open


def _colouring(tint: str) -> Action:
    return Action(
        f"colour_{tint}",
        f"Colour by {tint}",
        lambda session: session.document.colour_by(tint),
        menu=OVERLAYS,
        is_on=lambda session: session.document.coloured_by == tint,
    )


_in_file, _in_edit, _in_time, _in_view = (partial(Action, menu=menu) for menu in (FILE, EDIT, TIME, VIEW))
_tool = partial(Action, group=TOOLS)

ACTIONS = (
    _in_file("new", "Empty world", lambda s: s.services.filing.new(), ("Ctrl+N",), help="a world with nothing in it"),
    _in_file(
        "open",
        "Open ...",
        lambda s: s.services.filing.ask_open(),
        ("Ctrl+O",),
        help="a scene, a state or a recording, or a screenshot or page with one",
    ),
    _in_file(
        "save",
        "Save",
        lambda s: _saving(s).save(),
        ("Ctrl+S",),
        section=1,
        help="the scene, in its file: opened again, it begins anew",
    ),
    _in_file(
        "save_as",
        "Save scene as ...",
        lambda s: _saving(s).save_as(),
        ("Ctrl+Shift+S",),
        section=1,
        help="the world's design, in a file that you can read: opened again, it begins anew",
    ),
    _in_file(
        "save_state",
        "Save state ...",
        lambda s: _saving(s).save_state(),
        ("Ctrl+Alt+S",),
        section=1,
        help="the world as it is now, with every animal at its place: opened again, it goes on from here",
    ),
    _in_file(
        "save_recording",
        "Save recording ...",
        lambda s: _saving(s).save_recording(),
        ("Ctrl+Alt+R",),
        section=1,
        help="everything since the world was opened; it can be replayed",
    ),
    _in_file(
        "restart",
        "Restart with the same seed",
        lambda s: s.services.filing.restart(),
        ("R",),
        section=2,
        help="the same world from its beginning, with the same random numbers",
    ),
    _in_file(
        "screenshot",
        "Screenshot",
        lambda s: s.services.screenshot(),
        ("F2",),
        section=3,
        help="a picture of what panels leave free, which leads back to this moment when it is opened",
    ),
    _in_file(
        "copy_picture",
        "Copy picture",
        lambda s: s.services.copy_picture(),
        ("Ctrl+Shift+C",),
        section=3,
        help="the same picture, to paste it into another program",
    ),
    _in_file(
        "quit",
        "Quit",
        lambda s: s.services.filing.quit(),
        ("Ctrl+Q",),
        section=4,
        always=True,
        help="asks about changes first",
    ),
    _in_edit("undo", "Undo", _undo, ("Ctrl+Z",)),
    _in_edit("redo", "Redo", lambda s: s.document.redo(), ("Ctrl+Shift+Z", "Ctrl+Y")),
    _in_edit("select_all", "Select everything", clipboard.select_all, ("Ctrl+A",), section=1),
    _in_edit("cut", "Cut", clipboard.cut, ("Ctrl+X",), section=1),
    _in_edit("copy", "Copy", clipboard.copy, ("Ctrl+C",), section=1),
    _in_edit("paste", "Paste at the pointer", clipboard.paste, ("Ctrl+V",), section=1),
    Action(
        "step_back",
        "Cancel the drag, close or deselect",
        lambda s: s.step_back(),
        ("Esc",),
        group=EDIT,
        help="takes back the drag in progress, else ends a ride, closes the panel over the world, or selects nothing",
    ),
    _in_edit("remove", "Remove the selection", clipboard.remove, ("Delete",), section=1, possible=_has_selection),
    _in_edit(
        "commands", "Find an action ...", _find_action, ("Ctrl+P",), section=2, help="finds scenes and other files, too"
    ),
    _in_time("pause", "Pause / resume", _pause, ("Space",), is_on=lambda s: s.clock.paused),
    _in_time("one_tick", "One tick", lambda s: s.playback.one_tick(), (".", "Right")),
    _in_time("tick_back", "One tick back", lambda s: s.playback.move(-1), ("Left",)),
    _in_time("second", "One second forward", lambda s: s.playback.move_seconds(1), ("Shift+Right",)),
    _in_time("second_back", "One second back", lambda s: s.playback.move_seconds(-1), ("Shift+Left",)),
    _in_time("beginning", "To the beginning", lambda s: s.playback.visit(0), ("Home",)),
    _in_time("present", "To the present", lambda s: s.playback.present(), ("End",)),
    _in_time("mark", "Mark this moment", lambda s: s.playback.mark(), ("M",)),
    _in_time(
        "loop",
        "Loop: start, end, off",
        lambda s: s.playback.mark_loop(),
        ("L",),
        is_on=lambda s: s.playback.loop is not None,
        help="the first time sets the start, the second time the end, the third time removes the loop",
    ),
    _in_time(
        "backwards", "Backwards", lambda s: s.playback.turn(), ("Shift+Space",), is_on=lambda s: s.playback.backwards
    ),
    _in_time("slower", "Slower", lambda s: s.clock.faster(-1), (",",)),
    _in_time("faster", "Faster", lambda s: s.clock.faster(1), ("/",)),
    _in_view(
        "follow",
        "Follow the selection",
        _follow,
        ("F",),
        is_on=lambda s: s.view.following,
        help="with nothing selected, the animal just placed, or the one nearest to the pointer",
    ),
    _in_view(
        "ride",
        "Ride on the selection",
        _ride,
        ("Shift+F",),
        is_on=lambda s: s.view.riding,
        help="looks from the head of the animal that is selected, just placed, or nearest to the pointer",
        deep=True,
    ),
    *starmap(_from, (("front", 1, 0.0, 0.0), ("side", 3, 0.5, 0.0), ("top", 7, 0.0, 0.5))),
    _in_view(
        "parallel",
        "Without perspective",
        _switch_parallel,
        ("Num5",),
        section=1,
        is_on=lambda s: isinstance(s.camera, SpaceCamera) and s.camera.parallel,
        deep=True,
    ),
    _pan("up", "ahead", "W", 0, 1),
    _pan("left", "to the left", "A", -1, 0),
    _pan("down", "back", "S", 0, -1),
    _pan("right", "to the right", "D", 1, 0),
    _pan("higher", "up", "PageUp", 0, 0, 1),
    _pan("lower", "down", "PageDown", 0, 0, -1),
    _in_view("fit", "Fit the world", lambda s: s.fit(), ("Z",)),
    Action("colours", "Cycle colouring", lambda s: s.document.next_colours(), ("B",), OVERLAYS),
    *map(_colouring, TINTS),
    _in_view(
        "compare",
        "Compare two worlds",
        lambda s: s.compare(),
        ("C",),
        section=2,
        is_on=lambda s: s.document.comparison is not None,
        help="shows a copy of this world beside it, to change one of them; the second time, the first world goes on",
    ),
    _in_view(
        "keep_second",
        "Compare: keep the second world",
        lambda s: s.end_comparison(right=True),
        section=2,
        help="ends Compare, and the right or lower world goes on; the other one is kept as a branch of the past",
        possible=lambda s: s.document.comparison is not None,
    ),
    _layout("Play", "palette", "inspector", "time bar"),
    _layout("Study", "palette", "inspector", "charts", "time bar"),
    _layout("Present"),
    _in_view(
        "reset_layout",
        "Layout: reset",
        _reset_layout,
        section=3,
        help="opens the panels of the first start, each at its first place, and closes all others",
    ),
    _in_view("full_screen", "Full screen", lambda s: s.services.switch_full_screen(), ("F11",), section=2),
    _in_view(
        "ambient",
        "Ambient mode",
        lambda s: s.services.begin_ambient(),
        ("Shift+F11",),
        section=2,
        help="scene after scene over the whole screen, without panels; any key brings your world back",
    ),
    _in_view(
        "sound",
        "Sound",
        _switch_sound,
        ("Q",),
        section=2,
        is_on=lambda s: not s.preferences.muted,
        help="wings, wind, water, catches and births; how loud it is stands in Settings",
    ),
    _in_view(
        "walk",
        "Focus next panel",
        lambda s: s.walk(),
        ("F6",),
        section=2,
        help="keyboard control of panels: Tab and arrows move, Space and Enter press, Esc ends it",
        possible=lambda s: not s.asking.waits,
        always=True,
    ),
    _in_view("hide", "Hide / show panels", lambda s: s.services.toggle_panels(), ("F12",), section=2),
    _tool("wider", "Wider brush", lambda s: s.hand.widen(1), ("]",)),
    _tool("narrower", "Narrower brush", lambda s: s.hand.widen(-1), ("[",)),
    _tool("next_tool", "Next tool", lambda s: _change_tool(s, 1), ("Tab",)),
    _tool("previous_tool", "Previous tool", lambda s: _change_tool(s, -1), ("Shift+Tab",)),
)
