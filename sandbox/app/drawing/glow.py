"""Light: what is bright blooms, and light that adds up beyond white is mapped to what a screen can show.

The world is drawn into a target of half floats. What shines is blurred at ever smaller sizes,
each half as large as the one before, and added on the way back. Sizes are shares of the picture, so a thumbnail
glows as far as the window does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from arcade import ArcadeContext
from arcade.gl import Framebuffer, Program
from pyglet import gl

from sandbox.app.drawing.offscreen import Offscreen

SMALLEST = 12  # pixels: about the height of the most blurred picture
ADD = gl.GL_ONE, gl.GL_ONE

VERTEX = """
#version 330
out vec2 at;  // 0 to 1

void main() {
    at = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(2.0 * at - 1.0, 0.0, 1.0);
}
"""

SAMPLED = """
#version 330
in vec2 at;
uniform sampler2D picture;
uniform float share;  // of the picture below
out vec4 painted;

vec4 around(float far) {  // the mean of four places, `far` pixels of the picture from the middle both ways
    vec2 off = far / vec2(textureSize(picture, 0));
    return 0.25 * (
        texture(picture, at + off) + texture(picture, at - off)
        + texture(picture, at + vec2(off.x, -off.y)) + texture(picture, at - vec2(off.x, -off.y))
    );
}
"""

BRIGHT = """
const float GROUND = 0.22;  // brightness below which nothing blooms

void main() {
    // Alpha is how much of it shines, in contrast to sky and scenery. One infinite pixel would spread everywhere.
    vec4 light = clamp(around(0.5), 0.0, 64.0);
    float most = max(light.r, max(light.g, light.b));
    painted = light * min(light.a, 1.0) * clamp((most - GROUND) / max(most, 1e-4), 0.0, 1.0);
}
"""

SMALLER = """
void main() {
    painted = around(1.0);
}
"""

LARGER = """
void main() {
    painted = share * around(0.75);
}
"""

SHOWN = """
uniform sampler2D bloom;
const float KNEE = 0.7;  // brightness from which light is compressed

void main() {
    vec3 light = texture(picture, at).rgb + share * texture(bloom, at).rgb;
    float most = max(light.r, max(light.g, light.b)), beyond = max(most - KNEE, 0.0) / (1.0 - KNEE);
    float shown = min(most, KNEE) + (1.0 - KNEE) * (1.0 - exp(-beyond));
    light *= shown / max(most, 1e-4);  // keeps the hue; only what is far too bright goes to white
    painted = vec4(mix(light, vec3(shown), 0.4 * (1.0 - exp(-0.5 * max(most - 1.0, 0.0)))), 1.0);
}
"""
BLOOM, SPREAD = 1.6, 0.8  # brightness of the bloom, and of each blurred picture relative to the sharper one


class Glow:
    """The shader programs and targets of one painter."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context, self._screen = context, context.geometry(mode=context.TRIANGLES)
        self._bright, self._smaller, self._larger, self._shown = (
            context.program(vertex_shader=VERTEX, fragment_shader=SAMPLED + body)
            for body in (BRIGHT, SMALLER, LARGER, SHOWN)
        )
        self._shown["bloom"] = 1
        self._lights: dict[bool, Offscreen] = {}  # by whether their edges are antialiased
        self._blurred: list[Offscreen] = []

    @contextmanager
    def over(self, target: Framebuffer) -> Iterator[None]:
        """Collect the light that is drawn within the block, then show it in `target`, the current framebuffer."""
        smooth = target.color_attachments[0].samples > 0
        if smooth not in self._lights:
            self._lights[smooth] = Offscreen(self._context, smooth=smooth, dtype="f2")
        light = self._lights[smooth]
        with light.drawn_into(target.size) as into:
            into.clear()
            into.scissor = target.scissor
            yield
        self._bloom(light)
        self._blurred[0].texture.use(1)
        self._pass(self._shown, light, BLOOM * (1 - SPREAD) / (1 - SPREAD ** len(self._blurred)))

    def _bloom(self, light: Offscreen) -> None:
        """Blur light; the sum of all blurred pictures is in the first one."""
        (width, height), context = light.size, self._context
        count = max(round(math.log2(max(height, 1) / SMALLEST)), 1)
        while len(self._blurred) < count:
            self._blurred.append(Offscreen(context, smooth=False, dtype="f2"))
        del self._blurred[count:]
        context.enable_only()
        larger = light
        for number, blurred in enumerate(self._blurred, 1):
            size = max(width >> number, 1), max(height >> number, 1)
            with blurred.drawn_into(size):
                self._pass(self._bright if number == 1 else self._smaller, larger)
            larger = blurred
        context.enable_only(context.BLEND)
        context.blend_func = ADD
        for blurred, sharper in zip(self._blurred[:0:-1], self._blurred[-2::-1], strict=True):
            with sharper.drawn_into(sharper.size):
                self._pass(self._larger, blurred, SPREAD)
        context.enable_only()

    def _pass(self, program: Program, picture: Offscreen, share: float = 1.0) -> None:
        program.set_uniform_safe("share", share)
        picture.texture.use(0)
        self._screen.render(program, vertices=3)
