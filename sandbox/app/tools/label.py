"""The Label tool: a click on the world places a label, a drag moves one."""

from __future__ import annotations

from itertools import count
from typing import Any

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.letters import extent
from sandbox.app.session.session import Session
from sandbox.app.session.tool import Spot, Tool
from sandbox.app.tools.brush import INK, circle, in_picture_plane
from sandbox.design.labels import Labels
from sandbox.edit import SetTables

HIGH = 20.0  # pixels: the letters of a new label


class Label(Tool):
    """Places and moves labels; their words are changed in the World panel."""

    name, title, icon = "label", "Label", icons.ICON_FA_FONT
    help = "Click to place a label, drag to move one; the panel World changes and removes them."
    uses_brush = False

    def __init__(self) -> None:
        # The label that is dragged, and the mouse's offset from its middle, u.
        self._held: tuple[str, float, float] | None = None

    def press(self, session: Session, spot: Spot) -> None:
        spot = in_picture_plane(session, spot)
        kept = session.simulation.world.resource(Labels).kept
        for words, own in kept.items():
            values = Labels.whole(own)
            wide, high = extent(words, values["size"])
            away = spot.x - values["x"], spot.y - values["y"]
            if abs(away[0]) <= wide / 2 and abs(away[1]) <= high / 2:
                self._held = words, *away
                return
        words = next(name for number in count(1) if (name := f"Label {number}") not in kept)
        size = round(max(HIGH / session.camera.size_at(*spot.place), 1.0), 1)
        place: dict[str, Any] = {"x": round(spot.x, 1), "y": round(spot.y, 1), "size": size}
        session.hand.do(session, SetTables("labels", {**Labels.shown(kept), words: place}, f"label {words}"))

    def drag(self, session: Session, spot: Spot) -> None:
        if self._held is None:
            return
        spot = in_picture_plane(session, spot)
        words, x, y = self._held
        shown = Labels.now(session.simulation.world)
        if words in shown:
            moved = {**shown[words], "x": round(spot.x - x, 1), "y": round(spot.y - y, 1)}
            session.hand.do(session, SetTables("labels", {**shown, words: moved}, f"label {words}"))

    def draw(self, canvas: Canvas, session: Session, spot: Spot) -> None:
        spot = in_picture_plane(session, spot)
        circle(canvas, spot.place, HIGH / 2 / session.camera.size_at(*spot.place), INK)

    def let_go(self, session: Session) -> None:
        self._held = None
