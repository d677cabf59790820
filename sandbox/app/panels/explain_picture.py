"""The picture of a step: the one explained in the middle, what is around it, and the arrow of the step.

It is drawn on the dark of the sky in both themes: the rules' colours are made for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from components.look import Look
from components.store.world import World
from sandbox.app.overlays.rule_colours import RGB, SUM, rule_colour
from sandbox.app.walking import Walking
from sandbox.explain import Explanation, row_of
from sandbox.surroundings import Mask, Surroundings, rule_reach
from sandbox.walk import MOVE, SIGHT, Walk
from sandbox.walk import SUM as SUM_STEP
from systems.core.neighbours import RULES

Pixel = tuple[float, float]
Along = tuple[float, ...] | NDArray[np.float64]
GROUND, SEEN, SEEN_LINE = (20, 23, 42), (124, 152, 214), (150, 176, 232)
PALE, STONE, GREEN = (176, 182, 204), (128, 120, 140), (124, 198, 107)
FILLED = 0.86  # of the picture's half: as far away as it sees
LONGEST = 0.8  # of the picture's half, the strongest arrow
FAINT = 0.5  # opacity of arrows of earlier steps
MOST = 70  # others drawn, of those it counts and of the rest
SMALLEST = 3.5  # pixels: half the length of an animal
ENLARGED = (1, 2, 5, 10, 20, 50)
WIDEST = 50.0  # degrees: so far a turn may be enlarged


@dataclass
class Sheet:
    """Where it is drawn.

    Attributes:
        middle: pixel of the one explained; `half`: pixels to the nearest edge; `scale`: of the text.
        per_u: pixels in a u.
        up: cosine and sine by which the world is turned.
    """

    lines: imgui.ImDrawList
    middle: Pixel
    half: float
    scale: float
    per_u: float
    up: Pixel

    def way(self, vector: Along) -> Pixel:
        """A direction of the world as one of the screen, y down."""
        x, y = float(vector[0]), float(vector[1])
        return x * self.up[0] - y * self.up[1], -(x * self.up[1] + y * self.up[0])

    def place(self, offset: Along) -> Pixel:
        """The pixel of an offset from the one explained, u."""
        x, y = self.way(offset)
        return self.middle[0] + x * self.per_u, self.middle[1] + y * self.per_u


def draw_picture(world: World, walking: Walking, found: Walk, size: Pixel) -> None:
    """Draw the step that the walk has come to into the next so many pixels of the panel."""
    lines, corner = imgui.get_window_draw_list(), imgui.get_cursor_screen_pos()
    scale = imgui.get_style().font_scale_main
    low = imgui.ImVec2(corner.x + size[0], corner.y + size[1])
    lines.add_rect_filled(corner, low, _colour(GROUND), 5 * scale)
    if found.why is not None and found.around is not None:
        half = min(size) / 2
        hx, hy = map(float, found.around.heading)
        up = (hy, hx) if walking.heading_up and (hx or hy) else (1.0, 0.0)
        middle = corner.x + size[0] / 2, corner.y + size[1] / 2
        sheet = Sheet(lines, middle, half, scale, FILLED * half / found.around.shown, up)
        lines.push_clip_rect(corner, low, True)
        _draw(world, sheet, found, walking.at, found.why, found.around)
        lines.pop_clip_rect()
    imgui.dummy(imgui.ImVec2(*size))


def _draw(world: World, sheet: Sheet, found: Walk, at: int, why: Explanation, around: Surroundings) -> None:
    step = found.steps[at]
    _sight(sheet, around)
    if step.name in RULES:
        _reach(world, sheet, why, around, step.name)
    _scenery(sheet, around)
    counted = around.counted[step.name] if step.name in RULES else around.neighbours
    lit = rule_colour(step.name) if step.name in RULES else SUM
    _others(world, sheet, around, counted, lit, step.name)
    _itself(sheet, around)
    longest = max([*found.gives.values(), float(np.hypot(*why.acceleration))]) or 1.0
    per = LONGEST * sheet.half / longest
    for earlier in found.steps[:at]:
        if earlier.vector is not None and (step.name != MOVE or earlier.name == SUM_STEP):
            _arrow(
                sheet, earlier.vector, per, SUM if earlier.name == SUM_STEP else rule_colour(earlier.name), faint=True
            )
    if step.vector is not None:
        _arrow(sheet, step.vector, per, SUM if step.name == SUM_STEP else rule_colour(step.name))
    if step.name == MOVE:
        _turn(sheet, why)


def _sight(sheet: Sheet, around: Surroundings) -> None:
    """The disc or cone in which it sees."""
    if not around.radius:
        return
    _cone(sheet, around, around.radius, _colour(SEEN_LINE, 0.7), _colour(SEEN, 0.2))
    text = f"{around.radius:,.0f} u"
    left, low = sheet.middle[0] - sheet.half, sheet.middle[1] + sheet.half
    sheet.lines.add_text(imgui.ImVec2(left + 6 * sheet.scale, low - 20 * sheet.scale), _colour(SEEN_LINE), text)


def _reach(world: World, sheet: Sheet, why: Explanation, around: Surroundings, rule: str) -> None:
    """Within what a rule looks, where that is not as far as it sees."""
    radius = rule_reach(world, row_of(world, why.serial), rule)
    if 0 < radius < around.radius:
        _cone(sheet, around, radius, _colour(rule_colour(rule), 0.8))


def _cone(sheet: Sheet, around: Surroundings, radius: float, line: int, fill: int = 0) -> None:
    """As much of a circle as lies in its field of view."""
    lines, middle, radius = sheet.lines, imgui.ImVec2(*sheet.middle), radius * sheet.per_u
    if around.fov >= 360 or not around.heading.any():
        lines.add_circle_filled(middle, radius, fill)
        lines.add_circle(middle, radius, line, 0, 1.5 * sheet.scale)
        return
    x, y = sheet.way(around.heading)
    ahead, half = math.atan2(y, x), math.radians(around.fov / 2)
    for fills in (True, False):
        lines.path_line_to(middle)
        lines.path_arc_to(middle, radius, ahead - half, ahead + half, 48)
        if fills:
            lines.path_fill_concave(fill)
        else:
            lines.path_stroke(line, 1.5 * sheet.scale, imgui.ImDrawFlags_.closed)


def _scenery(sheet: Sheet, around: Surroundings) -> None:
    for k in np.flatnonzero(around.wide > 0):
        colour = _colour(GREEN if around.food[k] else STONE, 0.8)
        place = imgui.ImVec2(*sheet.place(around.offsets[k]))
        sheet.lines.add_circle_filled(place, max(float(around.wide[k]) * sheet.per_u, 2 * sheet.scale), colour)
    for ax, ay, bx, by, thick in around.walls:
        begin, end = imgui.ImVec2(*sheet.place((ax, ay))), imgui.ImVec2(*sheet.place((bx, by)))
        sheet.lines.add_line(begin, end, _colour(STONE), max(float(thick) * sheet.per_u, 2 * sheet.scale))


def _others(world: World, sheet: Sheet, around: Surroundings, counted: Mask, lit: RGB, name: str) -> None:
    """Those it counts lit and joined to it, the others pale; in alignment each with its velocity."""
    own, others = np.flatnonzero(counted)[:MOST], np.flatnonzero(~counted & (around.wide == 0))[:MOST]
    colours = world.table.records(Look)["colour"][around.rows]
    looks = world.table.presence[around.rows] & np.uint64(world.table.mask([Look])) != 0
    if name in (SIGHT, *RULES):
        for k in own:
            begin, end = imgui.ImVec2(*sheet.middle), imgui.ImVec2(*sheet.place(around.offsets[k]))
            sheet.lines.add_line(begin, end, _colour(lit, 0.45), 1.3 * sheet.scale)
    for k in others:
        tint = _pale(int(colours[k])) if looks[k] else PALE
        _animal(sheet, sheet.place(around.offsets[k]), around.velocities[k], tint, 0.6 if around.in_view[k] else 0.35)
    for k in own:
        place = sheet.place(around.offsets[k])
        _animal(sheet, place, around.velocities[k], lit, 1.0)
        if name == "alignment":
            x, y = sheet.way(around.velocities[k])
            size = math.hypot(x, y) or 1.0
            end = imgui.ImVec2(place[0] + 15 * sheet.scale * x / size, place[1] + 15 * sheet.scale * y / size)
            sheet.lines.add_line(imgui.ImVec2(*place), end, _colour(lit), 1.6 * sheet.scale)
    if name == "cohesion" and len(own):
        x, y = sheet.place(around.offsets[counted].mean(axis=0))
        arm = 6 * sheet.scale
        for dx, dy in ((arm, arm), (arm, -arm)):
            begin, end = imgui.ImVec2(x - dx, y - dy), imgui.ImVec2(x + dx, y + dy)
            sheet.lines.add_line(begin, end, _colour(GROUND), 5 * sheet.scale)
            sheet.lines.add_line(begin, end, _colour(lit), 2.4 * sheet.scale)


def _itself(sheet: Sheet, around: Surroundings) -> None:
    _animal(sheet, sheet.middle, around.heading, SUM, 1.0, 2.0)


def _animal(sheet: Sheet, place: Pixel, velocity: Along, colour: RGB, alpha: float, larger: float = 1.0) -> None:
    """A triangle along its heading; at rest, and what never moves, a dot."""
    half = larger * max(SMALLEST * sheet.scale, 1.0) * 1.35
    x, y = sheet.way(velocity)
    size = math.hypot(x, y)
    if size == 0:
        sheet.lines.add_circle_filled(imgui.ImVec2(*place), 0.75 * half, _colour(colour, alpha))
        return
    x, y = half * x / size, half * y / size
    corners = (
        imgui.ImVec2(place[0] + 1.2 * x, place[1] + 1.2 * y),
        imgui.ImVec2(place[0] - x - 0.62 * y, place[1] - y + 0.62 * x),
        imgui.ImVec2(place[0] - x + 0.62 * y, place[1] - y - 0.62 * x),
    )
    sheet.lines.add_triangle_filled(*corners, _colour(colour, alpha))


def _arrow(sheet: Sheet, vector: Along, per: float, colour: RGB, faint: bool = False) -> None:
    """An arrow from the middle, as long as it is strong."""
    x, y = sheet.way(vector)
    size = math.hypot(x, y)
    if size * per < 1.5 * sheet.scale:
        return
    x, y, length = x / size, y / size, max(size * per, 9 * sheet.scale)
    head, width = (8.0, 2.0) if faint else (13.0, 4.0)
    _pointer(
        sheet, sheet.middle, (x, y), length, head * sheet.scale, width * sheet.scale, colour, FAINT if faint else 1.0
    )


def _pointer(
    sheet: Sheet, begin: Pixel, way: Pixel, length: float, head: float, width: float, colour: RGB, alpha: float
) -> None:
    x, y = way
    head = min(head, 0.6 * length)
    neck = begin[0] + (length - head) * x, begin[1] + (length - head) * y
    tip = begin[0] + length * x, begin[1] + length * y
    aside = 0.55 * head

    def draw(extra: float, ink: int) -> None:
        side = aside + 0.8 * extra
        sheet.lines.add_line(imgui.ImVec2(*begin), imgui.ImVec2(*neck), ink, width + extra)
        sheet.lines.add_triangle_filled(
            imgui.ImVec2(tip[0] + extra * x, tip[1] + extra * y),
            imgui.ImVec2(neck[0] - 0.4 * extra * x - side * y, neck[1] - 0.4 * extra * y + side * x),
            imgui.ImVec2(neck[0] - 0.4 * extra * x + side * y, neck[1] - 0.4 * extra * y - side * x),
            ink,
        )

    if alpha == 1:
        draw(2.4 * sheet.scale, _colour(GROUND))
    draw(0.0, _colour(colour, alpha))


def _turn(sheet: Sheet, why: Explanation) -> None:
    """From the old heading to the new one; a small turn is enlarged, and says so."""
    before, after = np.array(why.velocity), np.array(why.after.velocity)
    fastest = max(float(np.hypot(*before)), float(np.hypot(*after)))
    if fastest == 0:
        return
    turned = math.atan2(before[0] * after[1] - before[1] * after[0], float(before @ after))
    times = max(k for k in ENLARGED if k == 1 or abs(math.degrees(turned)) * k <= WIDEST)
    if abs(math.degrees(turned)) < 0.01:
        times = 1
    begin = before if before.any() else after
    angle = math.atan2(begin[1], begin[0]) + turned * times
    length = LONGEST * sheet.half / fastest
    shown = np.hypot(*after) * np.array([math.cos(angle), math.sin(angle)])
    for vector, colour, width, alpha in ((before, SEEN_LINE, 3.0, 0.75), (shown, SUM, 4.0, 1.0)):
        x, y = sheet.way(vector)
        size = math.hypot(x, y)
        if size > 0:
            way = x / size, y / size
            _pointer(sheet, sheet.middle, way, size * length, 13 * sheet.scale, width * sheet.scale, colour, alpha)
    if times > 1:
        left, top = (sheet.middle[axis] - sheet.half for axis in (0, 1))
        sheet.lines.add_text(
            imgui.ImVec2(left + 6 * sheet.scale, top + 4 * sheet.scale), _colour(SUM), f"turn x {times}"
        )


def _pale(colour: int) -> RGB:
    """A colour of the world, light enough for the dark ground."""
    red, green, blue = (0.6 * (colour >> shift & 255) + 0.4 * 200 for shift in (16, 8, 0))
    return int(red), int(green), int(blue)


def _colour(rgb: RGB, alpha: float = 1.0) -> int:
    return int(255 * alpha) << 24 | rgb[2] << 16 | rgb[1] << 8 | rgb[0]
