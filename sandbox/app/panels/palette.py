"""The palette panel: the tools to choose from, and below them the options of the active tool."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.fields.tips import Typing
from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.ring import spot
from sandbox.app.gui.theme import u32
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.session.action import keys_of
from sandbox.app.session.hand import LARGEST, MOST, SMALLEST
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Tool
from sandbox.language import counted, translate

LOGARITHMIC = imgui.SliderFlags_.logarithmic | imgui.SliderFlags_.always_clamp
SLIM = 8, 1  # pixels around a slider's text
ROW, GAP = 30.0, 3.0  # pixels: height of a row, and the gap included in it
COLUMNS = 4  # of icons, if there is no room for names
BELOW = 196.0  # pixels reserved for the options below the tools
ICON = 26.0  # pixels from the left edge to the name


class Palette(Panel):
    """Chooses what a left click in the world does."""

    name = "palette"
    title = "Palette"
    help = "tools, and what they place"
    side = Side.LEFT
    size = 132.0, 0.0

    def __init__(self) -> None:
        self._typing = Typing()

    def draw(self, session: Session, ui: Ui) -> None:
        scale = ui.scale
        tools, room = session.hand.tools, imgui.get_content_region_avail()
        if room.y >= (len(tools) * ROW + BELOW) * scale:
            with ui.styled(item_spacing=(0, GAP * scale)):
                for number, tool in enumerate(tools, 1):
                    _row(session, ui, number, tool, (room.x, (ROW - GAP) * scale))
        else:
            _grid(session, ui, room.x)
        _choices(session, ui, self._typing)


def _row(session: Session, ui: Ui, number: int, tool: Tool, size: tuple[float, float]) -> None:
    """Draw a tool with its icon, name and key."""
    corner, scale = imgui.get_cursor_screen_pos(), ui.scale
    ink, faint = _button(session, ui, number, tool, size)
    draw = imgui.get_window_draw_list()
    y = corner.y + (size[1] - ui.line) / 2
    _icon(tool, ink, corner.x + 8 * scale, y, ICON * scale)
    draw.add_text((corner.x + (8 + ICON) * scale, y), ink, translate(tool.title))
    key = _key(session, number)
    if imgui.calc_text_size(f"{translate(tool.title)} {key}").x < size[0] - (16 + ICON) * scale:
        x = corner.x + size[0] - 8 * scale - imgui.calc_text_size(key).x
        draw.add_text((x, y), faint, key)


def _grid(session: Session, ui: Ui, width: float) -> None:
    """Draw a grid of the tools' icons, without their names."""
    gap = imgui.get_style().item_spacing.x / 2
    side = (width - (COLUMNS - 1) * gap) / COLUMNS
    with ui.styled(item_spacing=(gap, gap)):
        for number, tool in enumerate(session.hand.tools, 1):
            if (number - 1) % COLUMNS:
                ui.beside()
            corner = imgui.get_cursor_screen_pos()
            ink, _ = _button(session, ui, number, tool, (side, side))
            _icon(tool, ink, corner.x, corner.y + (side - ui.line) / 2, side)


def _button(session: Session, ui: Ui, number: int, tool: Tool, size: tuple[float, float]) -> tuple[int, int]:
    """Draw a tool's button without its contents; return the colours for these: strong and faint."""
    corner, hand, draw = imgui.get_cursor_screen_pos(), session.hand, imgui.get_window_draw_list()
    if imgui.invisible_button(f"##tool {tool.name}", size, imgui.ButtonFlags_.enable_nav):
        hand.take(session, tool)
    spot(session, tool.name)
    chosen, over = tool is hand.tool, ui.hovered
    if chosen or over:
        ground = ui.theme.accent if chosen else ui.theme.raised
        draw.add_rect_filled(corner, corner + size, u32(ground), imgui.get_style().frame_rounding)
    key, title = _key(session, number), translate(tool.title)
    ui.tip_beside(f"{title} ({key})" if key else title, tool.help)
    ink = ui.theme.accent_ink if chosen else ui.theme.ink
    return u32(ink), u32((*ink[:3], 0.7) if chosen else ui.theme.faint)


def _key(session: Session, number: int) -> str:
    """Return the key of the tool with this number; "" if it has none."""
    action = session.actions.get(f"tool_{number}")
    return next(iter(keys_of(action, session.preferences)), "") if action else ""


def _icon(tool: Tool, colour: int, x: float, y: float, width: float) -> None:
    """Draw a tool's icon, centred in a width."""
    x += (width - imgui.calc_text_size(tool.icon).x) / 2
    imgui.get_window_draw_list().add_text((x, y), colour, tool.icon)


def _choices(session: Session, ui: Ui, typing: Typing) -> None:
    """Draw the options of the active tool: the prefab it places, how many per click, and the brush's radius."""
    hand, prefabs = session.hand, session.simulation.world.prefabs
    chosen = hand.prefab(session, hand.tool)
    ui.space()
    ui.rule()
    ui.space()
    if chosen is not None:
        _label(ui, "Places")
        if imgui.begin_combo("##prefab", as_label(chosen)):
            for name in hand.tool.prefabs(prefabs):
                if imgui.selectable(f"{as_label(name)}##prefab", name == chosen)[0]:
                    hand.choose(hand.tool, name)
                if prefabs[name].help:
                    imgui.set_item_tooltip(prefabs[name].help)
            imgui.end_combo()
        if hand.count:
            _label(ui, "Count", counted(hand.count))
            with ui.styled(frame_padding=SLIM):
                changed, count = imgui.slider_int("##count", hand.count, 1, MOST, "", LOGARITHMIC)
            refused = typing.tell(session.messages, "Count", 1, MOST, whole=True)
            ui.tip_beside("How many a click places; Ctrl+click to type a number")
            if changed and not refused:
                hand.count = count
            hand.spread = ui.tick_box("Everywhere##spread", hand.spread)
            ui.tip_beside("A click spreads them over the whole world, not under the brush")
    if hand.tool.uses_brush:
        _label(ui, "Brush", f"{hand.brush:.0f} px")
        with ui.styled(frame_padding=SLIM):
            changed, brush = imgui.slider_float("##brush", hand.brush, SMALLEST, LARGEST, "", LOGARITHMIC)
        refused = typing.tell(session.messages, "Brush", SMALLEST, LARGEST, unit="px")
        ui.tip_beside("Radius of the brush on the screen; [ and ] or Ctrl+scroll; Ctrl+click to type a number")
        if changed and not refused:
            hand.brush = min(max(brush, SMALLEST), LARGEST)
    caption, value = hand.tool.tells(session)
    if caption:
        _label(ui, caption, value)


def _label(ui: Ui, text: str, value: str = "") -> None:
    """Draw the caption of the next widget and its value, and make that widget as wide as the panel."""
    end = imgui.get_cursor_pos_x() + ui.room[0]
    ui.faint(text)
    if value:
        imgui.same_line(end - imgui.calc_text_size(value).x)
        ui.verbatim(value)
    imgui.set_next_item_width(-1)
