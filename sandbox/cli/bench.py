"""The command `boids bench`: measures the speed of the standard flock, of a scene, or of the window."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from sandbox.cli.options import MOST_TICKS, JsonOption, ModOption, opened
from sandbox.terminal import compile_if_cold, say, show_table
from systems.engine.kernel_cache import ROOT

BOIDS = 100_000
YARDSTICK = ROOT / "benchmarks" / "yardstick.py"  # only a checkout has it


def bench(
    scene: Annotated[
        str | None,
        typer.Argument(help="A scene or recording to time instead of the standard flock.", show_default=False),
    ] = None,
    boids: Annotated[
        int | None, typer.Option(min=1, max=1_000_000, help=f"How many; default: {BOIDS}.", show_default=False)
    ] = None,
    ticks: Annotated[int, typer.Option(min=1, max=MOST_TICKS, help="Ticks to time, after 100 to warm up.")] = 100,
    depth: Annotated[bool, typer.Option("--depth", help="In a world with depth.")] = False,
    rich: Annotated[bool, typer.Option("--rich", help="Two prefabs, fov 300, boids that differ.")] = False,
    window: Annotated[bool, typer.Option("--window", help="Time frames of the window instead.")] = False,
    mods: ModOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure the speed of the standard flock, all systems enabled, or of a scene with its mods."""
    if scene is not None:
        given = {"--boids": boids is not None, "--depth": depth, "--rich": rich, "--window": window}
        if wrong := next((option for option, is_given in given.items() if is_given), None):
            raise ValueError(f"{wrong}: is of the standard flock: leave out {wrong}, or the scene")
        _bench_scene(scene, ticks, mods, as_json)
    if mods:
        raise ValueError("--mod: the standard flock runs without mods: name a scene, too")
    if window:
        _bench_window(boids or BOIDS, ticks, as_json)
        return

    from sandbox.standard_flock import run as run_bench
    from sandbox.standard_flock import standard_flock

    compile_if_cold()
    result = asdict(run_bench(standard_flock(boids or BOIDS, depth=depth, rich=rich), ticks, rich=rich))
    result["yardstick"] = _yardstick(result["boids"], ticks, depth) if YARDSTICK.exists() else None
    kind = f"{', with depth' if depth else ''}{', rich' if rich else ''}"
    _tell(result, f"{result['boids']} boids{kind}", as_json)


def _bench_scene(scene: str, ticks: int, mods: list[Path] | None, as_json: bool) -> NoReturn:
    """Time a scene, and exit: with 1 if a mod failed."""
    from sandbox.standard_flock import run as run_bench

    simulation, problems = opened(scene, None, None, mods)
    compile_if_cold(scene)
    result = asdict(run_bench(simulation, ticks))
    result = {"scene": simulation.scene.name, "entities": result.pop("boids"), **result}
    del result["rich"]
    _tell(result, f"{simulation.scene.name}, {result['entities']} entities", as_json)
    raise typer.Exit(bool(problems or simulation.mods.faults))


def _yardstick(boids: int, ticks: int, depth: bool) -> float | None:
    """Return the ms per tick of as many boids in C; None, and say why on stderr, if that can't be measured."""
    command = [sys.executable, str(YARDSTICK), str(boids), str(ticks), *(["--depth"] if depth else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    return None if done.returncode else float(done.stdout)


def _tell(result: dict[str, Any], what: str, as_json: bool) -> None:
    if as_json:
        print(json.dumps(result))
        return
    say(f"{what}: {result['ms_per_tick']:.3f} ms per tick, {result['neighbours']:.1f} neighbours on average")
    if theirs := result.get("yardstick"):
        say(f"The three plain rules in C: {theirs:.3f} ms per tick, so a ratio of {result['ms_per_tick'] / theirs:.2f}")
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
