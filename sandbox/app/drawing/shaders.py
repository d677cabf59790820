"""Shaders of the sky, and GLSL that others share; words in capitals are placeholders, replaced before compiling."""

from __future__ import annotations

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
uniform vec2 middle;
uniform vec2 scale;
out vec2 place;  // u

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    place = corner / scale + middle;
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""

SKY_FRAGMENT = """
#version 330
in vec2 place;
uniform vec2 world;    // u
uniform float pixel;   // u
uniform bool tiles;    // a torus, repeated beyond its edges
out vec4 painted;

BACKDROP

const float OUTSIDE = 0.76, FAR_OUTSIDE = 0.6;  // brightness of the sky at the edge, and a world's height beyond it
const vec3 BORDER = vec3(0.52, 0.43, 0.55);
const float STARS_APART = 20.0;  // u: side of a square that contains at most one star
const float SEAM = 0.18;  // share of the height over which the colours of adjacent copies are blended

RANDOM
float spots(vec2 share, vec2 cells) {  // value noise with whole numbers of cells, so that it repeats with the world
    cells = max(round(cells), 1.0);
    vec2 at = share * cells, cell = floor(at), f = at - cell;
    f = f * f * (3.0 - 2.0 * f);
    vec2 low = mod(cell, cells), high = mod(cell + 1.0, cells);
    float lower = mix(random(low), random(vec2(high.x, low.y)), f.x);
    return mix(lower, mix(random(vec2(low.x, high.y)), random(high), f.x), f.y) - 0.5;
}

float star(vec2 at) {
    vec2 cell = floor(at / STARS_APART);
    float luck = random(cell + 7.0);
    if (luck > stars * STARS_APART * STARS_APART * 1e-4) return 0.0;
    vec2 there = (cell + 0.2 + 0.6 * vec2(random(cell + 31.0), random(cell + 57.0))) * STARS_APART;
    float size = max(0.35 + 1.1 * random(cell + 91.0), 0.6 * pixel);
    return (0.25 + 0.6 * random(cell + 13.0)) * clamp((size - length(at - there)) / pixel + 0.5, 0.0, 1.0);
}

vec3 heights(float y) {
    vec3 sky = mix(bottom, low, smoothstep(-0.05, 0.30, y));
    sky = mix(sky, high, smoothstep(0.18, 0.62, y));
    return mix(sky, top, smoothstep(0.50, 1.05, y));
}

void main() {
    vec2 here = tiles ? mod(place, world) : place;
    vec2 share = here / world, sun = share - glow_at;
    vec3 sky = heights(clamp(share.y, 0.0, 1.0));
    if (tiles) {
        float met = 0.5 - 0.5 * smoothstep(0.0, SEAM, min(share.y, 1.0 - share.y));
        sky = mix(sky, heights(1.0 - share.y), met);
        sun -= round(sun);
    }
    sun.x *= world.x / world.y * 0.62;
    sky += (glow - sky) * 0.62 * exp(-dot(sun, sun) * 7.0);
    vec2 cells = world / spot;
    if (mottled > 0.0) sky *= 1.0 + mottled * (spots(share, cells) + 0.5 * spots(share + 0.37, cells * 2.7));
    if (stars > 0.0) sky += star(here);
    if (!tiles) {
        vec2 beyond = max(-here, here - world);    // positive outside
        float edge = max(beyond.x, beyond.y), away = smoothstep(0.0, world.y, length(max(beyond, 0.0)));
        float outside = clamp(edge / pixel + 0.5, 0.0, 1.0);
        float border = 1.0 - clamp(abs(edge) / pixel - 0.5, 0.0, 1.0);
        sky = mix(sky * mix(1.0, mix(OUTSIDE, FAR_OUTSIDE, away), outside), BORDER, 0.5 * border);
    }
    painted = vec4(sky, 1.0);
}
""".replace("RANDOM", RANDOM)
