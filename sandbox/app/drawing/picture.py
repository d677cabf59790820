"""Draws pictures of a world into memory by the window's own painter; needs no display."""

from __future__ import annotations

import io
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.app.drawing.any_camera import AnyCamera, camera_for
from sandbox.files import write_atomically
from sandbox.simulation import Simulation
from systems.engine.settings import Settings

if TYPE_CHECKING:
    from arcade import ArcadeContext
    from PIL import Image

    from sandbox.app.drawing.offscreen import Offscreen
    from sandbox.app.drawing.painter import Layer, Painter

LONG_SIDE = 1600  # pixels


def draw_picture(simulation: Simulation, path: Path | str, size: tuple[int, int] | None = None) -> None:
    """Draw the whole world and write it to a PNG file.

    Raises:
        OSError: it can't be drawn or written; an existing file is then unchanged.
    """
    write_atomically(Path(path), picture_of(simulation, size))


def picture_of(
    simulation: Simulation,
    size: tuple[int, int] | None = None,
    long_side: int = LONG_SIDE,
    under: Layer | None = None,
    over: Layer | None = None,
    glow: bool | None = None,
) -> bytes:
    """Return a PNG of the whole world as it is now.

    Args:
        size: width and height, pixels; default: `long_side` pixels along the world's longer side.
        under, over: see `Painter.draw`.
        glow: see `Painter.choose_glow`.
    Raises:
        OSError: it can't be drawn.
    """
    painter = painter_of(graphics())
    painter.choose_glow(glow)
    painter.take(simulation)
    file = io.BytesIO()
    drawn(painter, camera_on(simulation, size, long_side), under=under, over=over).save(file, "PNG")
    painter.context.gc()  # a window frees unused OpenGL objects in every frame, but here there may be no window
    return file.getvalue()


def camera_on(simulation: Simulation, size: tuple[int, int] | None = None, long_side: int = LONG_SIDE) -> AnyCamera:
    """Return a camera that shows the whole world; the arguments are those of `picture_of`."""
    settings = simulation.world.resource(Settings)
    wide, high = settings.width, settings.height
    if size is None:
        size = max(round(long_side * wide / max(wide, high)), 1), max(round(long_side * high / max(wide, high)), 1)
    return camera_for(simulation.world, size)


@lru_cache(maxsize=1)
def painter_of(context: ArcadeContext) -> Painter:
    """Return the painter of a context, kept so that its shaders are compiled only once."""
    from sandbox.app.drawing.painter import Painter  # imports arcade, after `graphics` has set ARCADE_HEADLESS

    return Painter(context)


def drawn(
    painter: Painter,
    camera: AnyCamera,
    alpha: float = 1.0,
    ratio: float = 1.0,
    under: Layer | None = None,
    over: Layer | None = None,
    into: Offscreen | None = None,
) -> Image.Image:
    """Return the camera's view, RGB, of its screen's size times `ratio`.

    Args:
        under, over: see `Painter.draw`.
        into: a target that is used again; default: a new one.
    """
    from sandbox.app.drawing.offscreen import Offscreen

    into = into or Offscreen(painter.context)
    width, height = (round(side * ratio) for side in camera.screen)
    with into.drawn_into((width, height)):
        painter.draw(camera, alpha, ratio, under, over)
    return into.read()


def graphics() -> ArcadeContext:
    """Return the graphics context of the open window, or of a new invisible one.

    Raises:
        OSError: no context can be made.
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
