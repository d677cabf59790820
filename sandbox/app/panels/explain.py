"""Explain: a tick of the one selected, step by step, for people who want to understand flocking."""

from __future__ import annotations

import numpy as np
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from components.flock import Flocker
from components.motion import Motion, Position, Velocity
from sandbox.app.camera import CLOSEST
from sandbox.app.gui.layout import Side
from sandbox.app.gui.theme import Theme
from sandbox.app.overlays.explained import Explained
from sandbox.app.overlays.rule_colours import rule_colour
from sandbox.app.panels.explain_picture import draw_picture
from sandbox.app.session import Session
from sandbox.app.walking import Walking
from sandbox.walk import REST, SUM, Step, Walk
from systems.core.install import App

LIST, PICTURE = 148.0, 196.0  # pixels: width of the list of steps, and least height of list and picture
BAR = 3.0  # pixels, how thick the bars below the names of rules are
LEAST_FREE = 160.0  # pixels of the world beside the panel: where less is free it lies over what it explains
LARGER = 1.22  # than text: a step's title


class Explain:
    """Whom it sees, what each rule gives, the sum, the move."""

    name = "explain"
    title = "Explain"
    side = Side.RIGHT  # beside what is explained, not over it
    size = 390.0, 0.0

    def __init__(self, walking: Walking) -> None:
        self.walking = walking

    def draw(self, session: Session, theme: Theme) -> None:
        walking = self.walking
        walking.open = True
        found = walking.look(session)
        if found is None:
            _invite(session, walking)
            return
        _listen(walking)
        _head(session, walking, found, theme)
        scale = imgui.get_style().font_scale_main
        room = imgui.get_content_region_avail()
        footer = imgui.get_frame_height_with_spacing()
        high = min(max(0.44 * room.y, PICTURE * scale), max(room.y - footer - 90 * scale, 60 * scale))
        if found.why is not None:
            _steps(walking, found, high, theme)
            imgui.same_line()
            draw_picture(session.simulation.world, walking, found, (imgui.get_content_region_avail().x, high))
        if imgui.begin_child("##told", imgui.ImVec2(0, -footer)):
            _tell(found.steps[walking.at], theme)
        imgui.end_child()
        _foot(session, walking, found, theme)


def _invite(session: Session, walking: Walking) -> None:
    one = session.selection.one
    if one is not None and walking.is_dear(session):
        imgui.text_wrapped("So many live here that explaining one takes a while. Pause to see why it turns.")
        if imgui.button(f"{icons.ICON_FA_PAUSE} Pause and walk"):
            session.act("pause")
            walking.begin()
        return
    if one is not None:
        imgui.text_wrapped(f"Entity {one} is gone. Select another one.")
    elif session.selection.serials:
        imgui.text_wrapped(f"{len(session.selection.serials)} are selected. Select one alone to see why it turns.")
    else:
        imgui.text_wrapped(
            "Why does it turn? Select one, and walk through its next tick: whom it sees, what each rule asks of it, "
            "the sum, and the move."
        )
    if imgui.button(f"{icons.ICON_FA_CROSSHAIRS} Pick any"):
        pick_any(session)
        walking.begin()


def pick_any(session: Session) -> None:
    """Select one that moves near the middle of what is seen, if it can be one that flocks."""
    table, camera = session.simulation.world.table, session.camera
    rows = table.rows(Position, Velocity, Motion, Flocker)
    if not len(rows):
        rows = table.rows(Position, Velocity, Motion)
    if not len(rows):
        session.messages.warn("nobody moves in this world: place someone first")
        return
    left, low, right, top = camera.insets
    x, y = camera.to_world((camera.screen[0] + left - right) / 2, (camera.screen[1] + low - top) / 2)
    away = np.hypot(table.columns["Position.x"][rows] - x, table.columns["Position.y"][rows] - y)
    session.selection.choose([table.serial[rows[np.lexsort((table.serial[rows], away))[0]]]])


