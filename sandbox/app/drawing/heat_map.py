"""Draws numbers on a grid over the world as smooth colours that can be seen through."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.shaders import SCREEN_VERTEX
from systems.view.crowding import Cells

FRAGMENT = """
#version 330
in vec2 place;
uniform vec2 low;      // u, corner of the grid
uniform vec2 size;     // u
uniform vec2 cells;
uniform float per;     // shares of the ramp per number
uniform sampler2D numbers;
uniform sampler2D ramp;
out vec4 painted;

float smooth_number(vec2 there) {  // a cubic B-spline, from four bilinear looks
    there -= 0.5;
    vec2 f = fract(there), g = 1.0 - f;
    vec2 w0 = g * g * g, w1 = 4.0 - 3.0 * f * f * (2.0 - f), w2 = 4.0 - 3.0 * g * g * (2.0 - g), w3 = f * f * f;
    vec2 s0 = w0 + w1, s1 = w2 + w3;
    vec2 a = (floor(there) - 0.5 + w1 / s0) / cells, b = (floor(there) + 1.5 + w3 / s1) / cells;
    float lower = mix(texture(numbers, vec2(b.x, a.y)).r, texture(numbers, a).r, s0.x / 6.0);
    float upper = mix(texture(numbers, b).r, texture(numbers, vec2(a.x, b.y)).r, s0.x / 6.0);
    return mix(upper, lower, s0.y / 6.0);
}

void main() {
    vec2 share = (place - low) / size;
    if (any(lessThan(share, vec2(0.0))) || any(greaterThan(share, vec2(1.0)))) discard;
    float heat = sqrt(clamp(smooth_number(share * cells) * per, 0.0, 1.0));
    painted = vec4(texture(ramp, vec2(heat, 0.5)).rgb, 0.78 * smoothstep(0.06, 0.55, heat));
}
"""


class HeatMap:
    """The program and textures of one heat map."""

    def __init__(self, canvas: Canvas, ramp: NDArray[np.uint32]) -> None:
        """`ramp`: 0xRRGGBB, from nothing to most."""
        self._context = context = canvas.context
        self._program = context.program(vertex_shader=SCREEN_VERTEX, fragment_shader=FRAGMENT)
        self._program["numbers"], self._program["ramp"] = 0, 1
        self._screen = context.geometry(mode=context.TRIANGLES)
        colours = np.stack([ramp >> 16 & 255, ramp >> 8 & 255, ramp & 255], axis=1).astype(np.uint8)
        self._ramp = context.texture((len(ramp), 1), components=3, data=colours.tobytes())
        self._ramp.wrap_x = context.CLAMP_TO_EDGE
        self._numbers = context.texture((1, 1), components=1, dtype="f4")

    def upload(self, numbers: NDArray[np.float32], wraps: bool) -> None:
        """Send the numbers, (lines, columns)."""
        size = numbers.shape[1], numbers.shape[0]
        if self._numbers.size != size:
            self._numbers = self._context.texture(size, components=1, dtype="f4")
        edge = self._context.REPEAT if wraps else self._context.CLAMP_TO_EDGE
        self._numbers.wrap_x = self._numbers.wrap_y = edge
        self._numbers.write(numbers.tobytes())

    def draw(self, canvas: Canvas, cells: Cells, highest: float) -> None:
        """Draw them where these cells are; the end of the ramp stands for `highest`."""
        program, camera = self._program, canvas.camera
        canvas.blend()
        program["middle"], program["scale"] = (camera.x, camera.y), camera.scale
        program["low"], program["cells"] = (cells.left, cells.bottom), (cells.columns, cells.lines)
        program["size"] = cells.columns / cells.per_x, cells.lines / cells.per_y
        program["per"] = 1 / max(highest, 1e-9)
        self._numbers.use(0)
        self._ramp.use(1)
        self._screen.render(program, vertices=3)
