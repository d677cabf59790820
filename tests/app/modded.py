"""Mods for tests of the window: folders with Python that the tests write."""

from __future__ import annotations

import textwrap
from pathlib import Path

from sandbox.app.window import FlockWindow
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library

HEAD = "from sandbox.api import Action, App, Overlay, Panel, Phase, Side, System, Tool, World\n"
SYSTEM = '''
class Drift(System):
    """Pulls to the right."""

    phase = Phase.STEER
    adds = ("Motion.acceleration",)

    def run(self, world):
        pass
'''
PANEL = """
class Lodes(Panel):
    name, title, size = "lodes", "Lodes", (300, 200)

    def draw(self, session, ui):
        ui.text("lodes are here")
        {draw}
        ui.text("and here they end")
"""
OVERLAY = """
class Lines(Overlay):
    name, title, help = "lines", "Lines", "lines"
    always = True

    def draw(self, canvas, session):
        canvas.discs([[100, 100]], 40, (255, 0, 0, 255))
        {draw}
"""
TOOL = """
class Horseshoe(Tool):
    name, title, icon, help = "horseshoe", "Horseshoe", "U", "pulls"

    def press(self, session, spot):
        {press}

    def draw(self, canvas, session, spot):
        canvas.discs([[100, 100]], 40, (255, 0, 0, 255))
        {preview}
"""


def write_mod(folder: Path, python: str, id: str = "lode", more: str = "") -> Path:
    """A mod of this Python, in a folder of its name in `folder`; returns it."""
    own = folder / id
    own.mkdir(parents=True, exist_ok=True)
    manifest = f'id = "{id}"\nversion = "1.0"\napi = 1\ntitle = "{id.capitalize()}s"\ndescription = "For a test."\n'
    (own / "mod.toml").write_text(f'{manifest}entry = "{id}:install"\n{more}')
    (own / f"{id}.py").write_text(HEAD + textwrap.dedent(python))
    return own


def with_panel(draw: str = "pass") -> str:
    """Python of a mod with a panel that draws so."""
    lines = textwrap.indent(textwrap.dedent(draw), " " * 8).strip()
    return PANEL.replace("{draw}", lines) + "\n\ndef install(app):\n    app.add_panel(Lodes())\n"


def with_overlay(draw: str = "pass") -> str:
    lines = textwrap.indent(textwrap.dedent(draw), " " * 8).strip()
    return OVERLAY.replace("{draw}", lines) + "\n\ndef install(app):\n    app.add_overlay(Lines())\n"


def with_tool(press: str = "pass", preview: str = "pass") -> str:
    tool = TOOL.replace("{press}", press).replace("{preview}", preview)
    return tool + "\n\ndef install(app):\n    app.add_tool(Horseshoe())\n"


def named(*folders: Path, trust: Path | None = None) -> Library:
    """A library with mods that a person named: they are on without a question."""
    return Library(Trust(trust or folders[0].parent / "mods.toml"), folders)


def frames(window: FlockWindow, count: int = 2, seconds: float = 0.04) -> None:
    window.switch_to()  # there may be two
    for _ in range(count):
        window.dispatch_events()
        window.on_update(seconds)
        window.on_draw()


def said(window: FlockWindow) -> list[str]:
    """All messages."""
    return [message.text for message in window.session.messages.log]
