"""Draws the pipeline: phases as columns, systems as boxes, and an arrow where one takes over what another changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.gui.blocks import Size
from sandbox.app.gui.ring import spot
from sandbox.app.gui.theme import Rgba
from sandbox.app.gui.ui import Ui
from sandbox.app.session.session import Session
from sandbox.edit import SetEnabled
from sandbox.language import translate
from systems.engine.flows import Flow
from systems.engine.system import System

NARROWEST, WIDEST, BETWEEN = 11.0, 18.0, 1.8  # times the font size: widths of boxes, and the gap beside them
PAD, GAP = 5.0, 5.0  # pixels at the usual text size: inside of boxes, and between them
UNLIT = 0.35  # opacity while others are lit
BEND = 0.8  # of the gap between columns: how far an arrow within a column leaves it
HEAD = 6.0  # pixels at the usual text size: the length of an arrow's head

NEEDED = "\nThe world needs it: it can't be disabled."

Place = tuple[float, float, float, float]  # left, upper, right and lower edge, pixels of the screen


@dataclass(frozen=True)
class Node:
    """A box: a system, or, without one, a stage of a frame.

    Attributes:
        ms: its time per tick or frame; `share`: of that of the slowest, 0 to 1.
        mod: the mod that brings it, or "".
        does: what it does to the selected entity, in words.
    """

    name: str
    ms: float
    share: float
    system: System | None = None
    mod: str = ""
    does: tuple[str, ...] = ()


@dataclass(frozen=True)
class Column:
    """A phase with its boxes."""

    title: str
    nodes: tuple[Node, ...]


class Graph:
    """Places and draws the boxes and arrows.

    Attributes:
        chosen: the name of the system that was clicked, whose arrows stay lit.
    """

    def __init__(self) -> None:
        self.chosen = ""
        self._hovered = ""

    def draw(self, session: Session, ui: Ui, columns: Sequence[Column], flows: Sequence[Flow]) -> None:
        """Draw the columns side by side, and where there is no room, the rest below the first, as the next item."""
        places, bottom = _placed(ui, columns)
        (left, _), lit = ui.here, self._hovered or self.chosen
        near = {lit}.union(*({flow.giver, flow.taker} for flow in flows if lit in (flow.giver, flow.taker)))
        for flow in flows:
            if lit in (flow.giver, flow.taker):
                _arrow(ui, places, flow, ui.theme.good if flow.taker == lit else ui.theme.accent, 2.0)
            elif not flow.implied:
                _arrow(ui, places, flow, (*ui.theme.line[:3], UNLIT if lit else 1.0), 1.0)
        self._hovered = ""
        for column in columns:
            x, y, *_ = places[column.nodes[0].name]
            ui.at((x, y - ui.line - GAP * ui.scale))
            ui.verbatim(f"{column.title}  {sum(node.ms for node in column.nodes):.2f} ms", ui.theme.faint)
            for node in column.nodes:
                is_lit = not lit or node.name in near
                with ui.styled(alpha=1.0 if is_lit else UNLIT):
                    self._box(session, ui, node, places[node.name], is_lit, flows)
        ui.at((left, bottom))
        ui.space((1, 1))

    def _box(self, session: Session, ui: Ui, node: Node, place: Place, is_lit: bool, flows: Sequence[Flow]) -> None:
        (left, top, right, low), scale, theme = place, ui.scale, ui.theme
        pad, square = PAD * scale, ui.line + 2 * scale
        ui.pen.box((left, top), (right, low), theme.raised if is_lit else theme.panel, pad)
        if node.share:
            end = left + pad + node.share * (right - left - 2 * pad)
            ui.pen.box((left + pad, low - 4 * scale), (end, low - 2 * scale), theme.tinted(0.9 if is_lit else UNLIT))
        if node.does:
            ui.pen.box((left, top + pad), (left + 3 * scale, low - pad), theme.accent)
        edge = theme.accent if node.name == self.chosen or node.mod else theme.line
        ui.pen.border((left, top), (right, low), edge, pad, 2 * scale if node.mod else scale)
        begin = left + _begin(ui, node)
        ui.at((left, top))  # where the group begins
        with ui.group():
            ui.at((left + pad, top + (_line(ui) - square) / 2))
            if node.system and node.system.essential:
                ui.verbatim(icons.ICON_FA_LOCK, theme.faint)
            elif node.system:
                with ui.styled(frame_padding=(scale, scale)):
                    on = ui.check_box(f"##{node.name}", node.system.enabled)
                if on != node.system.enabled:
                    session.submit(SetEnabled(node.name, on))
            ui.at((begin, top))
            if ui.area(f"box {node.name}", (right - begin, low - top)) and node.system:
                self.chosen = "" if self.chosen == node.name else node.name
        if ui.hovered and node.system:
            self._hovered = node.name
        spot(session, node.name)
        if node.system:
            needed = translate(NEEDED) if node.system.essential else ""
            ui.tip_beside(f"{translate(node.system.about)}{needed}", "\n".join(_told(node, flows)))
        is_off, y = node.system is not None and not node.system.enabled, top + pad
        if _has_room_for_time(ui, node, right - left):
            ui.at((right - pad - ui.size(_time(node))[0], y))
            ui.verbatim(_time(node), theme.ink if node.ms >= 0.005 else theme.faint)
        for number, (words, from_left, wraps, high) in enumerate(_texts(ui, node, right - left)):
            ui.at((left + from_left, y))
            ui.verbatim(words, theme.faint if is_off and not number else theme.ink, wraps)
            y += high


def _told(node: Node, flows: Sequence[Flow]) -> list[str]:
    """Return the lines of a box's tooltip: its mod, and what it takes from and gives to which systems."""
    told = [translate("Of the mod {mod}.", mod=node.mod)] if node.mod else []
    for flow in flows:
        if flow.taker == node.name:
            told.append(f"← {_name(flow.giver)}: {', '.join(flow.what)}")
    for flow in flows:
        if flow.giver == node.name:
            told.append(f"→ {_name(flow.taker)}: {', '.join(flow.what)}")
    return told


