"""Records the last seconds of the window as small pictures on the graphics card, from which `gif.py` writes a GIF."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from arcade import ArcadeContext
from arcade.gl import Framebuffer, Texture2D
from numpy.typing import NDArray

from sandbox.app.drawing.shaders import SCREEN_VERTEX

SECONDS = 4.0  # that are kept
FRAME = 0.08  # s between two of them: GIFs count in 0.01 s
LONG_SIDE = 640  # pixels
SUPERSAMPLING = 2  # drawn so much larger each way, then averaged

Pixels = NDArray[np.uint8]
Draw = Callable[[float], None]
"""Draws into the framebuffer in use; is given how many of its pixels are one of the screen."""

FRAGMENT = """
#version 330
uniform sampler2D drawn;
in vec2 place;  // 0 to 1 across and up
out vec4 painted;

void main() {
    painted = texture(drawn, place);  // in the middle of four pixels, whose mean it is
}
"""


@dataclass(frozen=True)
class Moment:
    """What was seen, and when: s that the world ran since the first one."""

    picture: Texture2D
    at: float

    def pixels(self) -> Pixels:
        """The picture, (height, width, 3), the upper row first."""
        width, height = self.picture.size
        return np.frombuffer(self.picture.read(), np.uint8).reshape(height, width, 3)[::-1]


class GifRecorder:
    """Keeps the pictures of the last seconds.

    Attributes:
        moments: the oldest first, none older than SECONDS.
    """

    def __init__(self, context: ArcadeContext) -> None:
        self.moments: deque[Moment] = deque()
        self._context = context
        self._program = context.program(vertex_shader=SCREEN_VERTEX, fragment_shader=FRAGMENT)
        self._program["middle"], self._program["scale"] = (0.5, 0.5), (2.0, 2.0)
        self._screen = context.geometry(mode=context.TRIANGLES)
        self._drawn: Framebuffer | None = None
        self._size = 0, 0
        self.begin()

    def begin(self) -> None:
        """Another world is shown."""
        self.moments.clear()
        self._now = self._due = 0.0

    def take(self, screen: tuple[int, int], seconds: float, draw: Draw) -> None:
        """After a frame in which the world changed: keep what is seen, when it is time to.

        Args:
            screen: its size, pixels: another one begins anew.
            seconds: real time since the last frame.
        """
        if screen != self._size:
            self._size, self._drawn = screen, None
            self.begin()
        self._now += seconds
        if self._now < self._due:
            return
        self.moments.append(Moment(self._picture(screen, draw), self._now))
        while self._now - self.moments[0].at > SECONDS:
            self.moments.popleft()
        # From when it was due, so that frames that come a little late don't make it slower.
        self._due = max(self._due, self._now - FRAME) + FRAME

    def _picture(self, screen: tuple[int, int], draw: Draw) -> Texture2D:
        context, share = self._context, LONG_SIDE / max(screen)
        width, height = (max(round(side * share), 1) for side in screen)
        if self._drawn is None:
            larger = context.texture((width * SUPERSAMPLING, height * SUPERSAMPLING), components=3)
            self._drawn = context.framebuffer(color_attachments=[larger])
        with self._drawn.activate():
            draw(share * SUPERSAMPLING)
        picture = context.texture((width, height), components=3)
        with context.framebuffer(color_attachments=[picture]).activate():
            context.enable_only()
            self._drawn.color_attachments[0].use(0)
            self._screen.render(self._program, vertices=3)
        return picture
