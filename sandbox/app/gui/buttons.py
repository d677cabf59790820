"""Draws buttons: single ones, buttons aligned at the right edge, and rows of equal width."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from imgui_bundle import imgui

from sandbox.app.gui.theme import Theme
from sandbox.language import translate, translate_label


def button(label: str, about: str = "", size: imgui.ImVec2Like = (0, 0), *, enabled: bool = True) -> bool:
    """Draw a button with a tooltip (`about`) and return whether it was pressed."""
    imgui.begin_disabled(not enabled)
    pressed = imgui.button(translate_label(label), size)
    imgui.end_disabled()
    if about:
        imgui.set_item_tooltip(translate(about))
    return pressed


@contextmanager
def in_accent(theme: Theme, on: bool = True) -> Iterator[None]:
    """Draw the buttons of this block in the accent colour, also while hovered; do nothing if `on` is False."""
    if on:
        imgui.push_style_color(imgui.Col_.button, theme.accent)
        imgui.push_style_color(imgui.Col_.button_hovered, theme.accent_hovered)
        imgui.push_style_color(imgui.Col_.button_active, theme.accent_hovered)
        imgui.push_style_color(imgui.Col_.text, theme.accent_ink)
    yield
    if on:
        imgui.pop_style_color(4)


def width_of(*labels: str) -> float:
    """Return the width of buttons with these labels side by side, in pixels."""
    style = imgui.get_style()
    words = sum(imgui.calc_text_size(translate_label(label), hide_text_after_double_hash=True).x for label in labels)
    return float(words + 2 * len(labels) * style.frame_padding.x + (len(labels) - 1) * style.item_spacing.x)


def to_the_right(*labels: str) -> None:
    """Move the cursor so that buttons with these labels end at the right edge: on the same line if there is room."""
    begin = imgui.get_window_width() - imgui.get_style().window_padding.x - width_of(*labels)
    if imgui.get_item_rect_max().x - imgui.get_window_pos().x < begin:
        imgui.same_line(begin)


class Row:
    """A line of buttons of equal width."""

    def __init__(self, count: int) -> None:
        """`count`: the number of buttons in the row."""
        gaps = (count - 1) * imgui.get_style().item_spacing.x
        self._size = ((imgui.get_content_region_avail().x - gaps) / count, 0)
        self._first = True

    def button(self, label: str, about: str = "", *, enabled: bool = True) -> bool:
        """Draw the next button and return whether it was pressed."""
        if not self._first:
            imgui.same_line()
        self._first = False
        return button(label, about, self._size, enabled=enabled)
