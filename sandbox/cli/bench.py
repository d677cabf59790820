"""The command `boids bench`: measures the speed of the standard flock, or of the window."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from sandbox.cli.options import MOST_TICKS, JsonOption
from sandbox.terminal import compile_if_cold, show_table


def bench(
    boids: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many.")] = 100_000,
    ticks: Annotated[int, typer.Option(min=1, max=MOST_TICKS, help="Ticks to time, after 100 to warm up.")] = 100,
    depth: Annotated[bool, typer.Option("--depth", help="In a world with depth.")] = False,
    rich: Annotated[bool, typer.Option("--rich", help="Two prefabs, fov 300, boids that differ.")] = False,
    window: Annotated[bool, typer.Option("--window", help="Time frames of the window instead.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure the speed of the standard flock, all systems enabled."""
    if window:
        _bench_window(boids, ticks, as_json)
        return

    from sandbox.standard_flock import run as run_bench
    from sandbox.standard_flock import standard_flock

    compile_if_cold()
    result = asdict(run_bench(standard_flock(boids, depth=depth, rich=rich), ticks, rich=rich))
    if as_json:
        print(json.dumps(result))
        return
    kind = f"{', with depth' if depth else ''}{', rich' if rich else ''}"
    print(f"{boids} boids{kind}: {result['ms_per_tick']:.3f} ms per tick, ", end="")
    print(f"{result['neighbours']:.1f} neighbours on average")
    show_table(("system", "ms per tick"), [(name, f"{ms:.3f}") for name, ms in result["ms_per_system"].items()])


def _bench_window(boids: int, frames: int, as_json: bool) -> None:
    from sandbox.app.window_bench import run as run_bench

    compile_if_cold()
    result = asdict(run_bench(boids, frames))
    if as_json:
        print(json.dumps(result))
        return
    print(f"{boids} boids, drawn by {result['renderer']}")
    stages = ("gather", "upload", "draw", "panels", "panels_anew")
    show_table(
        ("stage of a frame", "ms of CPU time of this thread"), [(stage, f"{result[stage]:.3f}") for stage in stages]
    )
    print(f"By the clock, the world is drawn {result['drawn_after']:.1f} ms after its draw calls began.")
    answers = [(kind, f"{usual:.2f}", f"{late:.2f}") for kind, (usual, late) in result["answers"].items()]
    show_table(("shown while ticks run", "ms of CPU time of this thread", "in 19 of 20 frames at most"), answers)
    print(f"A click is answered after {result['ticks_to_answer']} ticks at most where one takes 50 ms.")
