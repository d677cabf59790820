"""Shaders of animals in a world with depth: near ones are small lit solids that bank and move, far ones are spots."""

from __future__ import annotations

import re
from functools import cache

from sandbox.app.drawing.animal_shaders import PERIOD
from sandbox.app.drawing.buffers import WIDTH
from sandbox.app.drawing.designs import FLAME, KIND, ROLL, STRIDE, SWAY, WING
from sandbox.app.drawing.space.air import AIR
from sandbox.app.drawing.space.camera import NEARBY, SHRINKS
from sandbox.render.seen import CODE

COMMON = """
#version 330
VARIANT
in vec3 place;          // u, from the focus
in vec3 way;            // unit vector
in vec3 came;           // u, to the place of a tick ago
in vec2 bank;           // how far it banks, -1 to 1, to its right; and its rhythm, 0 to 1
in uint look_code;      // index of its look; from bit CODE on, the colour's code: 0 for its own

uniform float alpha;    // position of the frame between the previous tick and the current one
uniform vec3 torus;     // u: size of a torus, or 0
uniform float smallest; // pixels: the shortest half length drawn
uniform usampler2D looks; // half length (u), and 0xSSRRGGBB
uniform usampler2D ramp;  // 0xRRGGBB, by code less 2

uvec3 channels(uint colour) {
    return uvec3(colour >> 16u, colour >> 8u, colour) & 255u;
}

vec3 coloured(uint own, uint code) {
    uvec3 plain = channels(own);
    if (code > 1u) plain = channels(texelFetch(ramp, ivec2(code - 2u, 0), 0).r);
    if (code == 1u) plain = (plain + 3u * ((77u * plain.r + 150u * plain.g + 29u * plain.b) >> 8u)) / 5u;
    return vec3(plain) / 255.0;
}

uvec2 look() {
    uint number = look_code & ((1u << CODE) - 1u);
    return texelFetch(looks, ivec2(number % WIDTH, number / WIDTH), 0).rg;
}

vec3 here() {
    vec3 found = place + came * (1.0 - alpha);
    if (torus.x > 0.0) found -= torus * floor((found + focus.xyz) / torus);
    return found;
}
"""

MESH = (
    COMMON
    + """
uniform float time;       // s
uniform float rate;       // ticks per s
uniform sampler2D meshes; // two texels a corner
uniform float shade;      // opacity of a shadow
uniform float floor_at;   // u, from the focus, along the way up: where shadows fall

out vec3 offset;
out vec3 colour;
out float opacity;

const float TAU = 6.2831853;

float swing(float per_s, float share) {  // a sine, whose frequency fits into PERIOD
    return sin(TAU * fract(time * round(per_s * PERIOD) / PERIOD + share));
}

vec3 alive(vec3 at, float motion, float size) {
    int kind = int(motion / KIND + 0.5);
    if (kind == 0) return at;
    float weight = motion - float(kind) * KIND, differs = 0.88 + 0.24 * fract(bank.y * 7.0);
    float pace = length(came) * rate / size, side = sign(at.y);
    vec3 per_s = kind == STRIDE ? vec3(14.0, 1.25, 2.6) : kind == SWAY ? vec3(20.0, 1.1, 3.6) : vec3(34.0, 2.4, 6.5);
    if (kind == FLAME) per_s = vec3(9.0);
    float beat = swing(clamp(per_s.x / size, per_s.y, per_s.z) * differs, kind == SWAY ? bank.y + 0.34 * at.x : bank.y);
    if (kind == STRIDE) {
        at.x += weight * (pace / (pace + 1.2) * beat - 1.0);
    } else if (kind == SWAY) {
        at.y += weight * (0.4 + 0.6 * pace / (pace + 4.0)) * beat;
    } else if (kind == FLAME) {
        at.x += weight * (pace / (pace + 4.0) * (0.75 + 0.25 * beat) - 1.0);
    } else if (kind == WING) {
        float flaps = smoothstep(-0.5, 0.2, swing(0.34 * differs, bank.y * 5.0)) * (1.0 - 0.6 * abs(bank.x));
        float angle = 0.12 + flaps * (0.25 + 0.62 * beat);
        at.y -= side * weight * (1.0 - cos(angle));
        at.z += weight * sin(angle);
    }
    return at;
}

float shrunk(vec3 middle, float size) {  // so that what is right before the eye does not hide all else
    float far = length(middle - eye.xyz), nearby = min(focus.w, NEARBY * size);
    return far < nearby ? size * pow(far / nearby, SHRINKS) : size;
}

void main() {
    uvec2 own = look();
    int shape = int(own.y >> 24u);
    vec4 corner = texelFetch(meshes, ivec2(2 * gl_VertexID, shape), 0);
    float motion = texelFetch(meshes, ivec2(2 * gl_VertexID + 1, shape), 0).x, size = uintBitsToFloat(own.x);
    vec3 middle = here();
    size = max(size, smallest / pixels_per_u(middle));
    size = shrunk(middle, size);
    vec3 at = alive(corner.xyz, motion, uintBitsToFloat(own.x));
    vec3 side = cross(above.xyz, way);  // to its left
    side = dot(side, side) > 1e-6 ? normalize(side) : right.xyz;
    vec3 up = cross(way, side);
    float roll = 1.1 * bank.x;
    vec3 left = side * cos(roll) + up * sin(roll), top = up * cos(roll) - side * sin(roll);
    offset = middle + (way * at.x + left * at.y + top * at.z) * size;
    float tone = corner.w;
    vec3 plain = coloured(own.y, look_code >> CODE & 511u);
    colour = mix(plain * min(tone, 1.0), vec3(1.0), max(tone - 1.0, 0.0));
    opacity = 1.0;
#ifdef SHADOW
    float high = dot(offset, above.xyz) - floor_at;
    offset -= above.xyz * high;
    opacity = shade / (1.0 + 0.02 * max(high, 0.0) / size);
#endif
    gl_Position = in_clip(offset);
}
"""
)

