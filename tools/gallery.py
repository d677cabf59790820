"""The pictures of every bundled scene after 600 ticks: for the docs, and smaller ones for the window's gallery.

.venv/bin/python tools/gallery.py [SCENE...]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS, DOCS_WIDTH = ROOT / "docs" / "gallery", 800  # pixels
WINDOW, WINDOW_SIZE = ROOT / "scenes" / "pictures", (384, 216)
TICKS = 600


def main() -> None:
    sys.path.insert(0, str(ROOT))
    from PIL import Image, ImageOps

    import sandbox
    from sandbox.app.picture import draw_picture
    from sandbox.scenes import bundled_scenes

    wanted = sys.argv[1:] or [path.stem for path in bundled_scenes()]
    WINDOW.mkdir(exist_ok=True)
    for name in wanted:
        with tempfile.TemporaryDirectory() as folder, sandbox.load(name) as simulation:
            simulation.step(TICKS)
            drawn = Path(folder) / "drawn.png"
            draw_picture(simulation, drawn)
            with Image.open(drawn) as file:
                picture = file.convert("RGB")
        small = picture.resize(
            (DOCS_WIDTH, round(DOCS_WIDTH * picture.height / picture.width)), Image.Resampling.LANCZOS
        )
        small.save(DOCS / f"{name}.jpg", quality=88, optimize=True)
        card = ImageOps.fit(picture, WINDOW_SIZE, Image.Resampling.LANCZOS)
        card.save(WINDOW / f"{name}.jpg", quality=82, optimize=True)
        print(name)


if __name__ == "__main__":
    main()
