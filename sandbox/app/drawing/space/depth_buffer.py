"""A depth buffer, lent to the framebuffer that a world with depth is drawn into."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import byref
from typing import Any

from pyglet import gl


class DepthBuffer:
    """The memory on the graphics card; framebuffers for flat worlds have none."""

    def __init__(self) -> None:
        self._made = gl.GLuint()
        self._form = 0, 0, 0  # width, height, samples

    @contextmanager
    def lent_to(self, size: tuple[int, int]) -> Iterator[None]:
        """Attach it, cleared, to the current framebuffer, of this size in pixels, until the end of the block."""
        if not self._made.value:
            gl.glGenRenderbuffers(1, byref(self._made))
        samples = gl.GLint()
        gl.glGetIntegerv(gl.GL_SAMPLES, byref(samples))
        form = *size, samples.value
        gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, self._made)
        if form != self._form:
            self._form = form
            storage = gl.glRenderbufferStorageMultisample
            storage(gl.GL_RENDERBUFFER, form[2], gl.GL_DEPTH_COMPONENT24, *size)
        self._attach(self._made)
        gl.glDepthMask(True)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        try:
            yield
        finally:
            gl.glDepthMask(False)
            self._attach(gl.GLuint(0))

    def _attach(self, buffer: Any) -> None:
        gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, gl.GL_DEPTH_ATTACHMENT, gl.GL_RENDERBUFFER, buffer)