def come_closer(session: Session, found: Walk) -> None:
    """Have it, and all it sees, in the middle of what the panel being drawn leaves free of the world."""
    camera, place, size = session.camera, imgui.get_window_pos(), imgui.get_window_size()
    left, low, right, top = camera.insets
    end = camera.screen[0] - right
    begin, end = max(((left, place.x), (place.x + size.x, end)), key=lambda side: side[1] - side[0])
    if end - begin < LEAST_FREE:
        begin, end = left, camera.screen[0] - right
    high = camera.screen[1] - top - low
    if found.why is not None and found.around is not None:
        camera.zoom = min(0.45 * min(end - begin, high) / found.around.shown, CLOSEST)
        x, y = found.why.position
        off_x, off_y = (begin + end - camera.screen[0]) / 2, (low + high / 2) - camera.screen[1] / 2
        camera.look_at(x - off_x / camera.zoom, y - off_y / camera.zoom)


def _listen(walking: Walking) -> None:
    if imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows) and not imgui.get_io().want_text_input:
        back, forth = imgui.is_key_pressed(imgui.Key.left_arrow), imgui.is_key_pressed(imgui.Key.right_arrow)
        up, down = imgui.is_key_pressed(imgui.Key.up_arrow), imgui.is_key_pressed(imgui.Key.down_arrow)
        walking.go(walking.at + (forth or down) - (back or up))


def _head(session: Session, walking: Walking, found: Walk, theme: Theme) -> None:
    imgui.align_text_to_frame_padding()
    imgui.text_unformatted(f"{found.prefab} {found.serial}")
    imgui.same_line()
    imgui.text_colored(imgui.ImVec4(*theme.faint), f"tick {session.simulation.tick:,}")
    if found.around is not None and found.around.heading.any():
        imgui.same_line()
        icon = icons.ICON_FA_LOCATION_ARROW if walking.heading_up else icons.ICON_FA_COMPASS
        if imgui.button(f"{icon}##up"):
            walking.heading_up = not walking.heading_up
        imgui.set_item_tooltip(
            "picture as in the world" if walking.heading_up else "turn the picture so that it heads up"
        )
    imgui.same_line()
    if imgui.button(f"{icons.ICON_FA_MAGNIFYING_GLASS}##closer"):
        come_closer(session, found)
    imgui.set_item_tooltip("look at it from near, beside this panel")
    words = f"{icons.ICON_FA_PLAY} Go on" if session.clock.paused else f"{icons.ICON_FA_PAUSE} Pause and walk"
    wide = imgui.calc_text_size(words).x + 2 * imgui.get_style().frame_padding.x
    imgui.same_line(imgui.get_window_width() - wide - imgui.get_style().window_padding.x)
    if imgui.button(f"{words}##pause"):
        session.act("pause")
        if session.clock.paused:
            walking.begin()
            come_closer(session, found)


def _steps(walking: Walking, found: Walk, high: float, theme: Theme) -> None:
    """The steps, and below each rule's name a bar as long as it is strong."""
    scale = imgui.get_style().font_scale_main
    gives = {step.name: float(np.hypot(*step.vector)) for step in found.steps if step.vector is not None}
    strongest = max(gives.values(), default=0.0) or 1.0
    imgui.begin_child("##steps", imgui.ImVec2(LIST * scale, high))
    lines = imgui.get_window_draw_list()
    for k, step in enumerate(found.steps):
        if imgui.selectable(f"{step.title}##step", k == walking.at)[0]:
            walking.go(k)
        low, top = imgui.get_item_rect_max(), imgui.get_item_rect_min()
        if k == walking.at and imgui.is_window_appearing():
            imgui.set_scroll_here_y()
        if step.name in gives:
            wide = (low.x - top.x) * gives[step.name] / strongest
            colour = theme.ink if step.name == SUM else (*(part / 255 for part in rule_colour(step.name)), 1.0)
            begin = imgui.ImVec2(top.x, low.y - BAR * scale)
            lines.add_rect_filled(begin, imgui.ImVec2(low.x, low.y), imgui.get_color_u32(imgui.ImVec4(*theme.field)))
            lines.add_rect_filled(
                begin, imgui.ImVec2(top.x + wide, low.y), imgui.get_color_u32(imgui.ImVec4(*colour)), 1.5 * scale
            )
    imgui.end_child()


