"""Makes the docs' pictures of the window: each is a session driven by real events, drawn without a display.

.venv/bin/python tools/screenshots.py [NAME...]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ["ARCADE_HEADLESS"] = "True"  # before anything imports arcade
sys.path.insert(0, str(Path(__file__).parent.parent))

from arcade import key
from PIL import Image
from platformdirs import user_cache_path

from sandbox.app.drawing import driver
from sandbox.app.fields.binding import of_prefab
from sandbox.app.preferences import Preferences
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import SetField, SetParameter, Spawn
from sandbox.opening import load

driver.SOFTWARE = ()  # as a graphics card draws, whatever draws here
PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
SIZE = 1440, 810
USUAL = ("palette", "inspector", "time bar")


def opened(scene: str, ticks: int, theme: str = "dark", panels: tuple[str, ...] = USUAL) -> FlockWindow:
    """Open a window on a scene that has run for a while."""
    simulation = load(scene)
    simulation.step(max(ticks - 90, 0))
    preferences = Preferences(theme=theme, open=list(panels))
    window = FlockWindow(simulation, lambda: load(scene), SIZE, antialiasing=True, preferences=preferences)
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
    pixels = window.ctx.screen.read(components=3)
    picture = Image.frombytes("RGB", window.get_size(), pixels).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
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


def pipeline() -> FlockWindow:
    """Say what each system does to a sheep that grazes and flees."""
    window = opened("pasture", 400, panels=(*USUAL, "pipeline"))
    window.session.clock.paused = True
    window.session.selection.choose([282])
    run(window, 5)
    return window


def overlays() -> FlockWindow:
    window = opened("murmuration", 300, panels=("palette", "time bar"))
    hit(window, key.T)
    hit(window, key.B)
    run(window, 150)
    return window


def flocks() -> FlockWindow:
    window = opened("murmuration", 300, panels=("palette", "time bar"))
    window.session.submit(SetParameter("render", "colour", "flock"))
    pass_time(window, 5)
    run(window, 3)
    return window


def charts() -> FlockWindow:
    window = opened("pasture", 60, "light", (*USUAL, "charts"))
    window.session.clock.go_at(1600)
    window.session.clock.now = lambda: 0  # runs every tick that is due, however slow this machine is
    run(window, 450)
    return window


def timeline(theme: str = "dark") -> FlockWindow:
    """Show the past of a reef, on a second branch, with the mouse over another moment."""
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


def compare() -> FlockWindow:
    """Compare two worlds that were the same five seconds ago; in the right one starlings hardly align."""
    window = opened("murmuration", 300, panels=(*USUAL, "charts"))
    session = window.session
    session.clock.now = lambda: 0
    session.act("compare")
    session.work_on(True)
    for field, value in (("alignment_strength", 0.1), ("cohesion_strength", 12.0)):
        session.submit(SetField(f"Flocker.{field}", value, prefab="starling"))
    session.toggle_overlay("trails")
    pass_time(window, 5)
    session.clock.paused = True
    run(window, 2)
    session.camera.zoom_at(860, 400, 2.2)
    run(window, 3)
    return window


def study(theme: str = "dark") -> FlockWindow:
    """Run a part of a study: how many prey hunters catch, by the prey's cohesion and perception radius."""
    os.environ.setdefault("BOIDS_CACHE_DIR", str(user_cache_path("boids-sandbox", appauthor=False)))
    os.environ["HOME"], _ = tempfile.mkdtemp(), os.environ.pop("XDG_DATA_HOME", None)  # without a person's own studies
    window = opened("hunters", 300, theme)
    session = window.session
    panel = next(panel for panel in session.app.panels if panel.name == "study")
    studying = panel.studying
    bind = of_prefab(session, "prey")
    for component, name, low, high, steps in (
        ("Flocker", "cohesion_strength", 0, 48, 9),
        ("Perception", "radius", 20, 90, 8),
    ):
        field = session.simulation.world.table.components[component].fields[name]
        bound = bind(field)
        studying.vary(session, bound.path, f"prey {name.replace('_', ' ')}", field, bound.get().value)
        varied = studying.edited.varied[-1]
        varied.low, varied.high, varied.steps = low, high, steps
    studying.edited.measure, studying.edited.statistic = "catches", "last"
    run(window, 5)
    hit(window, key.SPACE)
    panel.run(session)
    while studying.shown.so_far is None or studying.shown.so_far.done < 62:
        run(window, 1)
        time.sleep(0.02)
    wide, high = window.get_size()
    window.dispatch_event("on_mouse_motion", round(0.6 * wide), round(0.5 * high), 0, 0)
    run(window, 20)
    return window


def pass_time(window: FlockWindow, seconds: float) -> None:
    """Update the window without drawing."""
    for _ in range(round(60 * seconds)):
        window.on_update(1 / 60)


PICTURED: dict[str, Callable[[], FlockWindow]] = {
    "window": first_start,
    "explain": explain,
    "pipeline": pipeline,
    "trails": overlays,
    "flocks": flocks,
    "charts": charts,
    "timeline": timeline,
    "compare": compare,
    "study": study,
}


def main() -> None:
    for name in sys.argv[1:] or PICTURED:
        save(PICTURED[name](), name)
        print(name)


if __name__ == "__main__":
    main()
