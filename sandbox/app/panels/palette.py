"""The palette panel: the tools to choose from, and below them the options of the active tool."""

from __future__ import annotations

from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.fields.lines import line
from sandbox.app.fields.tips import Typing
from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.ring import spot
from sandbox.app.gui.theme import ROUNDING, Rgba
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.session.action import key_of
from sandbox.app.session.hand import LARGEST, MOST, SMALLEST
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Tool, has_place
from sandbox.language import capitalised, counted, translate

SLIM = 8, 1  # pixels around a slider's text
ROW, GAP = 30.0, 3.0  # pixels: height of a row, and the gap included in it
COLUMNS = 4  # of icons, if there is no room for names
BELOW = 196.0  # pixels reserved for the options below the tools
ICON = 26.0  # pixels from the left edge to the name
BY_WHEEL = "Ctrl+scroll brings the depth at which it works nearer, or takes it farther away."


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
        tools, (wide, high), columns = session.hand.tools, ui.room, session.simulation.world.table.columns
        below = BELOW + ROW * any(tool.offers in columns for tool in tools)
        if high >= (len(tools) * ROW + below) * scale:
            with ui.styled(item_spacing=(0, GAP * scale)):
                for number, tool in enumerate(tools, 1):
                    _row(session, ui, number, tool, (wide, (ROW - GAP) * scale))
        else:
            _icons(session, ui, wide)
        _choices(session, ui, self._typing)


def _row(session: Session, ui: Ui, number: int, tool: Tool, size: tuple[float, float]) -> None:
    """Draw a tool with its icon, name and key."""
    (x, y), scale, title, key = ui.here, ui.scale, translate(tool.title), _key(session, number)
    ink, faint = _button(session, ui, number, tool, size)
    y += (size[1] - ui.line) / 2
    _icon(ui, tool, ink, x + 8 * scale, y, ICON * scale)
    ui.pen.text((x + (8 + ICON) * scale, y), ink, title)
    if ui.size(f"{title} {key}")[0] < size[0] - (16 + ICON) * scale:
        ui.pen.text((x + size[0] - 8 * scale - ui.size(key)[0], y), faint, key)


def _icons(session: Session, ui: Ui, width: float) -> None:
    """Draw rows of the tools' icons, without their names."""
    gap = ui.gap / 2
    side = (width - (COLUMNS - 1) * gap) / COLUMNS
    with ui.styled(item_spacing=(gap, gap)):
        for number, tool in enumerate(session.hand.tools, 1):
            if (number - 1) % COLUMNS:
                ui.beside()
            x, y = ui.here
            ink, _ = _button(session, ui, number, tool, (side, side))
            _icon(ui, tool, ink, x, y + (side - ui.line) / 2, side)


def _button(session: Session, ui: Ui, number: int, tool: Tool, size: tuple[float, float]) -> tuple[Rgba, Rgba]:
    """Draw a tool's button without its contents; return the colours for these: strong and faint."""
    hand = session.hand
    if ui.area(f"tool {tool.name}", size):
        hand.take(session, tool)
    spot(session, tool.name)
    chosen = tool is hand.tool
    if chosen or ui.hovered:
        ui.pen.box(*ui.edges, ui.theme.accent if chosen else ui.theme.raised, ROUNDING * ui.scale)
    key, title = _key(session, number), translate(tool.title)
    told = [tool.help, *([BY_WHEEL] if has_place(tool) and isinstance(session.camera, SpaceCamera) else [])]
    ui.tip_beside(f"{title} ({key})" if key else title, " ".join(map(translate, told)))
    ink = ui.theme.accent_ink if chosen else ui.theme.ink
    return ink, (*ink[:3], 0.7) if chosen else ui.theme.faint


def _key(session: Session, number: int) -> str:
    """Return the key of the tool with this number; "" if it has none."""
    action = session.actions.get(f"tool_{number}")
    return key_of(action, session.preferences) if action else ""


def _icon(ui: Ui, tool: Tool, colour: Rgba, x: float, y: float, width: float) -> None:
    """Draw a tool's icon, centred in a width."""
    ui.pen.text((x + (width - ui.size(tool.icon)[0]) / 2, y), colour, tool.icon)


def _choices(session: Session, ui: Ui, typing: Typing) -> None:
    """Draw the options of the active tool: the prefab it places, how many per click, and the brush's radius."""
    hand, prefabs = session.hand, session.simulation.world.prefabs
    chosen = hand.prefab(session, hand.tool)
    ui.space()
    ui.rule()
    ui.space()
    if chosen is not None:
        _label(ui, "Places")
        with ui.combo("##prefab", as_label(chosen)) as on:
            for name in hand.tool.prefabs(prefabs) if on else ():
                if ui.entry(f"{as_label(name)}##prefab", name == chosen):
                    hand.choose(hand.tool, name)
                if prefabs[name].help:
                    ui.tip(prefabs[name].help)
        if hand.count:
            _label(ui, "Count", counted(hand.count))
            with ui.styled(frame_padding=SLIM):
                count = ui.slider("##count", hand.count, 1, MOST, "", logarithmic=True)
            refused = typing.tell(session.messages, "Count", 1, MOST, whole=True)
            ui.tip_beside("How many a click places; Ctrl+click to type a number")
            if not refused:
                hand.count = int(count)
            hand.spread = ui.check_box("Everywhere##spread", hand.spread)
            ui.tip_beside("A click spreads them over the whole world, not under the brush")
        if offer := hand.offer(session):
            hand.switched = ui.check_box(f"{capitalised(translate(line(offer).caption))}##offer", hand.switched)
            ui.tip_beside(as_label(offer.help))
    if hand.tool.uses_brush:
        _label(ui, "Brush", f"{hand.brush:.0f} px")
        with ui.styled(frame_padding=SLIM):
            brush = ui.slider("##brush", hand.brush, SMALLEST, LARGEST, "", logarithmic=True)
        refused = typing.tell(session.messages, "Brush", SMALLEST, LARGEST, unit="px")
        if isinstance(session.camera, SpaceCamera):  # where Ctrl+scroll brings the hand nearer
            ui.tip_beside("Radius of the brush on the screen; [ and ]; Ctrl+click to type a number")
        else:
            ui.tip_beside("Radius of the brush on the screen; [ and ] or Ctrl+scroll; Ctrl+click to type a number")
        if not refused:
            hand.brush = brush
    caption, value = hand.tool.tells(session)
    if caption:
        _label(ui, caption, value)


def _label(ui: Ui, text: str, value: str = "") -> None:
    """Draw the caption of the next widget and its value, and make that widget as wide as the panel."""
    ui.faint(text)
    if value:
        ui.text_at_the_right(value, ui.theme.ink)
    ui.leave()
