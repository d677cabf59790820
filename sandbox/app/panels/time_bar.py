"""The time bar: the timeline, buttons for pause, single ticks and speed, and numbers about time and performance."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.ring import spot
from sandbox.app.gui.theme import u32
from sandbox.app.gui.ui import Ui
from sandbox.app.icons import icon_of
from sandbox.app.panels.past_bar import PastBar, time_in_words
from sandbox.app.session.action import TIME_BAR
from sandbox.app.session.session import Session
from sandbox.clock import SPEEDS
from sandbox.language import capitalised, counted, translate
from systems.engine.settings import Settings

ROOMY = 380.0  # pixels: a narrower bar has no buttons for one tick back, for other actions, and for looks


class TimeBar(Panel):
    """The bar below the world, which controls time."""

    name = "time bar"
    title = "Time bar"
    help = "the past, pause and speed"
    side = Side.BOTTOM
    size = 0.0, 64.0

    def __init__(self) -> None:
        self._past = PastBar()

    def draw(self, session: Session, ui: Ui) -> None:
        clock, scale = session.clock, ui.scale
        imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() - 5 * scale)
        self._past.draw(session, ui)
        imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() - 2 * scale)
        roomy = ui.room[0] > ROOMY * scale
        if roomy:
            if ui.button(icons.ICON_FA_BACKWARD_STEP, session.with_key("Pause and go one tick back", "tick_back")):
                session.act("tick_back")
            spot(session, "tick_back")
            ui.beside()
        icon, words = (icons.ICON_FA_PLAY, "Resume") if clock.paused else (icons.ICON_FA_PAUSE, "Pause")
        if ui.button(icon, session.with_key(words, "pause")):
            session.act("pause")
        spot(session, "pause")
        ui.beside()
        if ui.button(icons.ICON_FA_FORWARD_STEP, session.with_key("Pause and run one tick", "one_tick")):
            session.act("one_tick")
        spot(session, "one_tick")
        ui.beside()
        imgui.set_next_item_width(imgui.calc_text_size("0.25x").x + 44 * scale)
        if imgui.begin_combo("##speed", f"{clock.speed / 100:g}x"):
            for speed in SPEEDS:
                if imgui.selectable(f"{speed / 100:g}x", speed == clock.speed)[0]:
                    clock.go_at(speed)
            imgui.end_combo()
        slower = session.with_key("Speed: slower", "slower")
        imgui.set_item_tooltip(f"{slower}, {session.with_key('faster', 'faster')}")
        ui.beside()
        back = session.with_key("Back to the present", "present")
        in_past = session.document.timeline.in_past
        with ui.in_accent(in_past):
            pressed = ui.button(icons.ICON_FA_FORWARD_FAST, back, enabled=in_past)
        if pressed:
            session.act("present")
        spot(session, "present")
        if roomy:
            _own_buttons(session, ui)
            ui.beside()
            if ui.button(icons.ICON_FA_PALETTE, session.with_key("Colours and overlays", "looks")):
                session.act("looks")
            spot(session, "looks")
        _numbers(session, ui)


def _own_buttons(session: Session, ui: Ui) -> None:
    """Draw the buttons of actions that have one here."""
    for action in [action for action in session.actions.values() if action.bar == TIME_BAR]:
        ui.beside()
        is_on = action.is_on is not None and action.is_on(session)
        if is_on:
            imgui.push_style_color(imgui.Col_.text, ui.theme.wrong)
        pressed = imgui.button(f"{icon_of(action.icon)}##{action.name}")
        if is_on:
            imgui.pop_style_color()
        imgui.set_item_tooltip(session.with_key(action.title, action.name))
        if pressed:
            session.act(action.name)
        spot(session, action.name)


def _numbers(session: Session, ui: Ui) -> None:
    """Draw as many numbers as fit, the most important first."""
    timeline, clock, scale = session.document.timeline, session.clock, ui.scale
    rate = session.simulation.world.resource(Settings).tick_rate
    tick = translate("tick {tick:,}", tick=timeline.tick)
    now = time_in_words(timeline.tick, rate)
    end = time_in_words(timeline.branch.last, rate)
    past = translate("the past: {time} of {end}", time=now, end=end) if timeline.in_past else ""
    parts = [
        *([(past, ""), (tick, "")] if past else [(now, tick)]),
        (counted(session.simulation.world.table.size), translate("entities")),
        (speed_in_words(session), ""),
        (f"{session.view.frames_per_second:.0f}", translate("frames/s")),
        (f"{clock.tick_ns / 1e6:.2f}", translate("ms per tick")),
    ]
    for number, (strong, faint) in enumerate(parts):
        width = imgui.calc_text_size(f"{strong} {faint}").x + 24 * scale
        ui.beside((18 if number else 12) * scale)
        fits = ui.room[0] >= width
        if not fits and number:
            break
        ui.on_a_row()
        if past and not number:
            _draw_chip(ui, capitalised(past))
        else:
            ui.verbatim(strong)
        if not fits:
            break
        if faint:
            ui.beside(5 * scale)
            ui.verbatim(faint, ui.theme.faint)


def _draw_chip(ui: Ui, words: str) -> None:
    """Write words on a ground of the accent colour."""
    place, size, about = imgui.get_cursor_screen_pos(), imgui.calc_text_size(words), imgui.get_style().frame_padding
    low = place.x - about.x, place.y
    high = place.x + size.x + about.x, place.y + imgui.get_frame_height()
    imgui.get_window_draw_list().add_rect_filled(low, high, u32(ui.theme.accent), imgui.get_style().frame_rounding)
    ui.verbatim(words, ui.theme.accent_ink)


def speed_in_words(session: Session) -> str:
    """Return how fast time passes: "1x real time", "0.6x real time (1x asked for)", "paused"."""
    clock = session.clock
    asked, reached = clock.speed / 100, clock.reached()
    if clock.paused:
        return translate("paused")
    if session.playback.backwards:
        return translate("{asked:g}x backwards", asked=asked)
    if abs(reached - asked) > 0.06 * asked:
        reached = round(reached, 1) or float(f"{reached:.1g}")
        return translate("{reached:g}x real time ({asked:g}x asked for)", reached=reached, asked=asked)
    return translate("{asked:g}x real time", asked=asked)
