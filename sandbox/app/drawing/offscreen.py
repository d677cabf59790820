"""A target in the graphics card's memory for whatever is not drawn straight to the screen.

The world in the window, pictures, previews and the thumbnails of the time bar are all drawn into one of these,
so the same tick gives the same pixels in each.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from arcade import ArcadeContext
from arcade.gl import Framebuffer
from PIL import Image
from pyglet import gl

Size = tuple[int, int]
SAMPLES = 4  # per pixel; every graphics card supports as many


class Offscreen:
    """A target of any size, to be drawn into, then read, copied, or used as a texture.

    Attributes:
        smooth: whether edges are antialiased.
        texture: what was drawn last, upside down for Dear ImGui; always the same object.
    """

    def __init__(self, context: ArcadeContext, *, smooth: bool = True, dtype: str = "f1") -> None:
        """Make a target of one pixel; `dtype`: of each channel, "f1" or "f2", a half float."""
        self._context, self.smooth = context, smooth
        # Without alpha, so that pictures are opaque; with half floats, it marks what shines.
        self._format: dict[str, Any] = {"components": 3 if dtype == "f1" else 4, "dtype": dtype}
        edge = gl.GL_CLAMP_TO_EDGE
        self.texture = context.texture((1, 1), wrap_x=edge, wrap_y=edge, **self._format)
        self._plain = context.framebuffer(color_attachments=[self.texture])
        self._sampled: Framebuffer | None = None  # several samples per pixel, averaged into the texture

    @property
    def size(self) -> Size:
        """Width and height of what was drawn last, pixels."""
        return self._plain.size

    @contextmanager
    def drawn_into(self, size: Size) -> Iterator[Framebuffer]:
        """Make it the current framebuffer until the end of the block; `size`: pixels."""
        if size != self.size:
            self.texture.resize(size)
            self._plain.resize()  # type: ignore[no-untyped-call]
            self._sampled = None
        if self.smooth and self._sampled is None:
            samples = self._context.texture(size, samples=SAMPLES, **self._format)
            self._sampled = self._context.framebuffer(color_attachments=[samples])
        target = self._sampled or self._plain
        with target.activate():
            target.scissor = None
            yield target
        if target is self._sampled:
            self._copy(target, self._plain)

    def show(self) -> None:
        """Copy what was drawn last to the current framebuffer, which must have the same size."""
        self._copy(self._plain, self._context.active_framebuffer)

    def read(self) -> Image.Image:
        """Return what was drawn last as an RGB image."""
        image = Image.frombytes("RGB", self.size, self._plain.read(components=3))
        return image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)

    def _copy(self, source: Any, target: Any) -> None:
        current, (wide, high) = self._context.active_framebuffer, source.size
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source.glo)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, target.glo)
        gl.glBlitFramebuffer(0, 0, wide, high, 0, 0, wide, high, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glEnable(gl.GL_SCISSOR_TEST)
        current.use(force=True)
