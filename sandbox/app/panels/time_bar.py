"""The time bar: the timeline, buttons for pause, single ticks and speed, and numbers about time and performance."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.ring import action_button
from sandbox.app.gui.ui import Ui
from sandbox.app.icons import icon_of
from sandbox.app.panels.past_bar import PastBar
from sandbox.app.session.action import TIME_BAR
from sandbox.app.session.session import Session
from sandbox.clock import SPEEDS, time_in_words
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

    def reset(self, session: Session) -> None:
        self._past = PastBar()  # the one before would keep its branch in memory

    def draw(self, session: Session, ui: Ui) -> None:
        clock, scale = session.clock, ui.scale
        ui.lower(-5 * scale)
        self._past.draw(session, ui)
        ui.lower(-2 * scale)
        roomy = ui.room[0] > ROOMY * scale
        if roomy:
            action_button(session, ui, icons.ICON_FA_BACKWARD_STEP, "tick_back", "Pause and go one tick back")
            ui.beside()
        icon, words = (icons.ICON_FA_PLAY, "Resume") if clock.paused else (icons.ICON_FA_PAUSE, "Pause")
        action_button(session, ui, icon, "pause", words)
        ui.beside()
        action_button(session, ui, icons.ICON_FA_FORWARD_STEP, "one_tick", "Pause and run one tick")
        ui.beside()
        ui.wide(ui.size("0.25x")[0] + 44 * scale)
        with ui.combo("##speed", f"{clock.speed / 100:g}x") as on:
            for speed in SPEEDS if on else ():
                if ui.entry(f"{speed / 100:g}x", speed == clock.speed):
                    clock.go_at(speed)
        ui.tip(f"{session.with_key('Speed: slower', 'slower')}, {session.with_key('faster', 'faster')}")
        ui.beside()
        timeline = session.document.timeline
        can_return = timeline.in_past and session.playback.at != timeline.branch.last
        with ui.in_accent(can_return):
            action_button(session, ui, icons.ICON_FA_FORWARD_FAST, "present", "Back to the present", enabled=can_return)
        if roomy:
            for action in [action for action in session.actions.values() if action.bar == TIME_BAR]:
                ui.beside()
                is_on = action.is_on is not None and action.is_on(session)
                with ui.coloured(**{"text": ui.theme.wrong} if is_on else {}):
                    action_button(session, ui, f"{icon_of(action.icon)}##{action.name}", action.name)
            ui.beside()
            action_button(session, ui, icons.ICON_FA_PALETTE, "looks", "Colours and overlays")
        _numbers(session, ui)


def _numbers(session: Session, ui: Ui) -> None:
    """Draw as many numbers as fit, the most important first."""
    timeline, clock, scale = session.document.timeline, session.clock, ui.scale
    world = session.simulation.world
    rate, size = world.resource(Settings).tick_rate, world.table.size
    tick = translate("tick {tick:,}", tick=timeline.tick)
    now, seeks, chip = time_in_words(timeline.tick, rate), session.playback.seeks, ""
    if seeks:
        chip = translate("on the way to {there}: {time}", there=time_in_words(session.playback.at, rate), time=now)
    elif timeline.in_past:
        chip = translate("the past: {time} of {end}", time=now, end=time_in_words(timeline.branch.last, rate))
    parts = [
        *([(chip, ""), (tick, "")] if chip else [(now, tick)]),
        (counted(size), translate("entity" if size == 1 else "entities")),
        *([] if seeks else [(speed_in_words(session), "")]),
        (f"{session.view.frames_per_second:.0f}", translate("frames/s")),
        (f"{clock.tick_ns / 1e6:.2f}", translate("ms per tick")),
    ]
    for number, (strong, faint) in enumerate(parts):
        width = ui.size(f"{strong} {faint}")[0] + 24 * scale
        ui.beside((18 if number else 12) * scale)
        fits = ui.room[0] >= width
        if not fits and number:
            break
        ui.on_a_row()
        if chip and not number:
            _draw_chip(ui, capitalised(chip))
        else:
            ui.verbatim(strong)
        if not fits:
            break
        if faint:
            ui.beside(5 * scale)
            ui.verbatim(faint, ui.theme.faint)


def _draw_chip(ui: Ui, words: str) -> None:
    """Write words on a ground of the accent colour."""
    (x, y), (width, height), side = ui.here, ui.size(words), 4 * ui.scale
    ui.pen.box((x - side, y), (x + width + side, y + height + side), ui.theme.accent, side)
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
