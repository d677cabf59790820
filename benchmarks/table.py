"""Prints the speed table of docs/performance.md: `boids bench` and the C yardstick, run in turn.

    make bench                                    # all rows, seven pairs each: about five minutes
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

from yardstick import yardstick

HERE = Path(__file__).parent
ROWS = (
    ("1,000", 1_000, 2000, False),
    ("10,000", 10_000, 500, False),
    ("100,000", 100_000, 100, False),
    ("100,000 rich", 100_000, 100, True),
    ("250,000", 250_000, 60, False),
    ("1,000,000", 1_000_000, 20, False),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=7, help="runs of each program per row (default 7)")
    pairs = parser.parse_args().pairs
    measure(1_000, 10, rich=False)  # kernels compile outside the clock
    print(f"{machine()}; Python {platform.python_version()}; median of {pairs} pairs.\n")
    print("| boids | ms per tick | C yardstick | ratio | µs per boid |")
    print("|---|---|---|---|---|")
    for title, boids, ticks, rich in ROWS:
        ours, theirs = zip(*[measure(boids, ticks, rich=rich) for _ in range(pairs)])
        ratios, ms = sorted(a / b for a, b in zip(ours, theirs)), statistics.median(ours)
        ratio = f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
        print(f"| {title} | {ms:.3f} | {statistics.median(theirs):.3f} | {ratio} | {1e3 * ms / boids:.4f} |")


def measure(boids: int, ticks: int, *, rich: bool) -> tuple[float, float]:
    """Return milliseconds per tick of the flock and of the yardstick, each measured in a process of its own."""
    command = [sys.executable, "-m", "sandbox.cli.main", "bench", f"--boids={boids}", f"--ticks={ticks}", "--json"]
    out = subprocess.run([*command, *["--rich"] * rich], check=True, capture_output=True, cwd=HERE.parent)
    return float(json.loads(out.stdout)["ms_per_tick"]), yardstick(boids, ticks)


def machine() -> str:
    """Return the name of the processor, and the number of cores that this process may use."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        name = next(line.split(":")[1].strip() for line in info.read_text().splitlines() if "model name" in line)
    return f"{name}, {len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count()} cores"


if __name__ == "__main__":
    main()
