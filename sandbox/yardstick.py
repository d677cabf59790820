"""The C yardstick: the bare flocking rules in C, compiled and run beside `boids bench` if there is a compiler."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

from sandbox.programs import find_program

SOURCE = Path(__file__).with_name("yardstick.c")
OPTIONS = ("-O3", "-march=native", "-ffast-math", "-fopenmp")


def yardstick(boids: int, ticks: int) -> float | None:
    """Return the milliseconds per tick of the C program, None if there is no C compiler with OpenMP."""
    compiler = find_program("gcc", "cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "yardstick"
        made = subprocess.run([compiler, *OPTIONS, SOURCE, "-o", program, "-lm"], capture_output=True, check=False)
        if made.returncode:
            return None
        done = subprocess.run([program, str(boids), str(ticks)], capture_output=True, check=True)
    return float(json.loads(done.stdout)["ms_per_tick"])
