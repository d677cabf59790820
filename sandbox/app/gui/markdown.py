"""Draws Markdown in panels: paragraphs, lists, **bold**, *italic*, `code`, and [links](https://...)."""

from __future__ import annotations

import re
import webbrowser
from collections.abc import Iterator

from imgui_bundle import imgui

from sandbox.app.gui.theme import Theme, bold_font, fixed_font, italic_font, u32

PARTS = re.compile(
    r"\*\*(?P<bold>.+?)\*\*|\*(?P<italic>[^*]+)\*|`(?P<code>.+?)`|\[(?P<link>[^]]+)\]\((?P<to>https?://[^)\s]+)\)"
)
FONTS = {"bold": bold_font, "italic": italic_font, "code": fixed_font}
PAD = 3.0  # pixels left and right of code
ITEM = re.compile(r"[-*] +")
BLOCKS = re.compile(r"\n\s*\n|\n(?=[-*] )")


def draw_markdown(text: str, theme: Theme) -> None:
    """Draw the text as wide as the window."""
    for number, block in enumerate(BLOCKS.split(text.strip())):
        item = ITEM.match(block)
        if number and not item:
            imgui.dummy((0, 0.25 * imgui.get_text_line_height()))
        if item:
            imgui.bullet()
        _draw(_pieces(block[item.end() :] if item else block), theme)


def _pieces(block: str) -> Iterator[tuple[str, str, str, bool]]:
    """Yield words and unbreakable pieces of code: (text, style, link target, whether a space precedes it)."""
    end, space = 0, False
    for found in [*PARTS.finditer(block), None]:
        for word in re.findall(r"\s+|\S+", block[end : found.start() if found else None]):
            if not word.isspace():
                yield word, "", "", space
            space = word.isspace()
        if found:
            style = next(name for name in ("bold", "italic", "code", "link") if found[name])
            for word in [found["code"]] if style == "code" else found[style].split():
                yield word, style, found["to"] or "", space
                space = True
            space, end = False, found.end()


def _draw(pieces: Iterator[tuple[str, str, str, bool]], theme: Theme) -> None:
    """Draw the pieces in lines that break at the window's edge."""
    begin, gap = imgui.get_cursor_pos_x(), imgui.calc_text_size(" ").x
    end, x, before = begin + imgui.get_content_region_avail().x, begin, ""
    for word, style, to, space in pieces:
        imgui.push_font(FONTS[style]() if style in FONTS else None, 0)
        wide, pad = imgui.calc_text_size(word).x, PAD if "code" in (style, before) else 0
        if x > begin and (not space or x + gap + pad + wide <= end):
            imgui.same_line(0, gap * space + pad)
            x += gap * space + pad
        else:
            x = begin
            imgui.set_cursor_pos_x(begin)
        x, before = x + wide, style
        if style == "code":
            place, tall = imgui.get_cursor_screen_pos(), imgui.get_text_line_height()
            corners = (place.x - PAD, place.y), (place.x + wide + PAD, place.y + tall)
            imgui.get_window_draw_list().add_rect_filled(*corners, u32(theme.raised), 4)
        imgui.text_colored(theme.accent if to else theme.ink, word)
        imgui.pop_font()
        if to and imgui.is_item_hovered() and imgui.is_mouse_clicked(0):
            webbrowser.open(to)
