"""What runs on the graphics card; words in capitals stand for what is put there before."""

from sandbox.app.drawing.glsl import RANDOM

BOIDS_VERTEX = """
#version 330
in vec2 previous;       // u
in vec2 position;       // u
in vec2 heading;        // u/s
in float size;          // u
in uint shape_colour;   // 0xSSRRGGBB

uniform vec2 middle;    // u, of the screen
uniform vec2 scale;     // clip space per u
uniform vec2 torus;     // u: size of a world that repeats, or 0
uniform float alpha;    // from previous to position
uniform vec2 light;     // the way to where light comes from
uniform float smallest; // u: nothing is drawn smaller
uniform int first_shape;
uniform sampler2D shapes;

out vec3 colour;

void main() {
    vec4 corner = texelFetch(shapes, ivec2(gl_VertexID, first_shape + int(shape_colour >> 24u)), 0);
    float speed = length(heading);
    vec2 ahead = speed > 0.0 ? heading / speed : vec2(1.0, 0.0);
    vec2 offset = (ahead * corner.x + vec2(-ahead.y, ahead.x) * corner.y) * max(size, smallest);
    vec2 place = mix(previous, position, alpha);
    if (torus.x > 0.0) place = mod(place, torus);
    place += offset;
    vec3 plain = vec3((shape_colour >> 16u) & 255u, (shape_colour >> 8u) & 255u, shape_colour & 255u) / 255.0;
    colour = plain * corner.z * (0.95 + 0.15 * dot(ahead, light));
    gl_Position = vec4((place - middle) * scale, 0.0, 1.0);
}
"""

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

SKY_FRAGMENT = """
#version 330
in vec2 place;
uniform vec2 world;    // u
uniform float pixel;   // u
uniform bool tiles;    // the world goes on beyond its edges
out vec4 painted;

BACKDROP

const float OUTSIDE = 0.76, FAR_OUTSIDE = 0.6;  // how bright the sky is beyond the edge, and a world's height away
const vec3 BORDER = vec3(0.52, 0.43, 0.55);
const float STARS_APART = 20.0;  // u: a square of the sky holds one at most
const float SEAM = 0.18;  // of the height: where copies meet, their colours go over into each other so far

RANDOM
float spots(vec2 share, vec2 cells) {  // so many cells each way: the pattern repeats with the world
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
        vec2 beyond = max(-here, here - world);    // above 0 outside
        float edge = max(beyond.x, beyond.y), away = smoothstep(0.0, world.y, length(max(beyond, 0.0)));
        float outside = clamp(edge / pixel + 0.5, 0.0, 1.0);
        float border = 1.0 - clamp(abs(edge) / pixel - 0.5, 0.0, 1.0);
        sky = mix(sky * mix(1.0, mix(OUTSIDE, FAR_OUTSIDE, away), outside), BORDER, 0.5 * border);
    }
    painted = vec4(sky, 1.0);
}
""".replace("RANDOM", RANDOM)
