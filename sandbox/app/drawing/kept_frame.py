"""A copy of a frame, to be shown again below contents that change."""

from __future__ import annotations

from typing import Any

from arcade import ArcadeContext
from arcade.gl import Framebuffer
from pyglet import gl


class KeptFrame:
    """A copy of the window's framebuffer."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self._kept: Framebuffer | None = None

    def keep(self) -> None:
        """Copy the present contents of the window's framebuffer."""
        size = self._context.screen.size
        if self._kept is None or self._kept.size != size:
            self._kept = self._context.framebuffer(color_attachments=[self._context.texture(size)])
        self._copy(self._context.screen, self._kept)

    def show(self) -> bool:
        """Copy the frame back; return False if the window has a different size by now."""
        if self._kept is None or self._kept.size != self._context.screen.size:
            return False
        self._copy(self._kept, self._context.screen)
        return True

    def _copy(self, source: Any, target: Any) -> None:
        wide, high = source.size
        self._context.screen.scissor = None
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source.glo)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, target.glo)
        gl.glBlitFramebuffer(0, 0, wide, high, 0, 0, wide, high, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        self._context.screen.use(force=True)
