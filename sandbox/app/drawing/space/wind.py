"""Draws wind in a world with depth: some streaks that the air carries along, and what a vortex turns about."""

from __future__ import annotations

from typing import Any

import numpy as np
from arcade import ArcadeContext
from pyglet import gl

from sandbox.app.drawing.buffers import Instances
from sandbox.app.drawing.shaders import RANDOM, filled
from sandbox.app.drawing.space.air import AIR
from sandbox.app.drawing.space.view import space_program
from sandbox.render.solids import BREEZE, SOLID, SPRING, WHIRL, Solids

STREAKS, PIECES = 90, 8  # of a zone; of a streak, which bends
CORNERS = (STREAKS + 1) * PIECES * 6  # of a zone: the last streak is what a vortex turns about
KINDS = BREEZE, WHIRL, SPRING
VERTEX = (
    """
#version 330
in vec3 begin;
in vec3 end;
in float radius;
in float deep;      // share of the wind's speed: of its eddies
in float variety;
in uint kind_colour;
in vec3 flow;

uniform float alpha;
uniform float time;

out vec3 offset;
out vec3 colour;
out float opacity;
out float side;     // -1 to 1, across the streak

const float TURN = 6.2831853;
"""
    + RANDOM
    + """
vec4 luck;                      // 0 to 1, of this streak
vec3 ahead, across, over;     // unit vectors: that of the flow, and two at a right angle
float speed;
int kind;

// Where a streak is, u from the centre, from its end (0) to its head (1), and how clear.
vec3 streak(float t, out float seen) {
    float turn = TURN * luck.y;
    if (kind == WHIRL) {
        float high = radius * 0.9 * (2.0 * luck.x - 1.0), wide = sqrt(radius * radius - high * high);
        wide *= mix(0.12, 0.95, sqrt(luck.w));
        float angle = turn + time * speed / max(wide, CORE * radius) - min(0.4 * radius / wide, 1.2) * (1.0 - t);
        float life = fract(luck.z + 0.17 * time);
        seen = sin(0.5 * TURN * life);
        return ahead * high + (across * cos(angle) + over * sin(angle)) * wide;
    }
    if (kind == SPRING) {
        float z = 2.0 * luck.x - 1.0, way = fract(luck.z + time * flow.x / radius);
        way = clamp(way - 0.22 * sign(flow.x) * (1.0 - t), 0.0, 1.0);
        seen = smoothstep(0.03, 0.25, way) * (1.0 - smoothstep(0.7, 1.0, way));
        return vec3(sqrt(1.0 - z * z) * vec2(cos(turn), sin(turn)), z) * radius * way;
    }
    float wide = 0.95 * radius * sqrt(luck.x), half_way = sqrt(radius * radius - wide * wide);
    float way = clamp(fract(luck.z + time * speed / (2.0 * half_way)) - 0.2 * (1.0 - t), 0.0, 1.0);
    seen = smoothstep(0.0, 0.25, way) * (1.0 - smoothstep(0.75, 1.0, way));
    float wave = 0.08 * deep * sin(TURN * (2.0 * way + luck.w) - 1.3 * time);
    vec3 aside = across * cos(turn) + over * sin(turn);
    return ahead * half_way * (2.0 * way - 1.0) + aside * wide + over * wave * radius;
}

void main() {
    int number = gl_VertexID / (PIECES * 6), corner = gl_VertexID % 6;
    bool farther = corner == 1 || corner == 3 || corner == 4;
    float t = float(gl_VertexID / 6 % PIECES + (farther ? 1 : 0)) / float(PIECES), seen, ignored;
    side = corner == 2 || corner == 4 || corner == 5 ? 1.0 : -1.0;
    kind = int(kind_colour >> 24u);
    colour = mix(vec3(uvec3(kind_colour >> 16u, kind_colour >> 8u, kind_colour) & 255u) / 255.0, vec3(1.0), 0.5);
    speed = length(flow);
    ahead = speed > 0.0 ? flow / speed : vec3(1.0, 0.0, 0.0);
    across = normalize(cross(ahead, abs(ahead.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    over = cross(ahead, across);
    vec2 seed = vec2(float(number) + 0.5, 977.0 * variety);
    luck = vec4(random(seed), random(seed + 17.3), random(seed + 41.9), random(seed + 73.1));
    vec3 here, along;
    if (number == STREAKS) {  // what a vortex turns about
        here = ahead * radius * (2.0 * t - 1.0);
        along = ahead;
        opacity = kind == WHIRL ? 0.5 * (1.0 - pow(abs(2.0 * t - 1.0), 3.0)) : 0.0;
    } else {
        here = streak(t, seen);
        along = streak(min(t + 0.02, 1.0), ignored) - streak(max(t - 0.02, 0.0), ignored);
        opacity = speed > 0.0 ? seen * t * t * (1.0 - smoothstep(0.8, 1.0, t)) : 0.0;
    }
    offset = mix(begin, end, alpha) + here - focus.xyz;
    vec3 sideways = cross(along, line_of_sight(offset));
    float far = length(sideways), pixels = pixels_per_u(offset);
    if (far > 0.0) offset += sideways / far * side * clamp(0.006 * radius, 1.3 / pixels, 2.6 / pixels);
    gl_Position = in_clip(offset);
}
"""
)
FRAGMENT = (
    """
#version 330
"""
    + AIR
    + """
in vec3 offset;
in vec3 colour;
in float opacity;
in float side;
out vec4 painted;

void main() {
    painted = vec4(hazed(colour, offset), opacity * (1.0 - side * side));
}
"""
)
_WORDS = {"BREEZE": BREEZE, "WHIRL": WHIRL, "SPRING": SPRING, "CORE": 0.15, "STREAKS": STREAKS, "PIECES": PIECES}


def shaders() -> tuple[str, str]:
    """Return the vertex and the fragment shader."""
    return filled(VERTEX, _WORDS), FRAGMENT


class WindDrawing:
    """The shader program and buffer of zones of wind."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context, self._zones = context, Instances(context, SOLID)
        self._program = space_program(context, *shaders())

    def take(self, solids: Solids) -> None:
        """Set the zones, dtype SOLID, to draw among other solids."""
        self._zones.upload(solids[np.isin(solids["kind_colour"] >> np.uint32(24), KINDS)])

    def draw(self, values: dict[str, Any]) -> None:
        """Draw them where nothing solid hides them; `values`: what the shaders ask for, by name."""
        context = self._context
        for name, value in values.items():
            self._program.set_uniform_safe(name, value)
        context.enable_only(context.DEPTH_TEST, context.BLEND)
        context.blend_func = context.BLEND_DEFAULT
        gl.glDepthMask(False)
        self._zones.draw(self._program, context.TRIANGLES, CORNERS)
        gl.glDepthMask(True)
