"""Shaders of the animals: of stiff ones, of those whose limbs move, of soft spots far away, and of shadows.

Colours are multiplied by their opacity.

Software renderers execute every branch that depends on a uniform, so these are variants, chosen when compiling.
"""

from __future__ import annotations

from functools import cache

from sandbox.app.drawing.buffers import WIDTH
from sandbox.app.drawing.designs import FLAME, KIND, ROLL, STRIDE, SWAY, WING
from sandbox.app.drawing.look_shapes import VERTICES
from sandbox.app.drawing.shaders import filled
from sandbox.render import seen

FAINTEST = 0.35  # opacity of the smallest animals far away: one alone can still be seen
DENSEST = 0.6  # opacity of the middle of a soft spot
SPOT = 3.2, 1.8  # half length and half width of a soft spot, in shortest half lengths drawn
PERIOD = 64.0  # s: after which the movement of limbs starts again: all frequencies are multiples of 1 / PERIOD

VERTEX = """
#version 330
VARIANT
in uvec2 place_pose;    // u from the middle of the region; the last POSE bits of each hold the pose
in uint came;           // two float16, u: offset to the place of a tick ago
in uint look_code;      // index of its look; from bit CODE on, the colour's code: 0 for its own

uniform vec2 region_offset;  // u, from the middle of the screen to that of the region of collected animals
uniform vec2 torus;     // u: size of a torus that is drawn once, or 0
uniform float alpha;    // position of the frame between the previous tick and the current one
uniform vec2 light;     // unit vector towards the light
uniform float smallest; // u: the shortest half length drawn
uniform float ink;      // factor of the opacity of those that are smaller
uniform float shade;    // opacity of a layer of shadows on the ground
uniform float blur;     // 0 for a layer as small as the core of a shadow, 1 for one as large as its edge
uniform float time;     // s
uniform float rate;     // ticks per s
uniform int first_shape;
uniform sampler2D shapes;
uniform usampler2D looks; // half length (u), and 0xSSRRGGBB
uniform usampler2D ramp;  // 0xRRGGBB, by code less 2

out vec4 colour;
#ifdef SOFT
out vec2 spot;          // from the middle of a soft spot, whose edge is at 1
#endif

const float TAU = 6.2831853;

vec2 turned(uint heading) {
    float y = (float(heading & 0x3FFu) - HALF_CIRCLE) / HALF_CIRCLE, x = 1.0 - abs(y);
    return normalize(vec2((heading & 0x400u) != 0u ? -x : x, y));
}

float float16(uint bits) {
    float magnitude = uintBitsToFloat((bits & 0x7FFFu) << 13u) * 5.192296858534828e33;  // 2^112
    return (bits & 0x8000u) != 0u ? -magnitude : magnitude;
}

uvec3 channels(uint colour) {
    return uvec3(colour >> 16u, colour >> 8u, colour) & 255u;
}

uvec3 coloured(uint own, uint code) {
    uvec3 plain = channels(own);
#ifdef TINTED
    if (code > 1u) return channels(texelFetch(ramp, ivec2(code - 2u, 0), 0).r);
    uint grey = 3u * ((77u * plain.r + 150u * plain.g + 29u * plain.b) >> 8u);
    if (code == 1u) return (plain + grey) / 5u;
#endif
    return plain;
}

#ifdef ALIVE
float swing(float per_s, float share) {  // a sine, whose frequency fits into PERIOD
    return sin(TAU * fract(time * round(per_s * PERIOD) / PERIOD + share));
}

// Moves a corner. `rhythm`: 0 to 1; `bank`: -1 to 1, to the left; `from_left`: light from there; `pace`: half lengths
// per s. Returns its place, and the change of its tone. All kinds of motion share one sine, which is faster.
vec3 alive(vec4 corner, float rhythm, float bank, float from_left, float pace, float size) {
    int kind = int(corner.w / KIND + 0.5);
    float weight = corner.w - float(kind) * KIND, side = sign(corner.y), differs = 0.88 + 0.24 * fract(rhythm * 7.0);
    vec2 at = corner.xy;
    vec3 per_s = kind == STRIDE ? vec3(14.0, 1.25, 2.6) : kind == SWAY ? vec3(20.0, 1.1, 3.6) : vec3(34.0, 2.4, 6.5);
    if (kind == FLAME) per_s = vec3(9.0);
    float beat = swing(clamp(per_s.x / size, per_s.y, per_s.z) * differs, kind == SWAY ? rhythm + 0.34 * at.x : rhythm);
    if (kind == STRIDE) {
        at.x += weight * (pace / (pace + 1.2) * beat - 1.0);
    } else if (kind == SWAY) {
        at.y += weight * (0.4 + 0.6 * pace / (pace + 4.0)) * beat + 0.2 * bank * at.x * at.x;
    } else if (kind == FLAME) {
        at.x += weight * (pace / (pace + 4.0) * (0.75 + 0.25 * beat) - 1.0);
    }
    if (kind != WING && kind != ROLL) return vec3(at, 0.0);
    float flaps = smoothstep(-0.5, 0.2, swing(0.34 * differs, rhythm * 5.0)) * (1.0 - 0.7 * abs(bank));
    if (kind == ROLL) flaps = 0.0;
    float angle = 0.14 + flaps * (0.3 + 0.75 * beat) - side * 1.15 * bank;
    at -= weight * vec2(0.3 * flaps * max(beat, 0.0), side * (1.0 - cos(angle)));
    return vec3(at, -0.34 * side * sin(angle) * from_left);
}
#endif

void main() {
    uint number = look_code & ((1u << CODE) - 1u);
    uvec2 look = texelFetch(looks, ivec2(number % WIDTH, number / WIDTH), 0).rg;
#ifdef SOFT
    float side = float(gl_VertexID == 1) - float(gl_VertexID == 2);
    spot = vec2(gl_VertexID == 0 ? 2.0 : -1.0, 1.7320508 * side);  // corners of a triangle around a circle
    vec4 corner = vec4(spot * vec2(SPOT_LONG, SPOT_WIDE), 1.0, 0.0);
#else
    int shape = first_shape + int(look.y >> 24u);
    vec4 corner = texelFetch(shapes, ivec2(gl_VertexID, shape), 0);
#endif
    uint pose = (place_pose.x & ((1u << POSE) - 1u)) << POSE | (place_pose.y & ((1u << POSE) - 1u));
    vec2 ahead = turned(pose), left = vec2(-ahead.y, ahead.x);
    float own = uintBitsToFloat(look.x), size = max(own, smallest), tone = corner.z;
    vec2 before = vec2(float16(came), float16(came >> 16u));
    vec2 lights = vec2(dot(ahead, light), dot(left, light));
#ifdef ALIVE
    float bank = (float(pose >> BANK & 31u) - LEVEL) / ROLLED;
    float rhythm = float(pose >> BEAT | look_code >> RHYTHM << BEATS) / 32.0;
    vec3 moved = alive(corner, rhythm, bank, lights.y, length(before) * rate / own, own);
    corner.xy = moved.xy;
    tone *= 1.0 + moved.z;
#endif
    vec2 place = uintBitsToFloat(place_pose & ~((1u << POSE) - 1u)) + before * (1.0 - alpha) + region_offset;
    if (torus.x > 0.0) place -= torus * floor((place + middle) / torus);
#ifdef FAR
    float opacity = ink * max(sqrt(min(own / smallest, 1.0)), FAINTEST);
#else
    float opacity = 1.0;
#endif
    vec2 offset = (ahead * corner.x + left * corner.y) * size;
#ifdef SHADOW
    float height = texelFetch(shapes, ivec2(VERTICES, shape), 0).x, soft = 0.10 + 0.05 * height;
    offset = offset * (1.0 + soft * (2.0 * blur - 1.0)) - light * height * size;
    opacity = shade / (1.0 + 0.3 * height);
    colour = vec4(opacity * vec3(0.0, 0.01, 0.03), opacity);
#else
    vec3 plain = vec3(coloured(look.y, look_code >> CODE & 511u)) / 255.0 * (0.95 + 0.15 * lights.x);
    colour = vec4(opacity * mix(plain * min(tone, 1.0), vec3(1.0), max(tone - 1.0, 0.0)), opacity);
#endif
    gl_Position = in_clip(place + offset);
}
"""

