"""Measures studies: 1,000 runs of 300 boids and 600 ticks, by one and by two workers, and what they add to the ticks.

python benchmarks/studies.py [--runs 1000] [--rounds 3]

A machine that other programs use changes its speed by half within minutes. So ticks alone and whole runs are compared
run by run, in one process; and what Dask and the folder add is the processor time of a command beyond that of its runs.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

SCENE = """
format = 1
[world]
size = [1200, 1200]
[[spawn]]
prefab = "boid"
count = 300
"""
STUDY = """
format = 1
scene = "flock.toml"
ticks = 600
seeds = {seeds}
[vary]
"boid.Flocker.cohesion_strength" = [2, 4, 8, 16, 32]
[measure]
every = 60
columns = ["polarization"]
summary = {{ polarization = ["mean", "sd"] }}
"""
IN_TURN = """
import sys, time
from pathlib import Path
from sandbox.extras.studies.design import points_of
from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.run import run_one
from sandbox.extras.studies.set_up import simulation_of
from sandbox.mods.load.loaded_mods import NO_MODS

study, scene = read_study(Path(sys.argv[1]), NO_MODS)
points, spent = list(points_of(study)), [0.0, 0.0]

def ticks_alone(task):
    with simulation_of(scene, *task[1:]) as simulation:
        begin = time.process_time()
        simulation.step(study.ticks)
        return time.process_time() - begin

def whole_run(task):
    begin = time.process_time()
    run_one(study, scene, *task)
    return time.process_time() - begin

for run in range(-1, len(points) * study.repeats):
    task = run, points[run % len(points)], study.seed_of(max(run, 0), len(points))
    ways = [(0, ticks_alone), (1, whole_run)]
    for way, measured in ways if run % 2 else reversed(ways):
        spent[way] += measured(task) * (run >= 0)
print(*spent)
"""
IN_TURN_RUNS = 100


class Command(NamedTuple):
    """What `boids study run` took, s: by the clock, of processor time with its workers, and in the runs themselves."""

    clock: float
    used: float
    in_runs: float


def in_turn(study: Path) -> tuple[float, float]:
    """Return the seconds of processor time for the ticks of all runs, and for the runs, on one thread."""
    words = ["env", "NUMBA_NUM_THREADS=1", sys.executable, "-c", IN_TURN, str(study)]
    ticks, runs = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    return float(ticks), float(runs)


def run_with(study: Path, workers: int) -> Command:
    boids = [sys.executable, "-m", "sandbox.cli.main", "study"]
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out"
        begin, before = time.perf_counter(), os.times()
        subprocess.run([*boids, "run", study, "--out", out, "--workers", str(workers)], check=True, capture_output=True)
        clock, after = time.perf_counter() - begin, os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        table = subprocess.run([*boids, "show", out, "--csv"], check=True, capture_output=True, text=True).stdout
        return Command(clock, used, sum(float(row["seconds"]) for row in csv.DictReader(io.StringIO(table))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "flock.toml").write_text(SCENE)
        study, few = Path(folder) / "study-file.toml", Path(folder) / "few-file.toml"
        study.write_text(STUDY.format(seeds=asked.runs // 5))
        few.write_text(STUDY.format(seeds=min(IN_TURN_RUNS, asked.runs) // 5))
        for _ in range(asked.rounds):
            ticks, runs = in_turn(few)
            one, two = run_with(study, 1), run_with(study, 2)
            inside, beside = runs / ticks, one.used / one.in_runs
            print(f"{inside * beside - 1:.1%} above the ticks: {inside - 1:.1%} in runs, {beside - 1:.1%} beside them")
            print(f"one worker {one.clock:.1f} s, two {two.clock:.1f} s: {one.clock / two.clock:.2f} times as fast")
            shares = one.in_runs / one.clock, two.in_runs / two.clock / 2
            print(f"{shares[0]:.1%} and {shares[1]:.1%} of the workers' time is in runs", flush=True)


if __name__ == "__main__":
    main()
