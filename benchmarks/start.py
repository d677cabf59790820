"""Measures the time and memory of starting: run it twice, the second time with cached kernels.

    .venv/bin/python benchmarks/start.py

Prints JSON: seconds and MB above an empty Python process to load `hundred-thousand`; the additional seconds and MB if a
small scene is open already; and seconds from the command to the first picture of the default scene, drawn through EGL.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

LOAD = "import resource, time; t = time.perf_counter(); import sandbox; s = sandbox.load('hundred-thousand')"
REPORT = "; print(time.perf_counter() - t, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
ANOTHER = """
import resource, sandbox, time
small = sandbox.load("murmuration")
small.step()
before, begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
large = sandbox.load("hundred-thousand")
print(time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
DRAW = """
import sandbox, tempfile, pathlib
from sandbox.app.drawing.picture import draw_picture
draw_picture(sandbox.load("murmuration"), pathlib.Path(tempfile.mkdtemp()) / "first.png")
"""


def main() -> None:
    empty = int(run("import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"))
    seconds, memory = run(LOAD + REPORT).split()
    more_seconds, more_memory = run(ANOTHER).split()
    begin = time.perf_counter()
    run(DRAW)
    first_picture = time.perf_counter() - begin
    report = {
        "hundred_thousand_load_s": round(float(seconds), 2),
        "hundred_thousand_memory_mb": round((int(memory) - empty) / 1024),
        "hundred_thousand_beside_another_s": round(float(more_seconds), 3),
        "hundred_thousand_beside_another_mb": round(int(more_memory) / 1024),
        "first_picture_s": round(first_picture, 2),
    }
    print(json.dumps(report))


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
