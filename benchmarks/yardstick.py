"""The C yardsticks: the bare flocking rules in C, flat and with depth. Needs gcc or another cc.

python benchmarks/yardstick.py 100000 60 --depth     # prints milliseconds per tick; `boids bench` runs it too
"""

from __future__ import annotations

import argparse
import atexit
import json
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from sandbox.programs import find_program

SOURCES = {False: "yardstick.c", True: "deep_yardstick.c"}  # whether with depth
OPTIONS = ("-O3", "-march=native", "-ffast-math", "-fopenmp")


def yardstick(boids: int, ticks: int, *, depth: bool = False) -> float:
    """Return the milliseconds per tick of the C program; ends this program if it can't be compiled."""
    done = subprocess.run([_compiled(SOURCES[depth]), str(boids), str(ticks)], capture_output=True, check=True)
    return float(json.loads(done.stdout)["ms_per_tick"])


@cache
def _compiled(source: str) -> Path:
    compiler = find_program("gcc", "cc")
    if compiler is None:
        raise SystemExit("there is no C compiler to compare with: install gcc")
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    program = Path(folder.name) / "yardstick"
    command = [compiler, *OPTIONS, Path(__file__).with_name(source), "-o", program, "-lm"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise SystemExit(f"{compiler} can't compile {source}:\n{made.stderr}")
    return program


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("boids", type=int)
    parser.add_argument("ticks", type=int)
    parser.add_argument("--depth", action="store_true")
    print(yardstick(**vars(parser.parse_args())))
