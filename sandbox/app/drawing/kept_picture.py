"""What was on a canvas, and how the graphics card stood, before a mod draws: it can spoil neither."""

from __future__ import annotations

from sandbox.app.drawing.canvas import Canvas


class KeptPicture:
    """The state before a mod draws on a canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas, self._attributes = canvas, vars(canvas).copy()
        self._waiting = [(waiting, len(waiting)) for waiting in canvas.waiting]
        self._target = canvas.context.active_framebuffer
        self._viewport, self._scissor = self._target.viewport, self._target.scissor

    def put_right(self, failed: bool) -> None:
        """Have what follows drawn as if nothing had come between; of what failed nothing stays on the canvas."""
        canvas, context = self._canvas, self._canvas.context
        vars(canvas).update(self._attributes)
        if failed:
            for waiting, count in self._waiting:
                del waiting[count:]
        if context.active_framebuffer is not self._target:
            self._target.use(force=True)
        if self._target.viewport != self._viewport:
            self._target.viewport = self._viewport
        if self._target.scissor != self._scissor:
            self._target.scissor = self._scissor
        canvas.blend()
