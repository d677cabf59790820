"""The C yardsticks, which `make bench` runs beside the program, are compiled; the program needs no compiler."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
MEASURE = "from yardstick import yardstick; print([yardstick(500, 5, depth=depth) > 0 for depth in (False, True)])"


def test_it_measures_where_there_is_a_compiler() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURE], cwd=BENCHMARKS, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[True, True]\n", "")


def test_it_says_what_is_missing_where_there_is_none() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEASURE], cwd=BENCHMARKS, capture_output=True, text=True, env={"PATH": "/nowhere"}
    )
    assert done.stderr == "there is no C compiler to compare with: install gcc\n"
