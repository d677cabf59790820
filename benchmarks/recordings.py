"""Measures the cost of recording, and the time to go to any tick: the standard flock, for some simulated minutes.

.venv/bin/python benchmarks/recordings.py [--boids 100000] [--minutes 1] [--seeks 40]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from sandbox.past.keyframe import Keyframe
from sandbox.past.timeline import Timeline
from sandbox.standard_flock import SETTLE, standard_flock

TICKS_PER_MINUTE = 3600
COMPARED = 300  # ticks with and without recording, in turn
ROUNDS = 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boids", type=int, default=100_000)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seeks", type=int, default=40)
    options = parser.parse_args()
    simulation = standard_flock(options.boids)
    simulation.step(SETTLE)
    timeline = Timeline(simulation)
    shares = [recorded(timeline) / plain(timeline) - 1 for _ in range(ROUNDS)]
    print(f"{options.boids:,} boids: recording adds {100 * np.median(shares):.1f} % to a tick")
    keyframe, times = timeline.branch.keyframe(timeline.tick), []
    for _ in range(ROUNDS):
        timeline.simulation.step(60)
        begin = time.perf_counter()
        keyframe = Keyframe.take(timeline.simulation, 0, keyframe)
        times.append(1e3 * (time.perf_counter() - begin))
    print(f"a keyframe holds a frame up for {np.median(times):.1f} ms, at most {max(times):.1f}")
    timeline = Timeline(timeline.simulation)
    for _ in range(round(options.minutes * TICKS_PER_MINUTE)):
        timeline.step()
    size, count = timeline.recording.size, len(timeline.branch.keyframes)
    print(f"{options.minutes:g} minutes: {count} keyframes in {size / 1e6:.0f} MB")
    jumps, seeks = [], []
    for tick in np.random.default_rng(0).integers(timeline.recording.first, timeline.branch.last, options.seeks):
        begin = time.perf_counter()
        timeline.jump(int(tick))
        jumps.append(time.perf_counter() - begin)
        timeline.approach(float("inf"))
        seeks.append(time.perf_counter() - begin)
    print(f"to the keyframe before a tick: {1e3 * max(jumps):.0f} ms at most")
    print(f"to the tick: {np.median(seeks):.2f} s, at most {max(seeks):.2f}")


def recorded(timeline: Timeline) -> float:
    begin = time.perf_counter()
    for _ in range(COMPARED):
        timeline.step()
    return time.perf_counter() - begin


def plain(timeline: Timeline) -> float:
    begin = time.perf_counter()
    for _ in range(COMPARED):
        timeline.simulation.step()
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
