"""GLSL that shaders share; words in capitals are placeholders, replaced before compiling."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sandbox.app.drawing.colours import shares_of

RANDOM = """
float random(vec2 at) {
    vec3 p = fract(at.xyx * 0.1031);
    p += dot(p, p.yzx + 33.33);
    return fract((p.x + p.y) * p.z);
}
"""

EDGES = """
float inside(float distance) {  // coverage of a pixel by the inside of an edge; a pixel is SOFT long
    return clamp(0.5 - distance / SOFT, 0.0, 1.0);
}

vec4 over(vec4 upper, vec4 lower) {
    float sum = upper.a + lower.a * (1.0 - upper.a);
    return vec4(mix(lower.rgb * lower.a, upper.rgb, upper.a) / max(sum, 1e-4), sum);
}
"""
SCREEN_VERTEX = """
#version 330
out vec2 place;  // u

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    place = offset_at(corner) + middle;
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""


def vector_of(colour: str) -> str:
    """Return a colour ("#rrggbb") in GLSL."""
    return "vec3({:.4f}, {:.4f}, {:.4f})".format(*shares_of(colour))


def filled(text: str, words: Mapping[str, object]) -> str:
    """Return a shader with these placeholders replaced."""
    return re.sub(r"\b[A-Z_]{4,}\b", lambda found: str(words.get(found[0], found[0])), text)
