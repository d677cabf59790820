"""The look of panels: a dark and a light theme, fonts, and sizes that follow the text scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from imgui_bundle import imgui

from sandbox.app.drawing.colours import Rgb, shares_of
from sandbox.app.drawing.letters import FONTS

Rgba = tuple[float, float, float, float]
TEXT, ROUNDING, GRAB = 15.0, 5.0, 11.0  # pixels: the size of text, the radius of corners, the knobs of sliders


def _colour(text: str, alpha: float = 1.0) -> Rgba:
    return (*shares_of(text), alpha)


@dataclass(frozen=True)
class Theme:
    """The colours of panels.

    Attributes:
        accent: the colour of what is chosen.
        ink, faint: text, and less important text.
        well: the background of boxes, plots and bars, deeper than the panel.
        picture: the background of Explain's picture.
    """

    panel: Rgba
    raised: Rgba
    well: Rgba
    line: Rgba
    ink: Rgba
    faint: Rgba
    accent: Rgba
    accent_ink: Rgba
    wrong: Rgba
    good: Rgba
    picture: Rgba

    def tinted(self, alpha: float) -> Rgba:
        """Return the accent with this opacity."""
        return (*self.accent[:3], alpha)

    @property
    def accent_hovered(self) -> Rgba:
        """The accent of hovered buttons: nearer to `ink`, and so with more contrast to `accent_ink`."""
        red, green, blue = (0.8 * a + 0.2 * b for a, b in zip(self.accent[:3], self.ink[:3], strict=True))
        return red, green, blue, 1.0


THEMES = {
    "dark": Theme(
        panel=_colour("#14151f", 0.97),
        raised=_colour("#262836"),
        well=_colour("#0c0d15"),
        line=_colour("#3a3d50"),
        ink=_colour("#eceae4"),
        faint=_colour("#9a9cae"),
        accent=_colour("#f0a85a"),
        accent_ink=_colour("#1b1308"),
        wrong=_colour("#ff8a75"),
        good=_colour("#86d6a2"),
        picture=_colour("#14172a"),
    ),
    "light": Theme(
        panel=_colour("#f6f3ec", 0.98),
        raised=_colour("#e3ded3"),
        well=_colour("#fffdf8"),
        line=_colour("#c3bcad"),
        ink=_colour("#26242c"),
        faint=_colour("#6b6675"),
        accent=_colour("#b4581a"),
        accent_ink=_colour("#fffaf2"),
        wrong=_colour("#b3261e"),
        good=_colour("#1d6b40"),
        picture=_colour("#fffdf8"),
    ),
}


def u32(colour: Rgba) -> int:
    """Pack a colour of a theme for Dear ImGui's draw lists."""
    return imgui.color_convert_float4_to_u32(colour)


def packed(rgb: Rgb) -> int:
    """Pack a colour of the world for Dear ImGui's draw lists."""
    red, green, blue = rgb
    return 255 << 24 | blue << 16 | green << 8 | red


def load_fonts() -> None:
    """Load the fonts: first text merged with the icons of buttons, then fixed width, bold, and italic."""
    fonts = imgui.get_io().fonts
    fonts.add_font_from_file_ttf(str(FONTS / "Roboto" / "Roboto-Regular.ttf"), TEXT)
    symbols = imgui.ImFontConfig()
    symbols.merge_mode = True
    symbols.glyph_min_advance_x = TEXT
    symbols.glyph_offset = imgui.ImVec2(0, 1)
    fonts.add_font_from_file_ttf(str(FONTS / "Font_Awesome_6_Free-Solid-900.otf"), TEXT - 2, symbols)
    fonts.add_font_from_file_ttf(str(FONTS / "Inconsolata-Medium.ttf"), TEXT)
    fonts.add_font_from_file_ttf(str(FONTS / "Roboto" / "Roboto-Bold.ttf"), TEXT)
    fonts.add_font_from_file_ttf(str(FONTS / "Roboto" / "Roboto-RegularItalic.ttf"), TEXT)


def fixed_font() -> imgui.ImFont:
    """Return the fixed-width font."""
    return imgui.get_io().fonts.fonts[1]


def bold_font() -> imgui.ImFont:
    """Return the bold font."""
    return imgui.get_io().fonts.fonts[2]


