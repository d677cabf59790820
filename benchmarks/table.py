"""Prints the speed table of docs/performance.md: `boids bench`, which runs the C yardstick after the flock.

    make bench                                    # all rows, seven pairs each: about ten minutes
    .venv/bin/python benchmarks/table.py --pairs 3

Needs gcc. Prints a Markdown table: medians in ms per tick, and the median, lowest and highest of the ratios of pairs,
which are valid even if the machine's speed drifts.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROWS: tuple[tuple[str, int, int, tuple[str, ...]], ...] = (
    ("1,000", 1_000, 2000, ()),
    ("10,000", 10_000, 500, ()),
    ("100,000", 100_000, 100, ()),
    ("100,000 rich", 100_000, 100, ("--rich",)),
    ("250,000", 250_000, 60, ()),
    ("1,000,000", 1_000_000, 20, ()),
    ("10,000 with depth", 10_000, 300, ("--depth",)),
    ("100,000 with depth", 100_000, 60, ("--depth",)),
    ("100,000 rich with depth", 100_000, 60, ("--depth", "--rich")),
    ("1,000,000 with depth", 1_000_000, 10, ("--depth",)),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=7, help="runs of each program per row (default 7)")
    pairs = parser.parse_args().pairs
    for options in ((), ("--depth",)):
        measure(1_000, 10, options)  # kernels compile outside the clock
    print(f"{machine()}; Python {platform.python_version()}; median of {pairs} pairs.\n")
    print("| boids | ms per tick | C yardstick | ratio | µs per boid |")
    print("|---|---|---|---|---|")
    for title, boids, ticks, options in ROWS:
        ours, theirs = zip(*[measure(boids, ticks, options) for _ in range(pairs)])
        ratios, ms = sorted(a / b for a, b in zip(ours, theirs)), statistics.median(ours)
        ratio = f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
        print(f"| {title} | {ms:.3f} | {statistics.median(theirs):.3f} | {ratio} | {1e3 * ms / boids:.4f} |")


def measure(boids: int, ticks: int, options: tuple[str, ...]) -> tuple[float, float]:
    """Return milliseconds per tick of the flock and of the yardstick."""
    command = [sys.executable, "-m", "sandbox.cli.main", "bench", f"--boids={boids}", f"--ticks={ticks}", "--json"]
    out = subprocess.run([*command, *options], check=True, stdout=subprocess.PIPE, cwd=HERE.parent)
    result = json.loads(out.stdout)
    if result["yardstick"] is None:
        raise SystemExit(1)  # boids bench said why
    return result["ms_per_tick"], result["yardstick"]


def machine() -> str:
    """Return the name of the processor, and the number of cores that this process may use."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        name = next(line.split(":")[1].strip() for line in info.read_text().splitlines() if "model name" in line)
    return f"{name}, {len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count()} cores"


if __name__ == "__main__":
    main()
