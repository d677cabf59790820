"""Measures how soon the window shows what a person does while ticks take longer than a frame, with mods too.

    .venv/bin/python benchmarks/window.py
    .venv/bin/python benchmarks/window.py 250000 ink

Prints JSON for the standard flock of so many boids, or for the scene of an example mod with so many entities, in which
all example mods are on: by what is done, the milliseconds of processor time of the window's thread from the event to
the end of the frame that shows it, without colouring pixels, the median and the 95th percentile; ticks per second
meanwhile; and the load of the machine.
"""

from __future__ import annotations

import json
import os
import sys
import time

from mods import EXAMPLES, MODS, scaled_up
from sandbox.app.preferences import Preferences
from sandbox.app.window_bench import answers_of
from sandbox.mods.load.together import mods_from
from sandbox.opening import load
from sandbox.simulation import Simulation
from sandbox.standard_flock import standard_flock

FRAMES = 100


def simulation_of(entities: int, mod: str) -> Simulation:
    if not mod:
        return standard_flock(entities)
    together = mods_from([MODS / name for name in EXAMPLES])
    return Simulation(scaled_up(load(MODS / mod / "scenes" / f"{EXAMPLES[mod]}.toml", mods=together).scene, entities))


def main(entities: int = 1_000_000, mod: str = "") -> None:
    os.environ["ARCADE_HEADLESS"] = "True"
    from sandbox.app.window import FlockWindow  # imports arcade, which reads the variable above

    window = FlockWindow(simulation_of(entities, mod), lambda: simulation_of(entities, mod), preferences=Preferences())
    tick, begin = window.simulation.tick, time.perf_counter()
    found = {kind: [round(ms, 2) for ms in times] for kind, times in answers_of(window, FRAMES).items()}
    ticks = (window.simulation.tick - tick) / (time.perf_counter() - begin)
    print(json.dumps({"entities": entities, "mod": mod, **found, "ticks_per_s": ticks, "load": os.getloadavg()[0]}))
    window.close()


if __name__ == "__main__":
    main(*(int(word) if word.isdecimal() else word for word in sys.argv[1:]))  # type: ignore[arg-type]
