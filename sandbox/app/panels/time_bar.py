"""Time: pause, one tick, how fast; how far the world has come, and what it costs."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.gui.buttons import button
from sandbox.app.gui.layout import Side
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.theme import Theme
from sandbox.app.session.session import Session
from sandbox.clock import SPEEDS
from systems.engine.settings import Settings


class TimeBar(Panel):
    """The bar below the world."""

    name = "time bar"
    title = "Time bar"
    side = Side.BOTTOM
    size = 0.0, 42.0

    def draw(self, session: Session, theme: Theme) -> None:
        clock = session.clock
        icon, words = (icons.ICON_FA_PLAY, "Resume") if clock.paused else (icons.ICON_FA_PAUSE, "Pause")
        if button(icon, session.with_key(words, "pause")):
            session.act("pause")
        imgui.same_line()
        if button(icons.ICON_FA_FORWARD_STEP, session.with_key("Pause and run one tick", "one_tick")):
            session.act("one_tick")
        imgui.same_line()
        imgui.set_next_item_width(imgui.calc_text_size("0.25x").x + 44 * imgui.get_style().font_scale_main)
        if imgui.begin_combo("##speed", f"{clock.speed / 100:g}x"):
            for speed in SPEEDS:
                if imgui.selectable(f"{speed / 100:g}x", speed == clock.speed)[0]:
                    clock.go_at(speed)
            imgui.end_combo()
        slower = session.with_key("Speed: slower", "slower")
        imgui.set_item_tooltip(f"{slower}, {session.with_key('faster', 'faster')}")
        _numbers(session)


def _numbers(session: Session) -> None:
    """As many as find room, what matters most first."""
    simulation, clock, scale = session.simulation, session.clock, imgui.get_style().font_scale_main
    seconds = simulation.tick / simulation.world.resource(Settings).tick_rate
    parts = [
        (f"{seconds // 60:.0f}:{seconds % 60:04.1f}", f"tick {simulation.tick:,}"),
        (f"{simulation.world.table.size:,}", "entities"),
        (speed_in_words(session), ""),
        (f"{session.view.frames_per_second:.0f}", "frames/s"),
        (f"{clock.tick_ns / 1e6:.2f}", "ms per tick"),
    ]
    for strong, faint in parts:
        width = imgui.calc_text_size(f"{strong} {faint}").x + 24 * scale
        imgui.same_line(0, 18 * scale)
        if imgui.get_content_region_avail().x < width:
            break
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted(strong)
        if faint:
            imgui.same_line(0, 5 * scale)
            imgui.text_disabled(faint)


def speed_in_words(session: Session) -> str:
    """How fast time really passes: "1x real time", "0.6x real time (1x asked for)", "paused"."""
    clock = session.clock
    asked, reached = clock.speed / 100, clock.reached()
    if clock.paused:
        return "paused"
    if abs(reached - asked) > 0.06 * asked:
        return f"{reached:.1f}x real time ({asked:g}x asked for)"
    return f"{asked:g}x real time"