MESH_FRAGMENT = (
    """
#version 330
"""
    + AIR
    + """
in vec3 offset;
in vec3 colour;
in float opacity;
out vec4 painted;
VARIANT

void main() {
#ifdef SHADOW
    painted = vec4(0.0, 0.01, 0.03, opacity * exp(-thickness * length(offset - eye.xyz)));
#else
    vec3 normal = normalize(cross(dFdx(offset), dFdy(offset)));
    if (dot(normal, line_of_sight(offset)) > 0.0) normal = -normal;
    painted = vec4(hazed(lit(colour, normal), offset), 1.0);
#endif
}
"""
)

SPOT = (
    COMMON
    + """
out vec3 offset;
out vec3 colour;
out float opacity;

void main() {
    uvec2 own = look();
    offset = here();
    float size = uintBitsToFloat(own.x), scale = pixels_per_u(offset), drawn = max(size, smallest / scale);
    vec3 sight = line_of_sight(offset), along = way - sight * dot(way, sight);
    float seen = length(along);
    along = seen > 1e-3 ? along / seen : right.xyz;
    vec3 beside = cross(sight, along);
    float ahead = gl_VertexID == 0 ? mix(0.5, 1.0, seen) : -0.6;
    float across = float(gl_VertexID == 1) - float(gl_VertexID == 2);
    colour = coloured(own.y, look_code >> CODE & 511u);
    opacity = clamp(size / drawn, FAINTEST, 1.0);
    offset += (along * ahead + beside * across * 0.55) * drawn;
    gl_Position = in_clip(offset);
}
"""
)

SPOT_FRAGMENT = (
    """
#version 330
"""
    + AIR
    + """
in vec3 offset;
in vec3 colour;
in float opacity;
out vec4 painted;

void main() {
    painted = vec4(hazed(lit(colour, normalize(above.xyz - line_of_sight(offset))), offset), opacity);
}
"""
)
_WORDS = {
    **{
        "CODE": f"{CODE}u",
        "WIDTH": f"{WIDTH}u",
        "PERIOD": f"{PERIOD:.1f}",
        "KIND": f"{KIND:.1f}",
        "FAINTEST": 0.35,
        "NEARBY": NEARBY,
        "SHRINKS": SHRINKS,
    },
    **{"STRIDE": STRIDE, "SWAY": SWAY, "WING": WING, "ROLL": ROLL, "FLAME": FLAME},
}


@cache
def variant(kind: str, *names: str) -> tuple[str, str]:
    """Return a vertex and a fragment shader of "mesh" or "spot"; `names`: SHADOW, of a mesh."""
    words = {"VARIANT": "\n".join(f"#define {name}" for name in names), **_WORDS}
    sources = (MESH, MESH_FRAGMENT) if kind == "mesh" else (SPOT, SPOT_FRAGMENT)
    vertex, fragment = (
        re.sub(r"\b[A-Z_]{4,}\b", lambda found: str(words.get(found[0], found[0])), text) for text in sources
    )
    return vertex, fragment
