"""Studies: 1,000 runs of 300 boids and 600 ticks, by one worker, by two, and their bare ticks beside them.

python benchmarks/studies.py [--runs 1000] [--rounds 3]
"""

from __future__ import annotations

import argparse
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
from sandbox.studies.design import points_of
from sandbox.studies.read_study import read_study
from sandbox.studies.world import world_of

study, scene = read_study(Path(sys.argv[1]), NO_MODS)
points, seconds = list(points_of(study)), 0.0
for run in range(-1, len(points) * study.repeats):
    with world_of(scene, points[run % len(points)], study.seed_of(max(run, 0), len(points))) as simulation:
        begin = time.perf_counter()
        simulation.step(study.ticks)
        seconds += time.perf_counter() - begin if run >= 0 else 0
print(seconds)
"""


def bare_ticks(study: Path) -> float:
    """Seconds that the ticks of all runs take in one process, one thread."""
    env_first = ["env", "NUMBA_NUM_THREADS=1", sys.executable, "-c", BARE, str(study)]
    return float(subprocess.run(env_first, capture_output=True, text=True, check=True).stdout)


def run_with(study: Path, workers: int) -> float:
    """Seconds that the command takes, from its start to its end."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["study", "run", str(study), "--out", f"{folder}/out", "--workers", str(workers)]
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-m", "sandbox.cli.main", *words], check=True, capture_output=True)
        return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "flock.toml").write_text(SCENE)
        study = Path(folder) / "study-file.toml"
        study.write_text(STUDY.format(seeds=asked.runs // 5))
        run_with(study, 1)  # compiles, fills caches
        rounds = []
        for _ in range(asked.rounds):  # all in turn: other programs disturb them alike
            rounds.append((bare_ticks(study), run_with(study, 1), run_with(study, 2)))
            bare, one, two = rounds[-1]
            print(f"bare ticks {bare:.1f} s, one worker {one:.1f} s, two workers {two:.1f} s", flush=True)
        bare, one, two = (min(column) for column in zip(*rounds, strict=True))
        print(f"{asked.runs} runs: one worker {one / bare - 1:.1%} above the bare ticks, two {one / two:.2f} times one")


if __name__ == "__main__":
    main()
