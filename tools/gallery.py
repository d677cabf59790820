"""The pictures of docs/gallery: every bundled scene after 600 ticks, small.

    .venv/bin/python tools/gallery.py [SCENE...]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
GALLERY = ROOT / "docs" / "gallery"
TICKS = 600
WIDTH = 800  # pixels


def main() -> None:
    sys.path.insert(0, str(ROOT))
    import sandbox
    from PIL import Image
    from sandbox.app.picture import draw_picture
    from sandbox.scenes import bundled_scenes

    wanted = sys.argv[1:] or [path.stem for path in bundled_scenes()]
    for name in wanted:
        with tempfile.TemporaryDirectory() as folder, sandbox.load(name) as simulation:
            simulation.step(TICKS)
            drawn = Path(folder) / "drawn.png"
            draw_picture(simulation, drawn)
            with Image.open(drawn) as picture:
                small = picture.resize((WIDTH, round(WIDTH * picture.height / picture.width)), Image.Resampling.LANCZOS)
            small.convert("RGB").save(GALLERY / f"{name}.jpg", quality=88, optimize=True)
            print(name)


if __name__ == "__main__":
    main()
