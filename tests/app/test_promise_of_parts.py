"""The promise for what a mod adds to the window: whatever its code does wrong, the world goes on as if it had not run,
and one sentence says which mod, file and line. What its systems do is in tests/sandbox/test_mods_promise.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.app.window import FlockWindow
from sandbox.mods.find.fault import ModInterrupt

from .conftest import OpenWindow, at, drifting
from .modded import frames, named, said, write_mod
from .mouse import point, press
from .widgets import click

PARTS = """
import numpy as np
from sandbox.api import Entry, FileKind, SetField, Spawn

def harm(here, session):
    if here == "{where}":
        {harm}

class P(Panel):
    name, title, size = "p", "Lodes", (300, 200)

    def draw(self, session, ui):
        harm("panel", session)

class O(Overlay):
    name, title, help = "o", "Lodes", "lines"

    def draw(self, canvas, session):
        harm("overlay", session)

class T(Tool):
    name, title, icon, help = "t", "Lodes", "U", "pulls"

    def press(self, session, spot):
        harm("tool", session)

    def draw(self, canvas, session, spot):
        harm("preview", session)

def install(app):
    app.add_panel(P())
    app.add_overlay(O())
    app.add_tool(T())
    app.add_action(Action("a", "Lodes", lambda session: harm("action", session)))
    app.add_file_kind(FileKind("lodes", ".lodes", lambda session, path: harm("file kind", session)))
"""
HARMS = {
    "raises": ("1 / 0", "ZeroDivisionError: division by zero"),
    "leaves the program": ("raise SystemExit(3)", "SystemExit: 3"),
    "recurses": ("harm(here, session)", "RecursionError"),
    "allocates": ("np.zeros(1 << 50)", "MemoryError"),
}
REFUSED = {
    'SetField("Velocity.x", float("nan"))': "must be -10,000 to 10,000",
    'Spawn(Entry("red", 10**9))': "1,000,000",
    'SetField("Wings.length", 3)': "Wings.length",
}
LOOP = "import _thread; _thread.interrupt_main()\n        while True: pass"  # and a person presses Ctrl+C
WHERE = ("panel", "overlay", "tool", "preview", "action", "file kind")


def opened(open_on: OpenWindow, folder: Path, where: str, harm: str) -> FlockWindow:
    python = PARTS.replace("{harm}", harm).replace("{where}", where)
    window = open_on(drifting(at(300, 180)), (900, 640), panels=("palette",), library=named(write_mod(folder, python)))
    window.session.clock.paused = True
    frames(window)
    return window


def use(window: FlockWindow, where: str, folder: Path) -> None:
    """Let the code of this part run."""
    if where == "panel":
        window.session.toggle_panel("lode.p")
    elif where == "overlay":
        window.session.toggle_overlay("lode.o")
    elif where == "action":
        window.session.act("lode.a")
    elif where == "file kind":
        (folder / "some.lodes").write_text("")
        window.filing.open(folder / "some.lodes")
    else:
        click(window, "##tool lode.t")
        point(window, 500, 300)
        frames(window)
        if where == "tool":
            press(window, (500, 300), (520, 310))
    frames(window)


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("where", WHERE)
def test_whatever_a_part_does_the_world_goes_on(open_on: OpenWindow, tmp_path: Path, where: str, harm: str) -> None:
    code, words = HARMS[harm]
    window = opened(open_on, tmp_path, where, code)
    before = window.simulation.digest()
    use(window, where, tmp_path)
    (told,) = (text for text in said(window) if "stopped" in text)
    assert "The mod Lodes was stopped: lode.py:" in told
    assert words in told
    assert "\n" not in told
    assert window.simulation.mods.off == {"lode"}
    assert window.simulation.digest() == before
    window.session.clock.paused = False
    tick = window.simulation.tick
    frames(window, 5)
    assert window.simulation.tick > tick


@pytest.mark.parametrize("command", REFUSED)
@pytest.mark.parametrize("where", WHERE)
def test_what_a_part_asks_for_that_cannot_be_is_refused(
    open_on: OpenWindow, tmp_path: Path, where: str, command: str
) -> None:
    window = opened(open_on, tmp_path, where, f"session.submit({command})")
    before = window.simulation.digest()
    use(window, where, tmp_path)
    assert any(REFUSED[command] in text for text in said(window)), said(window)
    assert window.simulation.digest() == before


@pytest.mark.parametrize("where", WHERE)
def test_where_a_loop_that_never_ends_stands_is_told(open_on: OpenWindow, tmp_path: Path, where: str) -> None:
    window = opened(open_on, tmp_path, where, LOOP)
    before = window.simulation.digest()
    with pytest.raises(ModInterrupt, match=r"in the mod lode: lode\.py:\d+ \("):
        use(window, where, tmp_path)
    assert window.simulation.digest() == before
