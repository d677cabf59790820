"""Pictures in files, as panels draw them: read when they are first wanted, one in a frame."""

from __future__ import annotations

from pathlib import Path

from arcade import ArcadeContext
from imgui_bundle import imgui
from PIL import Image

from sandbox.app.gui.renderer import Renderer

LARGEST = 1024  # pixels each way


class Pictures:
    """All that were wanted so far, kept in the graphics card's memory."""

    def __init__(self, context: ArcadeContext, renderer: Renderer) -> None:
        self._context, self._renderer = context, renderer
        self._known: dict[Path, imgui.ImTextureRef | None] = {}
        self._frame = -1

    def of(self, path: Path) -> imgui.ImTextureRef | None:
        """The picture of a file; None while it is not read, and where there is none that can be read."""
        if path in self._known:
            return self._known[path]
        frame = imgui.get_frame_count()
        if frame == self._frame:
            return None
        self._frame = frame
        self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: Path) -> imgui.ImTextureRef | None:
        try:
            with Image.open(path) as file:
                file.thumbnail((LARGEST, LARGEST))
                picture = file.convert("RGBA")
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            return None
        context = self._context
        texture = context.texture(picture.size, components=4, data=picture.tobytes())
        texture.filter = context.LINEAR_MIPMAP_LINEAR, context.LINEAR
        texture.build_mipmaps()
        return self._renderer.picture(texture)
