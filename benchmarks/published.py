"""Measures two flocks for which others have published speeds: 400 birds for 100 ticks, and 128,000 for 200.

    .venv/bin/python benchmarks/published.py [--runs 7] [--mesa PYTHON]

The first is *Flocking-large* of JuliaDynamics/ABMFrameworksComparison, the second the largest of krABMaga's benchmarks.
Prints a Markdown table: medians of ms per tick, and of the whole run including the creation of the world, on one thread
and on all. `--mesa` names a Python with Mesa, whose own example of a flock is run with the values of the first.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys

from table import machine

# Their factors are multiples of a unit vector that are added in each step; a step is a tick here, 60 per second. So a
# factor f is f * 60 /s for velocities, and f * 60 * speed for distances.
FLOCK = """
format = 1
seed = {seed}

[world]
size = [{side}, {side}]

[prefabs.bird]
extends = "boid"
Motion = {{ min_speed = {speed}, max_speed = {speed} }}
Perception = {{ radius = {radius}, fov = 360 }}

[prefabs.bird.Flocker]
separation_radius = 1
separation_strength = {separation}
separation_falloff = "distance"
separation_mean = true
alignment_strength = 3
cohesion_strength = {cohesion}

[[spawn]]
prefab = "bird"
count = {birds}
"""
FLOCKS = {
    "400": {"birds": 400, "side": 150, "radius": 15, "speed": 60, "ticks": 100, "runs": 10},
    "128,000": {"birds": 128_000, "side": 1131, "radius": 10, "speed": 42, "ticks": 200, "runs": 1},
}
OURS = """
import json, sys, time
import sandbox
text, ticks, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
sandbox.loads(text.replace("SEED", "0")).step(2)  # kernels are loaded outside the clock
for seed in range(1, runs + 1):
    begin = time.perf_counter()
    world = sandbox.loads(text.replace("SEED", str(seed)))
    made = time.perf_counter()
    world.step(ticks)
    end = time.perf_counter()
    print(json.dumps([1e3 * (end - made) / ticks, end - begin]))
    world.close()
"""
MESA = """
import json, time
import mesa
from mesa.examples.basic.boid_flockers.model import BoidFlockers
begin = time.perf_counter()
model = BoidFlockers(population_size=400, width=150, height=150, vision=15, separation=1, seed=1)
made = time.perf_counter()
for _ in range(100):
    model.step()
end = time.perf_counter()
print(json.dumps([10 * (end - made), end - begin, mesa.__version__]))
"""


def ours(flock: dict[str, int], threads: int) -> list[list[float]]:
    """Return milliseconds per tick and seconds of each run, measured in a separate process."""
    rates = {"separation": 0.015 * 60 * flock["speed"], "cohesion": 0.03 * 60 * flock["speed"]}
    text = FLOCK.format(seed="SEED", **rates, **{key: flock[key] for key in ("birds", "side", "radius", "speed")})
    command = [sys.executable, "-c", OURS, text, str(flock["ticks"]), str(flock["runs"])]
    ran = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, env={**os.environ, "NUMBA_NUM_THREADS": str(threads)}
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7, help="processes for each row (default 7)")
    parser.add_argument("--mesa", metavar="PYTHON", help="a Python with Mesa")
    asked = parser.parse_args()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    rows: dict[str, list[list[float]]] = {}
    for _ in range(asked.runs):  # all in turn, so that a slow minute affects all alike
        for name, flock in FLOCKS.items():
            for threads in (1, cores):
                rows.setdefault(f"{name} birds, {threads} thread{'s' * (threads > 1)}", []).extend(ours(flock, threads))
        if asked.mesa:
            ran = subprocess.run([asked.mesa, "-c", MESA], check=True, stdout=subprocess.PIPE)
            ms, seconds, version = json.loads(ran.stdout)
            rows.setdefault(f"400 birds, Mesa {version}", []).append([ms, seconds])
    print(f"{machine()}; medians of {asked.runs} processes.\n\n| | ms per tick | least | all, s |\n|---|---|---|---|")
    for name, found in rows.items():
        ticks, whole = zip(*found)
        print(f"| {name} | {statistics.median(ticks):.3g} | {min(ticks):.3g} | {statistics.median(whole):.3g} |")


if __name__ == "__main__":
    main()
