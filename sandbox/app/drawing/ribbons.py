"""Ribbons: many fading polylines whose points change little from tick to tick, such as the trails of animals.

The points are in a texture on the graphics card, a column for each ribbon; all are drawn in one call per frame.
"""

from __future__ import annotations

import numpy as np
from arcade.gl import Texture2D
from numpy.typing import NDArray

from sandbox.app.drawing.buffers import Instances
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.canvas_shaders import PAINTING
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.drawing.space.view import SpaceView, space_program
from sandbox.app.drawing.view_block import view_program

RIBBON = np.dtype([("shift", np.float32, 2), ("column_colour", np.uint32, 2)])
"""A ribbon to draw: its shift (u), the column of its points, and its colour, 0xRRGGBB."""
COLUMNS = 512  # by which the texture grows

VERTEX = """
#version 330
in vec2 shift;
in uvec2 column_colour;

uniform float pixel;     // u per pixel of the camera's screen
uniform float alpha;     // from the second row to the first
uniform int nodes;
uniform vec2 width;      // pixels, at the newest and at the oldest point
uniform sampler2D places;

out vec2 place;          // u, in the world
out vec2 at;             // pixels, across in y
flat out vec3 hue;
out float left;          // 1 at the newest point, 0 at the oldest
out float half_width;    // pixels

void main() {
    int n = gl_VertexID >> 1, column = int(column_colour.x);
    vec2 newer = texelFetch(places, ivec2(column, n), 0).xy;
    vec2 here = texelFetch(places, ivec2(column, n + 1), 0).xy;
    vec2 along = newer - texelFetch(places, ivec2(column, min(n + 2, nodes)), 0).xy;
    if (n == 0) here = mix(here, newer, alpha);
    float far = length(along), side = float(gl_VertexID & 1) * 2.0 - 1.0;
    vec2 across = far > 0.0 ? vec2(-along.y, along.x) / far : vec2(0.0);
    left = 1.0 - float(n) / float(nodes - 1);
    half_width = 0.5 * mix(width.y, width.x, left);
    at = vec2(0.0, side * (half_width + 1.0));
    place = here + shift + across * at.y * pixel;
    uint colour = column_colour.y;
    hue = vec3((colour >> 16u) & 255u, (colour >> 8u) & 255u, colour & 255u) / 255.0;
    gl_Position = in_clip(place - middle);
}
"""

SPACE_VERTEX = """
#version 330
in vec2 shift;
in uvec2 column_colour;

uniform float alpha;
uniform int nodes;
uniform vec2 width;
uniform sampler2D places;

out vec2 place;
out vec2 at;
flat out vec3 hue;
out float left;
out float half_width;

vec2 on_screen(vec4 clip) {  // pixels
    return clip.xy / max(clip.w, 1e-6) * 0.5 * vec2(right.w, upward.w);
}

void main() {
    int n = gl_VertexID >> 1, column = int(column_colour.x);
    vec3 newer = texelFetch(places, ivec2(column, n), 0).xyz;
    vec3 here = texelFetch(places, ivec2(column, n + 1), 0).xyz;
    vec3 older = texelFetch(places, ivec2(column, min(n + 2, nodes)), 0).xyz;
    if (n == 0) here = mix(here, newer, alpha);
    vec4 clip = in_clip(here - focus.xyz);
    vec2 along = on_screen(in_clip(newer - focus.xyz)) - on_screen(in_clip(older - focus.xyz));
    float far = length(along), side = float(gl_VertexID & 1) * 2.0 - 1.0;
    vec2 across = far > 0.0 ? vec2(-along.y, along.x) / far : vec2(0.0);
    left = 1.0 - float(n) / float(nodes - 1);
    half_width = 0.5 * mix(width.y, width.x, left);
    at = vec2(0.0, side * (half_width + 1.0));
    place = vec2(0.0);
    uint colour = column_colour.y;
    hue = vec3((colour >> 16u) & 255u, (colour >> 8u) & 255u, colour & 255u) / 255.0;
    clip.xy += across * at.y * 2.0 / vec2(right.w, upward.w) * clip.w;
    gl_Position = clip;
}
"""
"""The same in a world with depth."""

FRAGMENT = (
    PAINTING
    + """
flat in vec3 hue;
in float left;
in float half_width;
uniform float opacity;
uniform float flare;  // how much brighter it is near its newest point

void main() {
    float fresh = max(left, 0.0);  // beyond the edge of a triangle it may be below
    float shown = opacity * fresh * sqrt(fresh) * inside(abs(at.y) - half_width);
    paint(vec4(hue * (1.0 + flare * pow(fresh, 10.0)), shown));
}
"""
)


class Ribbons:
    """Draws ribbons in the view of a canvas, immediately."""

    def __init__(self, canvas: Canvas) -> None:
        self._context, camera = canvas.context, canvas.camera
        self._view = SpaceView(self._context) if isinstance(camera, SpaceCamera) else None
        if self._view is None:
            self._program = view_program(self._context, VERTEX, FRAGMENT)
        else:
            self._program = space_program(self._context, SPACE_VERTEX, FRAGMENT)
        self._program["places"] = 0
        self._instances = Instances(self._context, RIBBON)
        self._texture = self._made((COLUMNS, 2))

    def upload(self, places: NDArray[np.float32], ribbons: NDArray[np.void]) -> None:
        """Upload points and ribbons.

        Args:
            places: (nodes + 1, columns, axes), u: the present place, that of a tick ago, then older ones.
            ribbons: dtype RIBBON; a column may be drawn more than once.
        """
        rows, columns = places.shape[:2]
        if self._texture.height != rows or self._texture.width < columns:
            self._texture = self._made((-(-columns // COLUMNS) * COLUMNS, rows))
        if columns:
            self._texture.write(np.ascontiguousarray(places).tobytes(), viewport=(0, 0, columns, rows))
        self._instances.upload(ribbons)

    def draw(self, canvas: Canvas, width: tuple[float, float], opacity: float, flare: float = 0.0) -> None:
        """Draw the ribbons, as light if the backdrop glows.

        Args:
            width: pixels at their newest and oldest points.
            opacity: 0 to 1.
            flare: how much brighter they are near their newest points.
        """
        program = self._program
        canvas.blend(adds=canvas.collects_light)
        canvas.aim(program)
        if self._view is not None and isinstance(canvas.camera, SpaceCamera):
            self._view.show(canvas.camera)
            self._context.enable(self._context.DEPTH_TEST)
        nodes = self._texture.height - 1
        program["alpha"], program["nodes"], program["width"] = canvas.alpha, nodes, width
        program["opacity"], program["flare"] = opacity, flare
        self._texture.use(0)
        self._instances.draw(program, self._context.TRIANGLE_STRIP, 2 * nodes)

    def _made(self, size: tuple[int, int]) -> Texture2D:
        nearest, axes = self._context.NEAREST, 2 if self._view is None else 3
        return self._context.texture(size, components=axes, dtype="f4", filter=(nearest, nearest))