def _line(ui: Ui) -> float:
    """Return the height of a box of one line, pixels."""
    return ui.line + 2 * PAD * ui.scale


def _name(system: str) -> str:
    return translate(system.replace("_", " "))


def _time(node: Node) -> str:
    return f"{node.ms:.2f}" if node.ms < 10 else f"{node.ms:.0f}"


def _texts(ui: Ui, node: Node, wide: float) -> list[tuple[str, float, float, float]]:
    """Return the texts of a box this wide: words, distance from its left side, where they break, and height; pixels."""
    pad, begin = PAD * ui.scale, _begin(ui, node)
    beside = ui.size(_time(node))[0] + pad if _has_room_for_time(ui, node, wide) else 0.0
    texts = [(_name(node.name), begin, wide - begin - beside - pad)]
    for words in node.does:
        fits = ui.size(words)[0] <= wide - 3 * pad
        texts.append((words if fits else words.replace(" ", "\n", 1), 2 * pad, wide - 3 * pad))  # a vector in one line
    return [(words, left, wraps, ui.size(words, wraps)[1]) for words, left, wraps in texts]


def _has_room_for_time(ui: Ui, node: Node, wide: float) -> bool:
    """Return whether the time stands beside the name in a box this wide, and no word is broken for it."""
    longest = max(ui.size(word)[0] for word in _name(node.name).split())
    return bool(_begin(ui, node) + longest + ui.size(_time(node))[0] + 2 * PAD * ui.scale <= wide)


def _begin(ui: Ui, node: Node) -> float:
    """Return the distance from the left side of a box to its name, behind the switch, pixels."""
    return PAD * ui.scale + (ui.line + (2 + PAD) * ui.scale if node.system else 0)


def _placed(ui: Ui, columns: Sequence[Column]) -> tuple[dict[str, Place], float]:
    """Return the place of each box by its name, and the lower edge of all, pixels."""
    (x, y), font, scale, room = ui.here, ui.line, ui.scale, ui.room[0]
    between = BETWEEN * font
    most = max(int(room / ((NARROWEST + BETWEEN) * font)), 1)
    per_row = math.ceil(len(columns) / math.ceil(len(columns) / most))
    wide = min(room / per_row - between, WIDEST * font)
    places: dict[str, Place] = {}
    bottoms = [y] * per_row
    for number, column in enumerate(columns):
        slot = number % per_row
        left, low = x + slot * (wide + between), bottoms[slot] + ui.line + GAP * scale
        for node in column.nodes:
            high = sum(high for *_, high in _texts(ui, node, wide)) + 2 * PAD * scale
            places[node.name] = left, low, left + wide, low + high
            low += high + GAP * scale
        bottoms[slot] = low + 2 * GAP * scale
    return places, max(bottoms, default=y)


def _arrow(ui: Ui, places: dict[str, Place], flow: Flow, colour: Rgba, width: float) -> None:
    """Draw an arrow from the right side of a box to the left side of another; within a column around its right side."""
    (_, from_y, from_x, _), (left, to_y, right, _) = places[flow.giver], places[flow.taker]
    middle, head, between = _line(ui) / 2, HEAD * ui.scale, BETWEEN * ui.line
    same = right == from_x
    bend = BEND * between if same else max((left - from_x) / 2, between)
    begin: Size = from_x, from_y + middle
    end: Size = right if same else left, to_y + middle
    back = head if same else -head
    ui.pen.curve(
        begin,
        (begin[0] + bend, begin[1]),
        (end[0] + (bend if same else -bend), end[1]),
        (end[0] + back, end[1]),
        colour,
        width * ui.scale,
    )
    ui.pen.triangle(end, (end[0] + back, end[1] - head / 2), (end[0] + back, end[1] + head / 2), colour)
