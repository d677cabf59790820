"""Labels and boxes as Dear ImGui would not draw them by itself."""

from __future__ import annotations

import re

from imgui_bundle import imgui

from sandbox.files import as_text
from sandbox.language import labelled


def as_label(text: str) -> str:
    """A name that a person gave, as the label of a widget: Dear ImGui shows none of it from "##" on."""
    return re.sub("#(?=#)", "# ", as_text(text))


def tick_box(label: str, on: bool) -> tuple[bool, bool]:
    """Draw a box to tick, with a border: empty it would hardly be seen; returns whether it changed, and what it is."""
    imgui.push_style_var(imgui.StyleVar_.frame_border_size, 1)
    answer = imgui.checkbox(labelled(label), on)
    imgui.pop_style_var()
    return answer
