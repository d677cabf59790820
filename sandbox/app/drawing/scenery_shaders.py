"""Shaders of the scenery: each form is a tight quad, in which the fragment shader evaluates signed distances.

Things of one sort are drawn by one program, so that software renderers, which execute every branch, execute only what
they need. How a sort of things looks depends on the backdrop: see `wall_shaders`, `rock_shaders` and `food_shaders`.
The numbers of the kinds are those of `sandbox.render.scenery`.
"""

from __future__ import annotations

from functools import cache

from sandbox.app.drawing import food_shaders, rock_shaders, wall_shaders, wind_shaders
from sandbox.app.drawing.backdrops import Kind
from sandbox.app.drawing.shaders import EDGES, RANDOM, vector_of

SORTS = {"wind": range(4), "food": range(4, 5), "goal": range(5, 6), "rock": range(6, 7), "wall": range(7, 9)}
"""The kinds of each sort of things."""

VERTEX = """
#version 330
in vec2 begin;         // u
in vec2 end;           // u
in float radius;       // u
in vec4 own;
in float variety;
in uint kind_colour;   // 0xKKRRGGBB

uniform float pixel;   // u
uniform float alpha;   // position of round forms between begin and end

out vec2 place;        // u, in the world
out vec2 at;           // u, from the middle of the form; for a wall, along and across it
flat out float half_length;  // u, of a wall
flat out vec2 along;   // unit vector along a wall
flat out float size;   // u
flat out vec4 share;
flat out float differs;
flat out int kind;
flat out vec3 colour;
flat out float begins;  // differs from wall to wall

const float AROUND[9] = float[9](1.0, 1.0, 1.0, 1.0, 1.25, 1.0, 1.40, SHADE, 1.25);  // extent by kind, in radii
const float LEAST[9] = float[9](0.0, 0.0, 0.0, 0.0, 1.5, 6.5, 1.5, 2.25, 1.5);   // smallest radius by kind, pixels

// The usual colour of a kind of thing, and what things on this backdrop have instead.
const vec3 USUAL = USUAL_COLOUR, OWN = OWN_COLOUR;

void main() {
    kind = int(kind_colour >> 24u);
    bool wall = kind >= 7;
    vec2 ahead = end - begin;
    float wall_length = length(ahead);
    along = wall && wall_length > 0.0 ? ahead / wall_length : vec2(1.0, 0.0);
    half_length = wall ? 0.5 * wall_length : 0.0;
    size = max(radius, LEAST[kind] * pixel);
    if (kind == 8) size = max(radius - min(0.34 * radius, 2.0), LEAST[kind] * pixel);
    float extent = size * AROUND[kind] + 1.5 * pixel;
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    at = corner * vec2(half_length + extent, extent);
    place = mix(begin, end, wall ? 0.5 : alpha) + along * at.x + vec2(-along.y, along.x) * at.y;
    share = own;
    differs = variety;
    colour = vec3((kind_colour >> 16u) & 255u, (kind_colour >> 8u) & 255u, kind_colour & 255u) / 255.0;
    if (all(lessThan(abs(colour - USUAL), vec3(0.002)))) colour = OWN;
    begins = floor(mod(begin.x * 7.0 + begin.y * 13.0, 997.0));
    gl_Position = in_clip(place - middle);
}
"""

BEGIN = """
#version 330
in vec2 place;
in vec2 at;
flat in float half_length;
flat in vec2 along;
flat in float size;
flat in vec4 share;
flat in float differs;
flat in int kind;
flat in vec3 colour;
flat in float begins;

uniform float pixel;   // u
uniform vec4 own_pixels;  // of the framebuffer, that this copy of a torus may draw: from x, y to x, y
uniform float time;    // s, simulated
uniform vec2 light;    // unit vector towards the light
uniform float light_turn;  // its angle from the x axis, in turns
uniform vec3 glow;     // colour of the light
out vec4 painted;

const vec3 NIGHT = vec3(0.035, 0.03, 0.085);
const float TURN = 6.2831853;
vec3 shine;  // colour of lit edges
#define SOFT pixel
RANDOM
EDGES
// Value noise, 0 to 1.
ROUGH
"""

END = """
void main() {
    if (any(lessThan(gl_FragCoord.xy, own_pixels.xy)) || any(greaterThan(gl_FragCoord.xy, own_pixels.zw))) discard;
    shine = mix(glow / max(glow.r, max(glow.g, glow.b)), vec3(1.0), 0.45);
    painted = thing();
}
"""


ROUGH = """
float rough(vec2 at) {
    vec2 cell = floor(at), f = at - cell;
    f = f * f * (3.0 - 2.0 * f);
    float below = mix(random(cell), random(cell + vec2(1.0, 0.0)), f.x);
    return mix(below, mix(random(cell + vec2(0.0, 1.0)), random(cell + 1.0), f.x), f.y);
}
"""
SMOOTH = "float rough(vec2 at) { return 0.5; }"  # its mean: noise takes most of the time of software renderers


@cache
def shaders_of(sort: str, kind: Kind, rich: bool) -> tuple[str, str]:
    """Return the vertex and the fragment shader of a sort of things on a kind of backdrop; `rich`: with noise."""
    usual, own, shade, thing = "#000000", "#000000", 1.0, wind_shaders.WIND
    if sort == "food":
        thing = food_shaders.of(kind)
    elif sort == "goal":
        thing = food_shaders.GOAL
    elif sort == "rock":
        usual, own, thing = rock_shaders.of(kind)
    elif sort == "wall":
        usual, own, shade, thing = wall_shaders.of(kind)
    vertex = VERTEX.replace("USUAL_COLOUR", vector_of(usual)).replace("OWN_COLOUR", vector_of(own))
    begin = BEGIN.replace("RANDOM", RANDOM).replace("EDGES", EDGES).replace("ROUGH", ROUGH if rich else SMOOTH)
    return vertex.replace("SHADE", f"{shade:.2f}"), begin + thing + END
