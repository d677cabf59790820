"""Shaders of the animals, and what shaders share; words in capitals are placeholders, replaced before compiling."""

from __future__ import annotations

from sandbox.app.drawing.buffers import WIDTH
from systems.view.packed import HALF_CIRCLE
from systems.view.seen import CODE

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
BOIDS_VERTEX = (
    """
#version 330
in uvec2 place_heading; // u from the middle of the screen; the last 8 bits of each hold the heading
in uint came;           // two float16, u: offset to the place of a tick ago
in uint look_code;      // index of its look; from bit CODE on, the colour's code: 0 for its own

uniform vec2 middle;    // u, of the screen
uniform vec2 scale;     // clip space per u
uniform vec2 torus;     // u: size of a torus that is drawn once, or 0
uniform float alpha;    // position of the frame between the previous tick and the current one
uniform vec2 light;     // unit vector towards the light
uniform float smallest; // u: the shortest half length drawn
uniform int first_shape;
uniform sampler2D shapes;
uniform usampler2D looks; // half length (u), and 0xSSRRGGBB
uniform usampler2D ramp;  // 0xRRGGBB, by code less 2

out vec3 colour;

vec2 turned(uint heading) {
    float y = (float(heading & 0x7FFFu) - HALF_CIRCLE) / HALF_CIRCLE, x = 1.0 - abs(y);
    return normalize(vec2((heading & 0x8000u) != 0u ? -x : x, y));
}

float float16(uint bits) {
    float magnitude = uintBitsToFloat((bits & 0x7FFFu) << 13u) * 5.192296858534828e33;  // 2^112
    return (bits & 0x8000u) != 0u ? -magnitude : magnitude;
}

uvec3 channels(uint colour) {
    return uvec3(colour >> 16u, colour >> 8u, colour) & 255u;
}

uvec3 coloured(uint own, uint code) {
    if (code > 1u) return channels(texelFetch(ramp, ivec2(code - 2u, 0), 0).r);
    uvec3 plain = channels(own);
    if (code == 0u) return plain;
    uint grey = 3u * ((77u * plain.r + 150u * plain.g + 29u * plain.b) >> 8u);
    return (plain + grey) / 5u;
}

void main() {
    uint number = look_code & ((1u << CODE) - 1u);
    uvec2 look = texelFetch(looks, ivec2(number % WIDTH, number / WIDTH), 0).rg;
    vec4 corner = texelFetch(shapes, ivec2(gl_VertexID, first_shape + int(look.y >> 24u)), 0);
    vec2 ahead = turned((place_heading.x & 255u) << 8u | (place_heading.y & 255u));
    vec2 offset = (ahead * corner.x + vec2(-ahead.y, ahead.x) * corner.y) * max(uintBitsToFloat(look.x), smallest);
    vec2 before = vec2(float16(came), float16(came >> 16u));
    vec2 place = uintBitsToFloat(place_heading & ~255u) + before * (1.0 - alpha);
    if (torus.x > 0.0) place -= torus * floor((place + middle) / torus);
    vec3 own = vec3(coloured(look.y, look_code >> CODE)) / 255.0 * (0.95 + 0.15 * dot(ahead, light));
    colour = mix(own * min(corner.z, 1.0), vec3(1.0), max(corner.z - 1.0, 0.0));
    gl_Position = vec4((place + offset) * scale, 0.0, 1.0);
}
""".replace("CODE", f"{CODE}u")
    .replace("HALF_CIRCLE", f"{HALF_CIRCLE}.0")
    .replace("WIDTH", f"{WIDTH}u")
)

BOIDS_FRAGMENT = """
#version 330
in vec3 colour;
out vec4 painted;

void main() {
    painted = vec4(colour, 1.0);
}
"""

SCREEN_VERTEX = """
#version 330
uniform vec2 middle;
uniform vec2 scale;
out vec2 place;  // u

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    place = corner / scale + middle;
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""