def _tell(step: Step, theme: Theme) -> None:
    imgui.push_font(None, LARGER * imgui.get_style().font_size_base)
    imgui.text_unformatted(step.title)
    imgui.pop_font()
    for k, sentence in enumerate(step.sentences):
        if step.name == REST and k:
            name, _, words = sentence.partition(": ")
            imgui.text_unformatted(name)
            imgui.push_style_color(imgui.Col_.text, imgui.ImVec4(*theme.faint))
            imgui.text_wrapped(words)
            imgui.pop_style_color()
        else:
            imgui.text_wrapped(sentence)
    if step.numbers:
        _numbers(step, theme)


def _numbers(step: Step, theme: Theme) -> None:
    flags = imgui.TableFlags_.sizing_stretch_prop | imgui.TableFlags_.borders_inner_h
    if not imgui.begin_table("##numbers", 4, flags):
        return
    units = list(dict.fromkeys(number.unit for number in step.numbers))
    for column, wide in enumerate((1.6, 1.0, 1.0, 1.0)):
        imgui.table_setup_column(str(column), imgui.TableColumnFlags_.width_stretch, wide)
    imgui.table_next_row()
    for name in (units[0] if len(units) == 1 else "", "x", "y", "speed" if step.vector is None else "strength"):
        imgui.table_next_column()
        imgui.text_colored(imgui.ImVec4(*theme.faint), name)
    for number in step.numbers:
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.text_unformatted(number.label)
        for value in (*(number.vector or ()), number.size if number.unit != "u" else None):
            imgui.table_next_column()
            if value is not None:
                imgui.text_unformatted(f"{value:,.2f}" + (f" {number.unit}" if len(units) > 1 else ""))
    imgui.end_table()


def _foot(session: Session, walking: Walking, found: Walk, theme: Theme) -> None:
    at, last = walking.at, len(found.steps) - 1
    if last > 0:
        imgui.begin_disabled(at == 0)
        if imgui.button(f"{icons.ICON_FA_ARROW_LEFT}##back"):
            walking.go(at - 1)
        imgui.end_disabled()
        imgui.set_item_tooltip("the step before (left)")
        imgui.same_line()
        imgui.begin_disabled(at == last)
        if imgui.button(f"Next {icons.ICON_FA_ARROW_RIGHT}##next"):
            walking.go(at + 1)
        imgui.end_disabled()
        imgui.set_item_tooltip("the next step (right)")
        imgui.same_line()
        imgui.align_text_to_frame_padding()
        imgui.text_unformatted(f"{at + 1} of {last + 1}")
    words = f"{icons.ICON_FA_SHOE_PRINTS} Do it"
    wide = imgui.calc_text_size(words).x + 2 * imgui.get_style().frame_padding.x
    imgui.same_line(imgui.get_window_width() - wide - imgui.get_style().window_padding.x)
    if at == last:  # now it is its turn
        imgui.push_style_color(imgui.Col_.button, imgui.ImVec4(*theme.accent))
        imgui.push_style_color(imgui.Col_.text, imgui.ImVec4(*theme.accent_ink))
    if imgui.button(f"{words}##tick"):
        session.act("one_tick")
        walking.begin()
    if at == last:
        imgui.pop_style_color(2)
    imgui.set_item_tooltip("run this tick, then the first step of the next")


def install(app: App) -> None:
    walking = Walking()
    app.add_panel(Explain(walking))
    app.add_overlay(Explained(walking))
