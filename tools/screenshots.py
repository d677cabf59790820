"""Pictures of the window for the docs: each a session that real events drive, drawn without a display.

.venv/bin/python tools/screenshots.py [NAME...]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

os.environ["ARCADE_HEADLESS"] = "True"  # before anything imports arcade
sys.path.insert(0, str(Path(__file__).parent.parent))

from arcade import key
from PIL import Image

import sandbox
from sandbox.app.preferences import Preferences
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import Spawn

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
SIZE = 1440, 810
USUAL = ("palette", "inspector", "time bar")


def opened(scene: str, ticks: int, theme: str = "dark", panels: tuple[str, ...] = USUAL) -> FlockWindow:
    """A window on a scene that has run for a while."""
    simulation = sandbox.load(scene)
    simulation.step(max(ticks - 90, 0))
    preferences = Preferences(theme=theme, open=list(panels))
    window = FlockWindow(simulation, lambda: sandbox.load(scene), SIZE, preferences=preferences)
    run(window, 90)
    return window


def run(window: FlockWindow, frames: int) -> None:
    for _ in range(frames):
        window.dispatch_events()
        window.on_update(1 / 60)
        window.on_draw()
        window.ctx.finish()


def hit(window: FlockWindow, symbol: int) -> None:
    for event in ("on_key_press", "on_key_release"):
        window.dispatch_event(event, symbol, 0)
    run(window, 1)


def save(window: FlockWindow, name: str) -> None:
    window.session.messages.log.clear()
    run(window, 1)
    width, height = window.get_size()
    pixels = window.ctx.screen.read(viewport=(0, 0, width, height), components=3)
    picture = Image.frombytes("RGB", (width, height), pixels).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    picture.save(PICTURES / f"{name}.jpg", quality=88, optimize=True)
    window.close()


def first_start() -> FlockWindow:
    return opened("murmuration", 330)


def explain() -> FlockWindow:
    window = opened("murmuration", 300)
    window.session.clock.paused = True
    window.session.selection.choose([700])
    hit(window, key.F)
    window.session.camera.zoom = 3.2
    hit(window, key.E)
    for _ in range(2):
        hit(window, key.RIGHT)
    run(window, 10)
    return window


def overlays() -> FlockWindow:
    window = opened("murmuration", 300, panels=("palette", "time bar"))
    hit(window, key.T)
    hit(window, key.B)
    run(window, 150)
    return window


def heat() -> FlockWindow:
    window = opened("reef", 300, panels=("palette", "time bar"))
    hit(window, key.H)
    run(window, 120)
    return window


def charts() -> FlockWindow:
    window = opened("pasture", 60, "light", (*USUAL, "charts"))
    window.session.clock.go_at(1600)
    window.session.clock.now = lambda: 0  # every tick that is due is run, however slow this machine is
    run(window, 450)
    return window


def timeline(theme: str = "dark") -> FlockWindow:
    """In the past of a reef, on a second branch, with the mouse over another moment."""
    window = opened("reef", 90, theme, ("palette", "time bar"))
    session = window.session
    session.clock.now = lambda: 0
    for seconds in (4, 5):
        pass_time(window, seconds)
        session.submit(Spawn(Entry("shark", 2)))
    pass_time(window, 5)
    session.playback.go(420)
    pass_time(window, 0.1)
    session.playback.mark()
    session.submit(Spawn(Entry("shark", 3)))
    session.clock.paused = False
    pass_time(window, 7)
    session.playback.go(700)
    pass_time(window, 0.5)
    session.clock.paused = True
    run(window, 1)
    window.dispatch_event("on_mouse_motion", 420, 55, 0, 0)
    run(window, 30)
    return window


def pass_time(window: FlockWindow, seconds: float) -> None:
    """Frames that nobody sees."""
    for _ in range(round(60 * seconds)):
        window.on_update(1 / 60)


PICTURED: dict[str, Callable[[], FlockWindow]] = {
    "window": first_start,
    "explain": explain,
    "trails": overlays,
    "heat": heat,
    "charts": charts,
    "timeline": timeline,
}


def main() -> None:
    for name in sys.argv[1:] or PICTURED:
        save(PICTURED[name](), name)
        print(name)


if __name__ == "__main__":
    main()
