"""The speed table of docs/performance.md: `boids bench` and the C yardstick in turn, in one run.

    make bench                                    # all rows, five pairs each: about ten minutes
    .venv/bin/python benchmarks/table.py --pairs 3

Needs gcc. Prints a Markdown table: medians in ms per tick, and the median of the ratios pair by pair, which holds
when the machine's speed drifts.
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
YARDSTICK = HERE / "build" / "yardstick"
ROWS = (
    ("1,000", 1_000, 2000, False),
    ("10,000", 10_000, 500, False),
    ("100,000", 100_000, 100, False),
    ("100,000 rich", 100_000, 100, True),
    ("1,000,000", 1_000_000, 20, False),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5, help="runs of each program per row (default 5)")
    pairs = parser.parse_args().pairs
    build_yardstick()
    measure(1_000, 10, rich=False)  # kernels compile outside the clock
    print(f"{machine()}; Python {platform.python_version()}; median of {pairs} pairs.\n")
    print("| boids | ms per tick | C yardstick | ratio | µs per boid |")
    print("|---|---|---|---|---|")
    for title, boids, ticks, rich in ROWS:
        ours, theirs = zip(*[(measure(boids, ticks, rich=rich), yardstick(boids, ticks)) for _ in range(pairs)])
        ratio = statistics.median(a / b for a, b in zip(ours, theirs))
        ms = statistics.median(ours)
        print(f"| {title} | {ms:.3f} | {statistics.median(theirs):.3f} | {ratio:.2f} | {1e3 * ms / boids:.4f} |")


def build_yardstick() -> None:
    YARDSTICK.parent.mkdir(exist_ok=True)
    options = ["-O3", "-march=native", "-ffast-math", "-fopenmp"]
    subprocess.run(["gcc", *options, HERE / "yardstick.c", "-o", YARDSTICK, "-lm"], check=True)


def measure(boids: int, ticks: int, *, rich: bool) -> float:
    """Milliseconds per tick of `boids bench` in a process of its own."""
    command = [sys.executable, "-m", "sandbox.cli.main", "bench", f"--boids={boids}", f"--ticks={ticks}", "--json"]
    out = subprocess.run([*command, *["--rich"] * rich], check=True, capture_output=True, cwd=HERE.parent)
    return float(json.loads(out.stdout)["ms_per_tick"])


def yardstick(boids: int, ticks: int) -> float:
    """Milliseconds per tick of the yardstick."""
    out = subprocess.run([YARDSTICK, str(boids), str(ticks)], check=True, capture_output=True)
    return float(json.loads(out.stdout)["ms_per_tick"])


def machine() -> str:
    """The processor and the cores this process may use."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        name = next(line.split(":")[1].strip() for line in info.read_text().splitlines() if "model name" in line)
    return f"{name}, {len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count()} cores"


if __name__ == "__main__":
    main()
