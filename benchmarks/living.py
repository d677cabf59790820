"""Compares a living world with the C yardstick: 100,000 prey with energy, predators, obstacles, wind zones and food.

    .venv/bin/python benchmarks/living.py [--pairs 7] [--boids 100000] [--ticks 100] [--far]

Needs gcc. Both run in turn. Prints Markdown: ms per tick, those of the yardstick with the same number of boids, the
median of the ratios of pairs, and each system's share. `--far` compares instead the standard flock with one in which
100 boids of another prefab see ten times farther.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys

import numpy as np
from table import machine
from yardstick import yardstick

from sandbox.design.scene import Entry, Scene
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.standard_flock import NEIGHBOURS, RADIUS, run
from sandbox.toml.source import TomlSource

TABLES = """
format = 1
[world]
size = [{side}, {side}]

[prefabs.prey]
extends = "boid"
Perception = {{ fov = 360 }}
Energy = {{ level = 150, capacity = 200, rest_burn = 0.2, hunger = 140 }}
Life = {{ max_age = 0 }}

[prefabs.far]
extends = "prey"
Perception = {{ fov = 360, radius = 500 }}
Flocker = {{ separation_radius = 25 }}
"""


def scene(boids: int, entries: list[Entry]) -> Scene:
    side = max(math.floor(math.sqrt(boids * math.pi * RADIUS**2 / NEIGHBOURS) / RADIUS), 3) * RADIUS
    made = scene_of(TomlSource("living.toml", TABLES.format(side=side).encode()))
    made.entries, made.seed = entries, 1
    return made


def living(boids: int) -> Simulation:
    """Make the standard flock as prey with energy; per 1,000 boids a predator, 5 obstacles, 0.5 winds and 20 food."""
    simulation = Simulation(
        scene(
            boids,
            [
                Entry("prey", boids),
                Entry("predator", boids // 1000),
                Entry("obstacle", boids // 200),
                Entry("wind", boids // 2000),
                Entry("food", boids // 50),
            ],
        )
    )
    table = simulation.world.table
    rows = table.rows(table.components["Wind"])
    table.columns["Wind.kind"][rows] = np.arange(len(rows)) % 4
    return simulation


def far_sighted(boids: int, far: int) -> Simulation:
    return Simulation(scene(boids, [Entry("prey", boids - far), Entry("far", far)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boids", type=int, default=100_000)
    parser.add_argument("--ticks", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--far", action="store_true")
    parser.add_argument("--one", choices=("living", "near", "far"), help="one run, as JSON")
    options = parser.parse_args()
    boids, ticks = options.boids, options.ticks
    if options.one:
        made = living(boids) if options.one == "living" else far_sighted(boids, 100 * (options.one == "far"))
        result = run(made, ticks)
        print(json.dumps({"ms": result.ms_per_tick, "systems": result.ms_per_system}))
        return
    print(f"{machine()}; {boids:,} boids, median of {options.pairs} pairs.\n")
    if options.far:
        pairs = [(one("far", boids, ticks)["ms"], one("near", boids, ticks)["ms"]) for _ in range(options.pairs)]
        report("100 who see ten times farther", "nobody does", pairs)
        return
    runs = [(one("living", boids, ticks), yardstick(boids, ticks)) for _ in range(options.pairs)]
    report("living world", "C yardstick", [(result["ms"], theirs) for result, theirs in runs])
    print("\n| system | ms per tick | share |\n|---|---|---|")
    for name in runs[0][0]["systems"]:
        ms = statistics.median(result["systems"][name] for result, _ in runs)
        print(f"| {name} | {ms:.3f} | {100 * ms / statistics.median(result['ms'] for result, _ in runs):.1f} % |")


def one(what: str, boids: int, ticks: int) -> dict:
    command = [sys.executable, __file__, "--one", what, f"--boids={boids}", f"--ticks={ticks}"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def report(title: str, other: str, pairs: list[tuple[float, float]]) -> None:
    print(f"| {title}, ms per tick | {other} | ratio |\n|---|---|---|")
    ours, theirs = zip(*pairs)
    ratio = statistics.median(a / b for a, b in pairs)
    print(f"| {statistics.median(ours):.2f} | {statistics.median(theirs):.2f} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