def italic_font() -> imgui.ImFont:
    """Return the italic font."""
    return imgui.get_io().fonts.fonts[3]


def apply(name: str, scale: float) -> Theme:
    """Apply a theme to the current Dear ImGui context, with text and spacing scaled by a factor."""
    theme, style = THEMES[name], imgui.get_style()
    for attribute, value in _USUAL.items():
        setattr(style, attribute, value)
    (imgui.style_colors_dark if name == "dark" else imgui.style_colors_light)()
    style.font_scale_main = scale
    style.window_rounding = style.popup_rounding = 8 * scale
    style.frame_rounding = style.grab_rounding = style.child_rounding = style.tab_rounding = ROUNDING * scale
    style.scrollbar_rounding, style.scrollbar_size = 6 * scale, 11 * scale
    style.grab_min_size, style.indent_spacing = GRAB * scale, 16 * scale
    style.window_padding = imgui.ImVec2(10 * scale, 9 * scale)
    style.display_safe_area_padding = imgui.ImVec2(10 * scale, 4 * scale)  # beside and above the menus
    style.frame_padding, style.cell_padding = imgui.ImVec2(8 * scale, 4 * scale), imgui.ImVec2(5 * scale, 3 * scale)
    style.item_spacing = imgui.ImVec2(8 * scale, 6 * scale)
    style.item_inner_spacing = imgui.ImVec2(6 * scale, 4 * scale)
    style.separator_text_padding = imgui.ImVec2(0, 4 * scale)
    style.window_title_align = imgui.ImVec2(0.0, 0.5)
    style.window_menu_button_position = imgui.Dir.none
    for colour, value in _colours(theme).items():
        style.set_color_(colour, value)
    return theme


def _usual() -> dict[str, Any]:
    """Return Dear ImGui's default style, except for fonts, whose base size it sets itself."""
    style = imgui.Style()
    names = [name for name in dir(style) if not name.startswith(("_", "font")) and not callable(getattr(style, name))]
    return {name: getattr(style, name) for name in names}


_USUAL = _usual()


def _colours(theme: Theme) -> dict[int, Rgba]:
    of = imgui.Col_
    parts: list[tuple[Rgba, list[int]]] = [
        (theme.panel, [of.window_bg, of.title_bg, of.title_bg_active, of.title_bg_collapsed, of.menu_bar_bg]),
        (theme.panel, [of.tab, of.tab_dimmed]),
        ((*theme.panel[:3], 0.98), [of.popup_bg]),
        (theme.raised, [of.frame_bg_hovered, of.frame_bg_active, of.button, of.header, of.table_header_bg]),
        (theme.raised, [of.tab_selected, of.tab_dimmed_selected]),
        (theme.well, [of.frame_bg]),
        (theme.line, [of.border, of.separator, of.table_border_strong, of.table_border_light]),
        (theme.line, [of.scrollbar_grab, of.button_hovered]),
        (theme.ink, [of.text]),
        ((*theme.ink[:3], 0.03), [of.table_row_bg_alt]),
        (theme.faint, [of.text_disabled, of.scrollbar_grab_hovered, of.scrollbar_grab_active]),
        (theme.accent, [of.check_mark, of.separator_hovered, of.separator_active, of.tab_selected_overline]),
        (theme.accent, [of.plot_lines, of.plot_histogram, of.drag_drop_target, of.nav_cursor]),
        (theme.tinted(0.25), [of.header_hovered]),
        (theme.tinted(0.3), [of.tab_hovered]),
        (theme.tinted(0.35), [of.text_selected_bg]),
        (theme.tinted(0.4), [of.header_active, of.resize_grip_hovered]),
        (theme.tinted(0.5), [of.slider_grab, of.slider_grab_active]),  # pale, because the number is drawn over it
        (theme.tinted(0.6), [of.button_active]),
        (theme.tinted(0.7), [of.resize_grip_active]),
        ((0.0, 0.0, 0.0, 0.0), [of.child_bg, of.scrollbar_bg, of.resize_grip]),
        ((0.0, 0.0, 0.0, 0.5), [of.modal_window_dim_bg]),
    ]
    return {part: colour for colour, of_it in parts for part in of_it}
