"""Draws pictures of every bundled scene after 300 ticks: for the docs, and smaller ones for the window's gallery.

.venv/bin/python tools/gallery.py [SCENE...]

It also generates docs/gallery.md, which shows those of the docs; a test checks that the page is up to date.
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
PAGE = ROOT / "docs" / "gallery.md"
HEAD = """# Gallery

The scenes that come with the program, five seconds after their beginning; the last five reproduce
[other programs](models.md).
`boids scenes` lists them, and so does the panel *Scenes* of the window.
"""
TICKS, SEEN = 300, 150  # in all, and those of which trails may be drawn


def main() -> None:
    sys.path.insert(0, str(ROOT))
    from PIL import Image, ImageOps

    import sandbox
    from sandbox.app.drawing.picture import graphics, picture_of
    from sandbox.scenes.bundled import bundled_scenes

    wanted = sys.argv[1:] or [path.stem for path in bundled_scenes()]
    WINDOW.mkdir(exist_ok=True)
    graphics()  # must be called before arcade is imported, to run without a display
    from sandbox.app.drawing import driver

    driver.SOFTWARE = ()  # as a graphics card draws, whatever draws here
    for name in wanted:
        with sandbox.load(name) as simulation:
            under, over = layers(simulation)
            with Image.open(BytesIO(picture_of(simulation, under=under, over=over, glow=True))) as file:
                picture = file.convert("RGB")
        shape = DOCS_WIDTH, round(DOCS_WIDTH * picture.height / picture.width)
        picture.resize(shape, Image.Resampling.LANCZOS).save(DOCS / f"{name}.jpg", quality=88, optimize=True)
        card = ImageOps.fit(picture, WINDOW_SIZE, Image.Resampling.LANCZOS)
        card.save(WINDOW / f"{name}.jpg", quality=82, optimize=True)
        print(name)
    PAGE.write_text(page(), "utf-8")


def page() -> str:
    """Return the page of all bundled scenes, in Markdown."""
    from sandbox.scenes.bundled import bundled_scenes
    from sandbox.scenes.headline import headline

    parts = [HEAD]
    for path in bundled_scenes():
        scene = headline(path)
        picture = f"![{scene.name}](gallery/{path.stem}.jpg)"
        parts.append(f"## {scene.name}\n\n{picture}\n\n{scene.description}\n\n`boids play {path.stem}`\n")
    return "\n".join(parts)


def layers(simulation: Simulation) -> tuple[Layer, Layer]:
    """Run the ticks; return what the scene shows over and under its animals."""
    from sandbox.cli.overlays import overlays_of, viewer_of

    simulation.step(TICKS - SEEN)
    viewer = viewer_of(simulation, overlays_of(simulation, None))
    for _ in range(SEEN):
        simulation.step()
        viewer.take()
    return viewer.layers()


if __name__ == "__main__":
    main()
