"""The Explain panel: walks through the next tick of the selected entity, step by step."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.ui import Ui
from sandbox.app.panels.explain_parts import come_closer, draw_step, draw_step_list, invite, pick_any
from sandbox.app.panels.explain_picture import draw_picture
from sandbox.app.session.session import Session
from sandbox.app.walking import Walking
from sandbox.explain.steps import Walk
from sandbox.language import translate

SHARE, LEAST = 0.42, 130.0  # height of list and picture: share of the panel's height, and minimum in pixels
TEXT = 90.0  # height reserved for the text, pixels
VIEWS = ("North up", "Heading up"), ("From the front", "Along its heading")  # of the picture: flat, with depth
KEYS = {"left_arrow": -1, "up_arrow": -1, "right_arrow": 1, "down_arrow": 1}


class Explain(Panel):
    """Shows which neighbours the selected entity sees, what each rule adds, the sum, and the move."""

    name = "explain"
    title = "Explain"
    help = "why the selected entity turns, rule by rule"
    keys, menu = ("E",), "Help"
    side = Side.RIGHT  # beside the world, so that it does not cover the entity
    size = 390.0, 0.0

    def __init__(self, walking: Walking) -> None:
        self.walking = walking

    def reset(self, session: Session) -> None:
        self.walking.reset()

    def opened(self, session: Session) -> None:
        """Explain somebody, if nobody is selected."""
        if not session.selection.serials:
            pick_any(session)
            self.walking.begin()

    def update(self, session: Session) -> None:
        if self.name in session.view.panels:
            self.walking.look(session)

    def draw(self, session: Session, ui: Ui) -> None:
        walking = self.walking
        found = walking.look(session)
        if found is None:
            invite(session, ui, walking)
            return
        _step_by_keys(session, ui, walking)
        _head(session, ui, walking, found)
        if found.why is None:
            draw_step(found.steps[0], ui)
            return
        ui.space()
        ui.wrapped(found.answer)
        ui.space()
        scale = ui.scale
        room, footer = ui.room[1], ui.row
        height = max(min(max(SHARE * room, LEAST * scale), room - footer - TEXT * scale), 0.5 * LEAST * scale)
        draw_step_list(walking, found, height, ui)
        ui.beside()
        draw_picture(session, walking, found, (ui.room[0], height), ui)
        with ui.child("told", (0, -footer)) as shown:
            if shown:
                draw_step(found.steps[walking.at], ui)
        _foot(session, walking, found, ui)


def _step_by_keys(session: Session, ui: Ui, walking: Walking) -> None:
    if ui.focused:
        session.asking.walks = True
        for key, step in KEYS.items():
            if ui.pressed(key):
                walking.go(walking.at + step)


def _head(session: Session, ui: Ui, walking: Walking, found: Walk) -> None:
    """Draw the name and tick, and the buttons; in a narrow panel the buttons go below."""
    turn = f"{icons.ICON_FA_LOCATION_ARROW if walking.by_heading else icons.ICON_FA_COMPASS}##up"
    closer = f"{icons.ICON_FA_MAGNIFYING_GLASS}##closer"
    pause = f"{icons.ICON_FA_PLAY} Resume" if session.clock.paused else f"{icons.ICON_FA_PAUSE} Pause and explain"
    buttons = [*((turn, closer) if found.around is not None else ()), f"{pause}##pause"]
    who, when = f"{found.prefab} {found.serial}", translate("tick {tick:,}", tick=walking.tick)
    room = ui.room[0] - ui.width(*buttons) - ui.gap - ui.size(who)[0]
    ui.on_a_row()
    ui.verbatim(who)
    if room < 0 or room > ui.size(when)[0] + ui.gap:
        ui.beside()
        ui.verbatim(when, ui.theme.faint)
    if room >= 0:
        ui.at_the_right(*buttons)
    if found.around is not None:
        if ui.button(turn, VIEWS[walking.has_depth][not walking.by_heading]):
            walking.turned = not walking.turned
        ui.beside()
        if ui.button(closer, "Zoom in on it"):
            come_closer(session, found)
        ui.beside()
    if ui.button(f"{pause}##pause"):
        session.act("pause")
        if session.clock.paused:
            walking.begin()
            come_closer(session, found)


def _foot(session: Session, walking: Walking, found: Walk, ui: Ui) -> None:
    at, last = walking.at, len(found.steps) - 1
    if ui.button(f"{icons.ICON_FA_ARROW_LEFT}##back", "Previous step (Left)", enabled=at > 0):
        walking.go(at - 1)
    ui.beside()
    if ui.button(f"Next {icons.ICON_FA_ARROW_RIGHT}##next", "Next step (Right)", enabled=at < last):
        walking.go(at + 1)
    ui.beside()
    ui.on_a_row()
    ui.text("{at} of {last}", at=at + 1, last=last + 1)
    run_tick = f"{icons.ICON_FA_SHOE_PRINTS} Run this tick##tick"
    ui.at_the_right(run_tick)
    with ui.in_accent(at == last):  # after the last step this is the button to press next
        pressed = ui.button(run_tick)
    ui.tip("Run this tick, then explain the next one")
    if pressed:
        session.act("one_tick")
        walking.begin()
