"""The last seconds as they were seen, kept as small pictures on the graphics card, for a GIF of what was worth it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from arcade import ArcadeContext
from arcade.gl import Framebuffer, Texture2D
from numpy.typing import NDArray

SECONDS = 4.0  # that are kept
FRAME = 0.08  # s between two of them: GIFs count in 0.01 s
LONG_SIDE = 640  # pixels
SUPERSAMPLING = 2  # drawn so much larger each way, then averaged

Pixels = NDArray[np.uint8]
Draw = Callable[
    [float], None
]  # draws into the framebuffer in use; is given how many of its pixels are one of the screen

VERTEX = """
#version 330
out vec2 at;

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    at = 0.5 * corner + 0.5;
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""

FRAGMENT = """
#version 330
uniform sampler2D drawn;
in vec2 at;
out vec4 painted;

void main() {
    painted = texture(drawn, at);  // in the middle of four pixels, whose mean it is
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


class Recent:
    """Keeps what was seen of late.

    Attributes:
        moments: the oldest first, none older than SECONDS.
    """

    def __init__(self, context: ArcadeContext) -> None:
        self.moments: deque[Moment] = deque()
        self._context = context
        self._program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
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
