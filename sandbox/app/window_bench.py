"""Benchmark of the window: CPU time of each stage of a frame, and when it shows what wheel and clicks do."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sandbox.app.preferences import Preferences
from sandbox.standard_flock import standard_flock
from sandbox.terminal import has_display

if TYPE_CHECKING:
    from components.store.world import World
    from sandbox.app.window import FlockWindow

SETTLE = 30  # frames before measuring begins
SLOW_TICK = 50_000_000  # ns
CLICKS = 20
RATE = 60  # frames per s
FIRST_MENU = 20, 710  # a pixel of its title


@dataclass(frozen=True)
class WindowResult:
    """The result of one benchmark. Times are CPU time of this thread, ms, medians unless stated otherwise.

    Attributes:
        renderer: OpenGL's name of the renderer; a software renderer may use other threads, which are not counted.
        gather: filling the arrays that are drawn.
        upload: sending them to the graphics card.
        draw: the draw calls of the world.
        drawn_after: wall-clock time from the first draw call until the world is drawn, in any thread.
        panels: the panels that are open by default; mean at 60 frames a second without input.
        panels_anew: the same, in frames that rebuild the panels instead of redrawing the previous ones.
        answers: by what a person does (zoom, pan, resize, menu), from the event to the end of the frame that shows it,
            while ticks run, without colouring pixels: the median, and the 95th percentile.
        ticks_to_answer: how many ticks end from a click until its effect is shown, at most, if one takes 50 ms.
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
    answers: dict[str, tuple[float, float]]
    ticks_to_answer: int


def run(boids: int, frames: int) -> WindowResult:
    """Measure a window of 1280 x 720 that shows the standard flock; headless on Linux without a display."""
    if sys.platform == "linux" and not has_display():
        os.environ["ARCADE_HEADLESS"] = "True"
    from sandbox.app.drawing.camera import Camera
    from sandbox.app.gui.gui import AT_REST  # these import arcade, which reads the variable above
    from sandbox.app.window import FlockWindow

    simulation = standard_flock(boids)
    window = FlockWindow(simulation, lambda: standard_flock(boids), preferences=Preferences())
    session, painter, animals = window.session, window.painter, window.painter.animals
    for _ in range(SETTLE):
        _frame(window, 1 / 60)
    assert isinstance(session.camera, Camera)  # the standard flock is flat
    region = animals.region(session.camera, 1 / session.camera.zoom)

    def gather() -> None:
        painter.take(simulation)
        animals.collected = animals.gather(region)

    def upload() -> None:
        if animals.collected is not None:
            animals.upload(animals.collected)

    def panels() -> None:
        window.gui.make(session, 1.0)
        window.gui.draw()

    stages: dict[str, Callable[[], object]] = {
        "gather": gather,
        "upload": upload,
        "draw": lambda: painter.draw(session.camera, 0.5),
        "panels": panels,
    }
    times: dict[str, list[float]] = {name: [] for name in (*stages, "drawn_after")}
    for _ in range(frames):
        simulation.step()
        window.ctx.screen.use()
        window.gui.pass_time(1 / 60)
        for name, work in stages.items():
            begin = time.perf_counter_ns()
            times[name].append(_timed(window, work))
            if name == "draw":
                times["drawn_after"].append((time.perf_counter_ns() - begin) / 1e6)
    rebuilt = []
    for _ in range(frames):
        stages["draw"]()
        window.ctx.finish()
        window.gui.pass_time(AT_REST)  # long enough that the panels are rebuilt
        rebuilt.append(_timed(window, stages["panels"]))
    medians = {name: statistics.median(values) for name, values in times.items()}
    medians |= {"panels": statistics.mean(times["panels"]), "panels_anew": statistics.median(rebuilt)}
    answers = answers_of(window, max(frames, CLICKS))
    answered = _ticks_to_answer(window)
    renderer = str(window.ctx.info.RENDERER)
    window.close()
    return WindowResult(boids, frames, renderer, **medians, answers=answers, ticks_to_answer=answered)


def _timed(window: FlockWindow, work: Callable[[], object]) -> float:
    """Return the CPU time of this thread in `work`, ms, after waiting until the graphics card has finished."""
    begin = time.thread_time_ns()
    work()
    taken = time.thread_time_ns() - begin
    window.ctx.finish()
    return taken / 1e6


def _frame(window: FlockWindow, seconds: float) -> None:
    """Do what the event loop does for one frame."""
    window.dispatch_events()
    window.on_update(seconds)
    window.on_draw()
    window.flip()


def answers_of(window: FlockWindow, frames: int) -> dict[str, tuple[float, float]]:
    """Measure `WindowResult.answers` in as many frames of each kind, at RATE if they are fast enough."""
    from arcade import MOUSE_BUTTON_LEFT, MOUSE_BUTTON_MIDDLE
    from pyglet import gl

    def back_and_forth(n: int) -> int:
        return 1 if n // 10 % 2 else -1

    kinds: dict[str, Callable[[int], list[tuple[Any, ...]]]] = {
        "zoom": lambda n: [("on_mouse_scroll", 640, 360, 0, back_and_forth(n))],
        "pan": lambda n: [("on_mouse_drag", 640, 360, 30 * back_and_forth(n), 0, MOUSE_BUTTON_MIDDLE, 0)],
        "resize": lambda n: [("on_resize", 1280 - 10 * (n % 20), 720)],
        "menu": lambda n: [
            (name, *FIRST_MENU, MOUSE_BUTTON_LEFT, 0) for name in ("on_mouse_press", "on_mouse_release")
        ],
    }
    gl.glEnable(gl.GL_RASTERIZER_DISCARD)
    found = {}
    for kind, events in kinds.items():
        times, last = [], time.perf_counter()
        for n in range(SETTLE + frames):
            time.sleep(max(last + 1 / RATE - time.perf_counter(), 0.0))
            begin, now = time.thread_time_ns(), time.perf_counter()
            for event in events(n):
                window.dispatch_event(*event)
            _frame(window, now - last)
            last = now
            times.append((time.thread_time_ns() - begin) / 1e6)
        late = sorted(times[SETTLE:])
        found[kind] = statistics.median(late), late[int(0.95 * len(late))]
    gl.glDisable(gl.GL_RASTERIZER_DISCARD)
    window.dispatch_event("on_resize", 1280, 720)
    return found


def _ticks_to_answer(window: FlockWindow) -> int:
    """Return how many ticks of 50 ms end from a click until the placed entity is drawn, at most."""
    from arcade import MOUSE_BUTTON_LEFT

    pipeline = window.simulation.pipeline
    tick = pipeline.tick

    def slow_tick(world: World) -> None:
        end = time.perf_counter_ns() + SLOW_TICK
        tick(world)
        while time.perf_counter_ns() < end:
            pass

    pipeline.tick = slow_tick  # type: ignore[method-assign]
    most = 0
    for n in range(CLICKS):
        before, tick_before, last = window.painter.animals.count, window.simulation.tick, time.perf_counter()
        x, y = 400 + 20 * n, 360
        window.dispatch_event("on_mouse_press", x, y, MOUSE_BUTTON_LEFT, 0)
        window.dispatch_event("on_mouse_release", x, y, MOUSE_BUTTON_LEFT, 0)
        while window.painter.animals.count == before and window.simulation.tick < tick_before + 100:
            now = time.perf_counter()
            _frame(window, now - last)
            last = now
        most = max(most, window.simulation.tick - tick_before)
    pipeline.tick = tick  # type: ignore[method-assign]
    return most
