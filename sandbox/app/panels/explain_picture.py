"""The picture of a step: the one explained in the middle, what is around it, and the arrow of the step."""

from __future__ import annotations

import math

import numpy as np
from imgui_bundle import imgui

from sandbox.app.drawing.colours import Rgb, rgb_of
from sandbox.app.gui.theme import Theme, u32
from sandbox.app.overlays.rule_colours import SUM, rule_colour
from sandbox.app.panels.explain_sheet import Pixel, Sheet
from sandbox.app.walking import Walking
from sandbox.explain.explanation import Explanation
from sandbox.explain.surroundings import Mask, Surroundings
from sandbox.explain.walk import MOVE, SIGHT, Walk
from sandbox.explain.walk import SUM as SUM_STEP
from systems.space.neighbours import RULES

SEEN: Rgb = (124, 152, 214)
SEEN_LINE: Rgb = (150, 176, 232)
PALE: Rgb = (176, 182, 204)
STONE: Rgb = (128, 120, 140)
GREEN: Rgb = (124, 198, 107)
FILLED = 0.86  # of the picture's half: as far away as it sees
LONGEST = 0.8  # of the picture's half, the strongest arrow
SHORTEST = 22.0  # pixels: the arrow of the step itself is seen however weak it is
FAINT = 0.5  # opacity of arrows of earlier steps
FEW = 24  # neighbours: lines to more are fainter
MOST = 70  # others drawn, of those it counts and of the rest
ENLARGED = (1, 2, 5, 10, 20, 50)
WIDEST = 50.0  # degrees: so far a turn may be enlarged


def draw_picture(walking: Walking, found: Walk, size: Pixel, theme: Theme) -> None:
    """Draw the step that the walk has come to into the next so many pixels of the panel."""
    lines, corner = imgui.get_window_draw_list(), imgui.get_cursor_screen_pos()
    scale = imgui.get_style().font_scale_main
    low = imgui.ImVec2(corner.x + size[0], corner.y + size[1])
    lines.add_rect_filled(corner, low, u32(theme.picture), 5 * scale)
    if found.why is not None and found.around is not None:
        hx, hy = map(float, found.around.heading)
        up = (hy, hx) if walking.heading_up and (hx or hy) else (1.0, 0.0)
        per_u = FILLED * min(size) / 2 / found.around.shown
        sheet = Sheet(lines, (corner.x, corner.y), size, scale, per_u, up, theme.picture)
        lines.push_clip_rect(corner, low, True)
        _draw(sheet, found, walking.at, found.why, found.around)
        lines.pop_clip_rect()
    imgui.dummy(imgui.ImVec2(*size))


def _draw(sheet: Sheet, found: Walk, at: int, why: Explanation, around: Surroundings) -> None:
    name = found.steps[at].name
    counted = around.counted.get(name, around.neighbours)
    lit = rule_colour(name) if name in RULES else SUM
    if around.radius:
        sheet.cone(around.heading, around.fov, around.radius, (SEEN_LINE, 0.7), (SEEN, 0.2))
    if 0 < around.reach.get(name, 0.0) < around.radius:
        sheet.cone(around.heading, around.fov, around.reach[name], (lit, 0.8))
    _scenery(sheet, around)
    if name in (SIGHT, *RULES):
        _joined(sheet, around, counted, lit)
    _others(sheet, around, counted, lit)
    if around.radius:
        sheet.text(f"{around.radius:,.0f} u", SEEN_LINE, low=True)  # over the stones
    if name == "alignment":
        _velocities(sheet, around, counted, lit)
    if name == "cohesion" and counted.any():
        _cross(sheet, sheet.place(around.offsets[counted].mean(axis=0)), lit)
    sheet.animal(sheet.middle, around.heading, SUM, 1.0, 2.0)
    _arrows(sheet, found, at)
    if name == MOVE:
        _turn(sheet, why)


def _scenery(sheet: Sheet, around: Surroundings) -> None:
    for k in np.flatnonzero(around.wide > 0):
        radius = max(float(around.wide[k]) * sheet.per_u, 2 * sheet.scale)
        sheet.disc(sheet.place(around.offsets[k]), radius, GREEN if around.food[k] else STONE, 0.8)
    for ax, ay, bx, by, thick in around.walls:
        width = max(float(thick) * sheet.per_u / sheet.scale, 2.0)
        sheet.line(sheet.place((ax, ay)), sheet.place((bx, by)), STONE, width=width)


