"""What a frame costs this thread: upload and draw calls of N boids, without the tick. Prints one JSON object.

    python benchmarks/frame.py [--boids 100000] [--frames 200]

Times are CPU time of this thread (`time.thread_time_ns`), medians, ms. A graphics card works on its own; the software
renderer shades vertices within the draw call, on this very thread, so that `draw` then holds work a card would do:
`draw_one_boid` is the same call with a single boid, which is what the call itself costs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("ARCADE_HEADLESS", "True")

import arcade
import numpy as np

from components.store.world import Prefab
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.painter import Painter
from sandbox.scene import Entry, Scene
from sandbox.simulation import Simulation
from systems.core.pipeline import Phase
from systems.core.settings import Settings
from systems.render import Drawing

BOID = {name: {} for name in ("Position", "Velocity", "Motion", "Perception", "Flocker", "Look")}


def milliseconds(work: Callable[[], None], frames: int) -> float:
    times = []
    for _ in range(frames):
        begin = time.thread_time_ns()
        work()
        times.append(time.thread_time_ns() - begin)
        arcade.get_window().ctx.finish()
    return round(statistics.median(times) / 1e6, 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boids", type=int, default=100_000)
    parser.add_argument("--frames", type=int, default=100)
    options = parser.parse_args()
    side = float(np.sqrt(options.boids * np.pi * 2500 / 16))
    scene = Scene(
        settings=Settings(width=side, height=side),
        prefabs={"boid": Prefab("boid", BOID)},
        entries=[Entry("boid", options.boids)],
    )
    simulation = Simulation(scene, seed=1)
    window = arcade.Window(1280, 720, antialiasing=False)
    painter, camera = Painter(window.ctx), Camera((side, side), (1280, 720))
    painter.take(simulation)
    drawing = simulation.world.resource(Drawing)
    instances = drawing.instances[: drawing.count]

    def pack() -> None:
        simulation.pipeline.run(simulation.world, [Phase.RENDER])

    def upload() -> None:
        painter.upload(instances)

    def draw() -> None:
        painter.draw(camera, 0.5)

    result = {
        "boids": options.boids,
        "frames": options.frames,
        "renderer": window.ctx.info.RENDERER,
        "gather": milliseconds(pack, options.frames),
        "upload": milliseconds(upload, options.frames),
        "draw": milliseconds(draw, options.frames),
    }
    painter.upload(instances[:1])
    result["draw_one_boid"] = milliseconds(draw, options.frames)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
