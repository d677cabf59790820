"""Draws the legend of the animals' colours in the lower left corner of the world: a ramp, a wheel or swatches."""

from __future__ import annotations

import math

from imgui_bundle import imgui

from components.life import Energy, Life
from components.motion import Velocity
from components.store.world import World
from sandbox.app.drawing.colours import rgb_of
from sandbox.app.gui.over_world import SHOWS, over_world
from sandbox.app.gui.panel import GAP, Box
from sandbox.app.gui.theme import packed
from sandbox.app.session.session import Session
from sandbox.language import translate
from sandbox.render.animals import Drawing
from sandbox.render.colour_scales import CYCLIC, Legend

RAMP = 150.0, 10.0  # pixels
APART = 16.0  # pixels between the two numbers below the ramp, at least
WHEEL = 34.0  # pixels across
PARTS = 32
SEAMLESS = 1.4  # each part of the wheel covers this many parts: its edges are antialiased, and gaps would show
NEEDS = {  # by colouring: the component that an animal needs, and the notes if some or all animals lack it
    "energy": (Energy, "Those without a colour have no energy.", "No animal here has energy: none has a colour."),
    "age": (Life, "Those without a colour have no age.", "No animal here has an age: none has a colour."),
}


def draw_legend(session: Session, middle: Box, half: Box) -> Box | None:
    """Draw the legend and return its rectangle; return None if animals have their own colours.

    Args:
        middle: the area that panels leave free; `half`: the part of it with the active world.
    """
    drawing = session.simulation.world.resources.get(Drawing)
    legend: Legend | None = drawing.legend if drawing else None
    if legend is None:
        return None
    style, scale = imgui.get_style(), imgui.get_style().font_scale_main
    note = colourless_note(session.simulation.world, legend.name)
    ends = f"{legend.low:.4g}", f"{legend.high:.4g} {legend.unit}".strip()
    told = translate(legend.words, low=legend.low, high=legend.high)
    line, texts = imgui.get_text_line_height(), [translate(legend.name), *filter(None, (told, note))]
    if legend.name in CYCLIC:
        inside = WHEEL * scale, WHEEL * scale
    elif legend.words:
        inside = RAMP[0] * scale, RAMP[1] * scale + style.item_spacing.y
    else:
        words = sum(imgui.calc_text_size(end).x for end in ends)
        inside = max(RAMP[0] * scale, words + APART * scale), RAMP[1] * scale + style.item_spacing.y + line
    wide = max(inside[0], *(imgui.calc_text_size(text).x for text in texts))
    high = inside[1] + len(texts) * (line + style.item_spacing.y)
    width, height = wide + 2 * style.window_padding.x, high + 2 * style.window_padding.y
    left = min(half.x, middle.x + middle.width - width - 2 * GAP * scale) + GAP * scale
    box = Box(left, half.y + half.height - GAP * scale - height, width, height)
    with over_world("##legend", SHOWS, (box.x, box.y), (0, 0), (box.width, box.height)):
        imgui.text_unformatted(texts[0])
        if legend.name in CYCLIC:
            _wheel(legend, WHEEL * scale)
        elif legend.words:
            _swatches(legend, (inside[0], RAMP[1] * scale))
            imgui.text_unformatted(told)
        else:
            _ramp(legend, ends, (inside[0], RAMP[1] * scale))
        if note:
            imgui.text_disabled(note)
    return box


def colourless_note(world: World, colouring: str) -> str:
    """Return a note on animals that have no colour with this colouring; "" if all have one."""
    if colouring == "flock":
        return translate("Those without a colour are in none.")
    if colouring not in NEEDS:
        return ""
    (component, some, every), table = NEEDS[colouring], world.table
    coloured, animals = len(table.rows(Velocity, component)), len(table.rows(Velocity))
    if coloured == animals:
        return ""
    return translate(some if coloured else every)


def _ramp(legend: Legend, ends: tuple[str, str], size: tuple[float, float]) -> None:
    (low_end, high_end), (width, height) = ends, size
    begin, brush = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    for part in range(PARTS):
        left = round(begin.x + width * part / PARTS), begin.y
        end = round(begin.x + width), begin.y + height  # up to the end, over the previous parts: no seams
        brush.add_rect_filled(left, end, _packed(legend, (part + 0.5) / PARTS))
    imgui.dummy((width, height))
    imgui.text_disabled(low_end)
    imgui.same_line(imgui.get_style().window_padding.x + width - imgui.calc_text_size(high_end).x)
    imgui.text_disabled(high_end)


def _swatches(legend: Legend, size: tuple[float, float]) -> None:
    begin, brush, across = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list(), size[0] / len(legend.ramp)
    for place, colour in enumerate(legend.ramp[list(legend.used)].tolist()):
        at = begin.x + across * (place + 0.5), begin.y + size[1] / 2
        brush.add_circle_filled(at, size[1] / 2, packed(rgb_of(colour)))
    imgui.dummy(size)


def _wheel(legend: Legend, size: float) -> None:
    begin, brush = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    x, y, radius = begin.x + size / 2, begin.y + size / 2, size / 2
    for part in range(PARTS):
        turns = [2 * math.pi * (part + end) / PARTS for end in (0, SEAMLESS)]
        one, other = ((x + radius * math.cos(turn), y - radius * math.sin(turn)) for turn in turns)
        brush.add_triangle_filled((x, y), one, other, _packed(legend, (part + 0.5) / PARTS))
    imgui.dummy((size, size))


def _packed(legend: Legend, share: float) -> int:
    return packed(rgb_of(int(legend.ramp[int(share * len(legend.ramp))])))
