"""Draws pictures of every bundled scene after 600 ticks: for the docs, and smaller ones for the window's gallery.

.venv/bin/python tools/gallery.py [SCENE...]
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.app.drawing.painter import Layer
    from sandbox.simulation import Simulation

ROOT = Path(__file__).parent.parent
DOCS, DOCS_WIDTH = ROOT / "docs" / "gallery", 800  # pixels
WINDOW, WINDOW_SIZE = ROOT / "scenes" / "pictures", (384, 216)
TICKS, SEEN = 600, 150  # in all, and those of which trails may be drawn
WHOLE = "crossing", "hundred-thousand", "maze", "million"  # the cards of other scenes show only the busiest part
CLOSER = 0.6


def main() -> None:
    sys.path.insert(0, str(ROOT))
    from PIL import Image, ImageOps

    import sandbox
    from sandbox.app.drawing.picture import graphics, picture_of
    from sandbox.scenes.bundled import bundled_scenes

    wanted = sys.argv[1:] or [path.stem for path in bundled_scenes()]
    WINDOW.mkdir(exist_ok=True)
    graphics()  # must be called before arcade is imported, to run without a display
    for name in wanted:
        with sandbox.load(name) as simulation:
            under, over = layers(simulation)
            with Image.open(BytesIO(picture_of(simulation, under=under, over=over, glow=True))) as file:
                picture = file.convert("RGB")
            close = picture if name in WHOLE else picture.crop(busiest(simulation, picture.size))
        shape = DOCS_WIDTH, round(DOCS_WIDTH * picture.height / picture.width)
        picture.resize(shape, Image.Resampling.LANCZOS).save(DOCS / f"{name}.jpg", quality=88, optimize=True)
        card = ImageOps.fit(close, WINDOW_SIZE, Image.Resampling.LANCZOS)
        card.save(WINDOW / f"{name}.jpg", quality=82, optimize=True)
        print(name)


def layers(simulation: Simulation) -> tuple[Layer, Layer]:
    """Run the ticks; return what the scene shows over and under its animals."""
    from sandbox.app.viewer import Viewer
    from sandbox.cli.running import overlays_of

    simulation.step(TICKS - SEEN)
    viewer = Viewer(simulation, overlays_of(simulation, None))
    for _ in range(SEEN):
        simulation.step()
        viewer.take()
    return viewer.layers()


def busiest(simulation: Simulation, size: tuple[int, int]) -> tuple[int, ...]:
    """Return the part of the picture, CLOSER of its size, with most animals: left, upper, right, lower edge."""
    import numpy as np

    from components.motion import Velocity
    from systems.engine.settings import Settings

    table, settings = simulation.world.table, simulation.world.resource(Settings)
    rows = table.rows(Velocity)
    x, y = table.columns["Position.x"][rows] / settings.width, 1 - table.columns["Position.y"][rows] / settings.height
    steps = np.linspace(0, 1 - CLOSER, 9)
    inside = {
        (left, top): np.count_nonzero((x > left) & (x < left + CLOSER) & (y > top) & (y < top + CLOSER))
        for left in steps
        for top in steps
    }
    left, top = max(inside, key=lambda corner: inside[corner])
    edges = left * size[0], top * size[1], (left + CLOSER) * size[0], (top + CLOSER) * size[1]
    return tuple(round(edge) for edge in edges)


if __name__ == "__main__":
    main()
