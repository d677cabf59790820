"""A picture of the world, drawn by the window's own painter into memory: needs no display."""

from __future__ import annotations

import io
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.app.drawing.camera import Camera
from sandbox.files import write_atomically
from sandbox.simulation import Simulation
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from arcade import ArcadeContext
    from PIL import Image

    from sandbox.app.drawing.painter import Layer, Painter

SUPERSAMPLING = 3  # drawn so much larger each way, where the graphics card can, then averaged
LONG_SIDE = 1600  # pixels


def draw_picture(simulation: Simulation, path: Path | str, size: tuple[int, int] | None = None) -> None:
    """Write what `picture_of` draws, as a PNG.

    Raises:
        OSError: when it can't be drawn or written; a file that stood there is then as it was.
    """
    write_atomically(Path(path), picture_of(simulation, size))


def picture_of(
    simulation: Simulation,
    size: tuple[int, int] | None = None,
    long_side: int = LONG_SIDE,
    under: Layer | None = None,
    over: Layer | None = None,
) -> bytes:
    """A PNG of the whole world as it is now.

    Args:
        size: width and height, pixels; without it `long_side` pixels along the world's longer side.
        under, over: see the painter.
    Raises:
        OSError: when it can't be drawn.
    """
    painter = painter_of(graphics())
    painter.take(simulation)
    file = io.BytesIO()
    drawn(painter, camera_on(simulation, size, long_side), under=under, over=over).save(file, "PNG")
    painter.context.gc()  # a window frees what is no longer needed in every frame, and here there may be none
    return file.getvalue()


def camera_on(simulation: Simulation, size: tuple[int, int] | None = None, long_side: int = LONG_SIDE) -> Camera:
    """One that sees the whole world; the arguments are those of `picture_of`."""
    settings = simulation.world.resource(Settings)
    world = settings.width, settings.height
    if size is None:
        size = max(round(long_side * world[0] / max(world)), 1), max(round(long_side * world[1] / max(world)), 1)
    return Camera(world, size)


@lru_cache(maxsize=1)
def painter_of(context: ArcadeContext) -> Painter:
    """The painter of a context: its programs are compiled once, not for every picture."""
    from sandbox.app.drawing.painter import Painter  # it loads arcade, for which `_context` has chosen a display

    return Painter(context)


def drawn(
    painter: Painter,
    camera: Camera,
    alpha: float = 1.0,
    ratio: float = 1.0,
    under: Layer | None = None,
    over: Layer | None = None,
) -> Image.Image:
    """What the camera sees: of its screen's size times `ratio` pixels, RGB; `under` and `over`: see the painter."""
    from PIL import Image

    context = painter.context
    width, height = (round(side * ratio) for side in camera.screen)
    times = max(min(SUPERSAMPLING, context.info.MAX_TEXTURE_SIZE // max(width, height)), 1)
    larger = width * times, height * times
    canvas = context.framebuffer(color_attachments=[context.texture(larger, components=3)])
    with canvas.activate():
        painter.draw(camera, alpha, ratio, under, over)
        pixels = canvas.read(components=3)
    return Image.frombytes("RGB", larger, pixels).reduce(times).transpose(Image.Transpose.FLIP_TOP_BOTTOM)


def graphics() -> ArcadeContext:
    """The graphics context of the window there is, or of one nobody sees.

    Raises:
        OSError: when none can be made.
    """
    if sys.platform == "linux" and "arcade" not in sys.modules:
        os.environ["ARCADE_HEADLESS"] = "True"
    import arcade

    try:
        return arcade.get_window().ctx
    except RuntimeError:
        pass
    try:
        return arcade.Window(64, 64, visible=False, antialiasing=False).ctx
    except Exception as error:
        raise OSError(f"no picture can be drawn: OpenGL 3.3 is needed ({error})") from None
