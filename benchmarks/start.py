"""How long starting takes, and how much memory: run it twice, the second time with cached kernels.

    .venv/bin/python benchmarks/start.py

Prints JSON: seconds and MB above an empty Python process to load `hundred-thousand`, and seconds from the command to
the first picture of the default scene, drawn through EGL.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

LOAD = "import resource, time; t = time.perf_counter(); import sandbox; s = sandbox.load('hundred-thousand')"
REPORT = "; print(time.perf_counter() - t, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
DRAW = """
import sandbox, tempfile, pathlib
from sandbox.app.drawing.picture import draw_picture
draw_picture(sandbox.load("murmuration"), pathlib.Path(tempfile.mkdtemp()) / "first.png")
"""


def main() -> None:
    empty = int(run("import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"))
    seconds, memory = run(LOAD + REPORT).split()
    begin = time.perf_counter()
    run(DRAW)
    first_picture = time.perf_counter() - begin
    report = {
        "hundred_thousand_load_s": round(float(seconds), 2),
        "hundred_thousand_memory_mb": round((int(memory) - empty) / 1024),
        "first_picture_s": round(first_picture, 2),
    }
    print(json.dumps(report))


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
