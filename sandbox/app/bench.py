"""What the window costs: a frame's parts in CPU time of this thread, and in how many frames a click is answered."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sandbox.app.preferences import Preferences
from sandbox.bench import standard_flock
from sandbox.terminal import has_display
from systems.engine.system import Phase
from systems.view.render import Drawing

if TYPE_CHECKING:
    from sandbox.app.window import FlockWindow

SETTLE = 30  # frames before the clock starts
SLOW_TICK = 50_000_000  # ns
CLICKS = 20


@dataclass(frozen=True)
class WindowResult:
    """Of one benchmark: medians of CPU time of this thread, ms.

    Attributes:
        renderer: what draws; a software renderer in other threads, where the driver allows for that.
        gather: making the arrays that are drawn.
        upload: sending them to the graphics card.
        draw: the draw calls of the world.
        drawn_after: by the clock, how long after the draw calls began the world is drawn, whoever does it.
        panels: all panels that are open at first, the mean at 60 frames a second while nobody touches them.
        panels_anew: the same in a frame in which they are made anew.
        frames_to_answer: the most frames from a click to a picture that shows what it did, at ticks of 50 ms.
    """

    boids: int
    frames: int
    renderer: str
    gather: float
    upload: float
    draw: float
    drawn_after: float
    panels: float
    panels_anew: float
    frames_to_answer: int


def run(boids: int, frames: int) -> WindowResult:
    """Measure a window of 1280 x 720 on the standard flock; on no display where there is none."""
    if sys.platform == "linux" and not has_display():
        os.environ["ARCADE_HEADLESS"] = "True"
    from sandbox.app.gui.gui import AT_REST  # these load arcade, which looks at the variable above
    from sandbox.app.window import FlockWindow

    simulation = standard_flock(boids)
    window = FlockWindow(simulation, lambda: standard_flock(boids), preferences=Preferences())
    session, painter = window.session, window.painter
    for _ in range(SETTLE):
        _frame(window, 1 / 60)
    drawing = simulation.world.resource(Drawing)
    instances = drawing.instances[: drawing.count]
    parts: dict[str, Callable[[], object]] = {
        "gather": lambda: simulation.pipeline.run(simulation.world, [Phase.RENDER]),
        "upload": lambda: painter.upload(instances),
        "draw": lambda: painter.draw(session.camera, 0.5),
        "panels": lambda: window.gui.draw(session, 1.0),
    }
    times: dict[str, list[float]] = {name: [] for name in (*parts, "drawn_after")}
    for _ in range(frames):
        simulation.step()
        window.ctx.screen.use()
        window.gui.pass_time(1 / 60)
        for name, work in parts.items():
            begin = time.perf_counter_ns()
            times[name].append(_timed(window, work))
            if name == "draw":
                times["drawn_after"].append((time.perf_counter_ns() - begin) / 1e6)
    anew = []
    for _ in range(frames):
        parts["draw"]()
        window.ctx.finish()
        window.gui.pass_time(AT_REST)  # so long that they can't be drawn as they were
        anew.append(_timed(window, parts["panels"]))
    medians = {name: statistics.median(values) for name, values in times.items()}
    medians |= {"panels": statistics.mean(times["panels"]), "panels_anew": statistics.median(anew)}
    answered = _frames_to_answer(window)
    renderer = str(window.ctx.info.RENDERER)
    window.close()
    return WindowResult(boids, frames, renderer, **medians, frames_to_answer=answered)


def _timed(window: FlockWindow, work: Callable[[], object]) -> float:
    """How long this thread works, ms."""
    begin = time.thread_time_ns()
    work()
    taken = time.thread_time_ns() - begin
    window.ctx.finish()
    return taken / 1e6


def _frame(window: FlockWindow, seconds: float) -> None:
    """What the event loop does for one picture."""
    window.dispatch_events()
    window.on_update(seconds)
    window.on_draw()
    window.flip()


def _frames_to_answer(window: FlockWindow) -> int:
    """The most frames, of some clicks, until what was placed is drawn; every tick takes 50 ms at least."""
    from arcade import MOUSE_BUTTON_LEFT

    simulation = window.simulation
    step = simulation.step

    def slow_step(ticks: int = 1) -> None:
        end = time.perf_counter_ns() + SLOW_TICK
        step(ticks)
        while time.perf_counter_ns() < end:
            pass

    simulation.step = slow_step  # type: ignore[method-assign]
    most = 0
    for n in range(CLICKS):
        before, frames, last = window.painter.count, 0, time.perf_counter()
        x, y = 400 + 20 * n, 360
        window.dispatch_event("on_mouse_press", x, y, MOUSE_BUTTON_LEFT, 0)
        window.dispatch_event("on_mouse_release", x, y, MOUSE_BUTTON_LEFT, 0)
        while window.painter.count == before and frames < 100:
            now = time.perf_counter()
            _frame(window, now - last)
            frames, last = frames + 1, now
        most = max(most, frames)
    simulation.step = step  # type: ignore[method-assign]
    return most