def _joined(sheet: Sheet, around: Surroundings, counted: Mask, lit: Rgb) -> None:
    own = np.flatnonzero(counted)[:MOST]
    for k in own:
        sheet.line(sheet.middle, sheet.place(around.offsets[k]), lit, 0.45 * min(1.0, FEW / len(own)), 1.3)


def _others(sheet: Sheet, around: Surroundings, counted: Mask, lit: Rgb) -> None:
    """Those it counts lit, the others pale, the paler where it is blind."""
    for k in np.flatnonzero(~counted & (around.wide == 0))[:MOST]:
        tint = _pale(int(around.colours[k])) if around.colours[k] >= 0 else PALE
        alpha = 0.6 if around.in_view[k] else 0.35
        sheet.animal(sheet.place(around.offsets[k]), around.velocities[k], tint, alpha)
    for k in np.flatnonzero(counted)[:MOST]:
        sheet.animal(sheet.place(around.offsets[k]), around.velocities[k], lit)


def _velocities(sheet: Sheet, around: Surroundings, counted: Mask, lit: Rgb) -> None:
    """Where those it counts go, the longer the faster."""
    speed = np.hypot(around.velocities[:, 0], around.velocities[:, 1])
    per = 17 * sheet.scale / max(float(speed[counted].max(initial=0)), 1e-9)
    for k in np.flatnonzero(counted)[:MOST]:
        x, y = sheet.place(around.offsets[k])
        along, down = sheet.way(around.velocities[k])
        sheet.line((x, y), (x + per * along, y + per * down), lit, width=1.6)


def _cross(sheet: Sheet, place: Pixel, lit: Rgb) -> None:
    (x, y), arm = place, 6 * sheet.scale
    for ink, width in ((u32(sheet.ground), 5.0), (sheet.ink(lit), 2.4)):
        for up in (arm, -arm):
            ends = imgui.ImVec2(x - arm, y - up), imgui.ImVec2(x + arm, y + up)
            sheet.lines.add_line(*ends, ink, width * sheet.scale)


def _arrows(sheet: Sheet, found: Walk, at: int) -> None:
    """The arrow of this step, and, faint, those before it; at the move the sum alone."""
    longest = found.strongest
    moves = found.steps[at].name == MOVE
    for k, step in enumerate(found.steps[: at + 1]):
        if step.vector is None or (moves and step.name != SUM_STEP):
            continue
        rgb = rule_colour(step.name)
        length = LONGEST * sheet.half * float(np.hypot(*step.vector)) / longest
        if k == at:
            sheet.arrow(step.vector, max(length, SHORTEST * sheet.scale), rgb)
        elif length > 2 * sheet.scale:
            sheet.arrow(step.vector, length, rgb, FAINT, head=8, width=2)


def _turn(sheet: Sheet, why: Explanation) -> None:
    """From the old heading to the new one; a small turn is enlarged, and says so."""
    before, after = np.array(why.velocity), np.array(why.after.velocity)
    was, now = float(np.hypot(*before)), float(np.hypot(*after))
    length = LONGEST * sheet.half / (max(was, now) or 1.0)
    times = 1
    if was and now:
        turned = math.atan2(before[0] * after[1] - before[1] * after[0], float(before @ after))
        times = max(k for k in ENLARGED if k == 1 or math.radians(0.01) * k < abs(turned) * k <= math.radians(WIDEST))
        angle = math.atan2(before[1], before[0]) + turned * times
        after = now * np.array([math.cos(angle), math.sin(angle)])
    sheet.arrow(before, length * was, SEEN_LINE, 0.75, width=3)
    sheet.arrow(after, length * now, SUM)
    if times > 1:
        sheet.text(f"turn x {times}", SUM)


def _pale(rgb: int) -> Rgb:
    """A colour of the world, light enough for the dark ground."""
    red, green, blue = (int(0.6 * part + 0.4 * 200) for part in rgb_of(rgb))
    return red, green, blue