FRAGMENT = """
#version 330
VARIANT
in vec4 colour;
#ifdef SOFT
in vec2 spot;
#endif
out vec4 painted;

void main() {
#ifdef SOFT
    float left = max(1.0 - dot(spot, spot), 0.0);
    painted = colour * DENSEST * left * left;
#else
    painted = colour;
#endif
}
"""
_WORDS = {
    **{name: f"{getattr(seen, name)}u" for name in ("POSE", "BANK", "BEATS", "BEAT", "CODE", "RHYTHM")},
    **{"STRIDE": STRIDE, "SWAY": SWAY, "WING": WING, "ROLL": ROLL, "FLAME": FLAME, "KIND": f"{KIND:.1f}"},
    **{"HALF_CIRCLE": f"{seen.HALF_CIRCLE}.0", "LEVEL": f"{seen.ROLL + 1}.0", "ROLLED": f"{seen.ROLL}.0"},
    **{"WIDTH": f"{WIDTH}u", "VERTICES": VERTICES, "PERIOD": f"{PERIOD:.1f}"},
    **{"FAINTEST": FAINTEST, "DENSEST": DENSEST, "SPOT_LONG": SPOT[0], "SPOT_WIDE": SPOT[1]},
}


@cache
def variant(*names: str) -> tuple[str, str]:
    """Return a vertex and a fragment shader.

    Args:
        names: some of TINTED (they are coloured by a quantity), ALIVE (limbs move), SHADOW (it draws the shadows), FAR
            (animals smaller than the shortest length drawn are translucent) and, with FAR, SOFT (they are soft spots).
    """
    words = {"VARIANT": "\n".join(f"#define {name}" for name in names), **_WORDS}
    return filled(VERTEX, words), filled(FRAGMENT, words)
