"""Textures for panels: picture files, loaded lazily and at most one per frame, and a sketch drawn on a canvas."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arcade import ArcadeContext
from imgui_bundle import imgui

from sandbox.app.drawing.any_camera import AnyCamera
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.colours import Rgb
from sandbox.app.drawing.offscreen import Offscreen
from sandbox.app.drawing.own_pictures import texture_of
from sandbox.app.gui.renderer import Renderer

LARGEST = 1024  # pixels each way


class Textures:
    """A cache of the pictures requested so far, in the graphics card's memory."""

    def __init__(self, context: ArcadeContext, renderer: Renderer) -> None:
        self._context, self._renderer = context, renderer
        self._known: dict[Path, imgui.ImTextureRef | None] = {}
        self._frame = -1
        self._sketch: tuple[Canvas, Offscreen, imgui.ImTextureRef] | None = None
        self._sketched: tuple[object, ...] = ()

    def of(self, path: Path) -> imgui.ImTextureRef | None:
        """Return the picture of a file; None if it is not loaded yet or cannot be read."""
        if path in self._known:
            return self._known[path]
        frame = imgui.get_frame_count()
        if frame == self._frame:
            return None
        self._frame = frame
        texture = texture_of(self._context, path, LARGEST)
        self._known[path] = None if texture is None else self._renderer.picture(texture)
        return self._known[path]

    def sketch(
        self, of: tuple[object, ...], camera: AnyCamera, ratio: float, ground: Rgb, draw: Callable[[Canvas], None]
    ) -> imgui.ImTextureRef:
        """Return a picture, upside down, of what `draw` draws on a canvas; valid until the next sketch is made.

        Args:
            of: the cache key: while it is equal, the sketch is not drawn again.
            camera: the camera of the sketch; `ratio`: pixels of the picture per pixel of the camera's screen.
        """
        context, (width, height) = self._context, camera.screen
        size = max(round(ratio * width), 1), max(round(ratio * height), 1)
        if self._sketch is None:
            offscreen = Offscreen(context, smooth=False)  # the canvas smooths its figures itself
            self._sketch = Canvas(context), offscreen, self._renderer.picture(offscreen.texture)
        canvas, offscreen, picture = self._sketch
        if of == self._sketched:
            return picture
        self._sketched = of
        with offscreen.drawn_into(size) as target:
            target.clear(color=ground)
            canvas.begin(camera, None, 1.0, ratio)
            draw(canvas)
            canvas.draw()
        return picture
