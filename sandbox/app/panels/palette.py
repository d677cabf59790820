"""The tools to choose from."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.gui.layout import Side
from sandbox.app.gui.theme import Theme
from sandbox.app.session import Session
from sandbox.app.tools import TOOLS
from systems.core.install import App


class Palette:
    """What a left click does."""

    name = "palette"
    title = "Palette"
    side = Side.LEFT

    def draw(self, session: Session, theme: Theme) -> None:
        for number, tool in enumerate(TOOLS, 1):
            if imgui.selectable(f"{tool.name}##{number}", tool is session.hand.tool)[0]:
                session.hand.choose(number)


def install(app: App) -> None:
    app.add_panel(Palette())
