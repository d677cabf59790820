"""Measures studies: 1,000 runs of 300 boids and 600 ticks, by one and by two workers, and their ticks alone.

python benchmarks/studies.py [--runs 1000] [--rounds 3]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
BARE = """
import sys, time
from pathlib import Path
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.extras.studies.design import points_of
from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.set_up import simulation_of

study, scene = read_study(Path(sys.argv[1]), NO_MODS)
points, seconds = list(points_of(study)), 0.0
for run in range(-1, len(points) * study.repeats):
    with simulation_of(scene, points[run % len(points)], study.seed_of(max(run, 0), len(points))) as simulation:
        begin = time.process_time()
        simulation.step(study.ticks)
        seconds += time.process_time() - begin if run >= 0 else 0
print(seconds)
"""


def bare_ticks(study: Path) -> float:
    """Return the seconds of processor time for the ticks of all runs, in one process with one thread."""
    env_first = ["env", "NUMBA_NUM_THREADS=1", sys.executable, "-c", BARE, str(study)]
    return float(subprocess.run(env_first, capture_output=True, text=True, check=True).stdout)


def run_with(study: Path, workers: int) -> tuple[float, float]:
    """Return the seconds from the start of the command to its end, and its processor time, including the workers."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["study", "run", str(study), "--out", f"{folder}/out", "--workers", str(workers)]
        begin, before = time.perf_counter(), os.times()
        subprocess.run([sys.executable, "-m", "sandbox.cli.main", *words], check=True, capture_output=True)
        after = os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        return time.perf_counter() - begin, used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "flock.toml").write_text(SCENE)
        study = Path(folder) / "study-file.toml"
        study.write_text(STUDY.format(seeds=asked.runs // 5))
        rounds = []
        for _ in range(asked.rounds):  # all in turn, so that other programs affect all alike
            bare, (one, used), (two, _) = bare_ticks(study), run_with(study, 1), run_with(study, 2)
            rounds.append((bare, used, one, two))
            print(f"bare ticks {bare:.1f} s, one worker {used:.1f} s of processor time", end=", ")
            print(f"by the clock one {one:.1f} s, two {two:.1f} s", flush=True)
        bare, used, one, two = (min(column) for column in zip(*rounds, strict=True))
        print(f"{asked.runs} runs: {used / bare - 1:.1%} above the bare ticks; two workers {one / two:.2f} times one")


if __name__ == "__main__":
    main()
