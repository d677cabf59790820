"""What the animals' colours mean, in the lower left corner of the world: a ramp, or for headings a wheel."""

from __future__ import annotations

import math

from imgui_bundle import imgui

from sandbox.app.gui.layout import GAP, Box
from sandbox.app.gui.theme import Theme
from sandbox.app.session import Session
from systems.core.ramps import CYCLIC, Legend
from systems.render import Drawing

RAMP = 150.0, 10.0  # pixels
APART = 16.0  # pixels between what stands below its ends
WHEEL = 34.0  # pixels across
PARTS = 32
SEAMLESS = 1.4  # parts that each one covers: its edges are soft, and would show
FLAGS = (
    imgui.WindowFlags_.no_decoration
    | imgui.WindowFlags_.no_inputs
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_focus_on_appearing
    | imgui.WindowFlags_.always_auto_resize
)


def draw_legend(session: Session, theme: Theme, middle: Box) -> None:
    """Draw it where animals have other colours than their own; `middle` is what panels leave free."""
    drawing = session.simulation.world.resources.get(Drawing)
    legend: Legend | None = drawing.legend if drawing else None
    if legend is None:
        return
    scale = imgui.get_style().font_scale_main
    corner = imgui.ImVec2(middle.x + GAP * scale, middle.y + middle.height - GAP * scale)
    imgui.set_next_window_pos(corner, imgui.Cond_.always, imgui.ImVec2(0, 1))
    imgui.begin("##legend", None, FLAGS)
    imgui.text_unformatted(legend.name)
    if legend.name in CYCLIC:
        _wheel(legend, WHEEL * scale)
    else:
        _ramp(legend, theme, scale)
    imgui.end()


def _ramp(legend: Legend, theme: Theme, scale: float) -> None:
    low_end, high_end = f"{legend.low:.4g}", f"{legend.high:.4g} {legend.unit}".strip()
    words = imgui.calc_text_size(low_end).x + imgui.calc_text_size(high_end).x
    width, height = max(RAMP[0] * scale, words + APART * scale), RAMP[1] * scale
    begin, brush = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    for part in range(PARTS):
        left = imgui.ImVec2(round(begin.x + width * part / PARTS), begin.y)
        end = imgui.ImVec2(round(begin.x + width), begin.y + height)  # each over those before it: no seams
        brush.add_rect_filled(left, end, _packed(legend, (part + 0.5) / PARTS))
    imgui.dummy(imgui.ImVec2(width, height))
    imgui.text_colored(theme.faint, low_end)
    imgui.same_line(imgui.get_style().window_padding.x + width - imgui.calc_text_size(high_end).x)
    imgui.text_colored(theme.faint, high_end)


def _wheel(legend: Legend, size: float) -> None:
    begin, brush = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    x, y, radius = begin.x + size / 2, begin.y + size / 2, size / 2
    for part in range(PARTS):
        turns = [2 * math.pi * (part + end) / PARTS for end in (0, SEAMLESS)]
        one, other = (imgui.ImVec2(x + radius * math.cos(turn), y - radius * math.sin(turn)) for turn in turns)
        brush.add_triangle_filled(imgui.ImVec2(x, y), one, other, _packed(legend, (part + 0.5) / PARTS))
    imgui.dummy(imgui.ImVec2(size, size))


def _packed(legend: Legend, share: float) -> int:
    """A colour of the ramp as Dear ImGui packs it."""
    colour = int(legend.ramp[int(share * len(legend.ramp))])
    return 0xFF000000 | (colour & 0xFF) << 16 | colour & 0xFF00 | colour >> 16
