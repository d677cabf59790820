"""Shaders of the scenery: each form is a tight quad, in which the fragment shader evaluates signed distances.

The numbers of the kinds are those of `systems.view.scenery`.
"""

from sandbox.app.drawing.shaders import EDGES, RANDOM

VERTEX = """
#version 330
in vec2 begin;         // u
in vec2 end;           // u
in float radius;       // u
in vec4 own;
in float variety;
in uint kind_colour;   // 0xKKRRGGBB

uniform vec2 middle;   // u, of the screen
uniform vec2 scale;    // clip space per u
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

const float AROUND[9] = float[9](1.0, 1.0, 1.0, 1.0, 1.05, 1.0, 1.28, 1.0, 1.0);  // extent by kind, in radii
const float LEAST[9] = float[9](0.0, 0.0, 0.0, 0.0, 1.5, 6.5, 1.5, 2.25, 1.5);   // smallest radius by kind, pixels

void main() {
    kind = int(kind_colour >> 24u);
    bool wall = kind >= 7;
    vec2 ahead = end - begin;
    float reach = length(ahead);
    along = wall && reach > 0.0 ? ahead / reach : vec2(1.0, 0.0);
    half_length = wall ? 0.5 * reach : 0.0;
    size = max(radius, LEAST[kind] * pixel);
    if (kind == 8) size = max(radius - min(0.34 * radius, 2.0), LEAST[kind] * pixel);
    float extent = size * AROUND[kind] + 1.5 * pixel;
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    at = corner * vec2(half_length + extent, extent);
    place = mix(begin, end, wall ? 0.5 : alpha) + along * at.x + vec2(-along.y, along.x) * at.y;
    share = own;
    differs = variety;
    colour = vec3((kind_colour >> 16u) & 255u, (kind_colour >> 8u) & 255u, kind_colour & 255u) / 255.0;
    gl_Position = vec4((place - middle) * scale, 0.0, 1.0);
}
"""

FRAGMENT = """
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

uniform float pixel;   // u
uniform vec2 torus;    // u: size of a torus, or 0
uniform float time;    // s, simulated
out vec4 painted;

uniform vec2 light;    // unit vector towards the light
uniform float light_turn;  // its angle from the x axis, in turns
uniform vec3 glow;     // colour of the light

const vec3 NIGHT = vec3(0.035, 0.03, 0.085);
const float TURN = 6.2831853;
vec3 shine;  // colour of lit edges

FUNCTIONS
// Dashes along a lane, bright at the front and fading behind; `flown` and `period` are lengths along it.
float dashes(float way, float flown, float period, float lane) {
    float pace = 0.75 + 0.5 * random(vec2(lane, 3.7 + differs * 91.0));
    float d = fract((way - flown * pace) / period + random(vec2(lane, 9.1 + differs * 57.0)));
    return d * d * (1.0 - smoothstep(0.68, 1.0, d)) * 1.6;
}

vec4 air(float turn) {
    float r = length(at), speed = share.x, turned = 0.5 + turn;
    bool straight = kind == 0 || kind == 3;
    float lane = clamp(size / 9.0, 6.0, 26.0);
    lane *= exp2(ceil(log2(max(1.0, 5.0 * pixel / lane))));
    float period = 7.0 * lane, thin = max(0.09, 0.55 * pixel / lane);  // half a streak's width, in lanes
    float across, way, gusts = 1.0, envelope = 1.0 - smoothstep(1.0 - max(share.z, 0.04), 1.0, r / size);
    if (straight) {
        speed = length(share.xy);
        vec2 ahead = speed > 0.0 ? share.xy / speed : vec2(1.0, 0.0);
        way = dot(at, ahead);
        across = dot(at, vec2(-ahead.y, ahead.x)) / lane;
        float wave = share.w + (kind == 3 ? 0.8 : 0.0);
        across += wave * sin(way / lane * 0.42 - time * 1.3 + across * 0.5);
        if (kind == 3) gusts = 0.35 + 0.85 * smoothstep(-0.3, 0.9, sin(way / size * 3.6 - time * 2.1 + across * 0.12));
    } else if (kind == 1) {
        across = r / lane;
        way = turned * max(1.0, floor((floor(across) + 0.5) * lane * TURN / period)) * period;
    } else {
        float lanes = 4.0 * floor(clamp(size * TURN * 0.125 / lane, 3.0, 12.0));
        across = turned * lanes;
        thin *= lane * lanes / (TURN * max(r, lane));
        way = r;
        envelope *= smoothstep(0.03, 0.3, r / size);
    }
    float number = floor(across), off = across - number - 0.5;
    off += 0.36 * (random(vec2(number, differs * 131.0)) - 0.5);
    if (speed < 0.0) way = -way;
    float streak = exp(-off * off / (thin * thin)) * dashes(way, abs(speed) * time, period, number);
    float rim = inside(abs(r - size + pixel) - 0.5 * pixel);
    float strength = envelope * (0.045 + 0.205 * streak * gusts) + 0.10 * rim;
    return vec4(colour, strength * inside(r - size));
}

float leaves(float turn, float r, float count, float twist) {
    float turned = (turn + 0.5 + twist) * count, leaf = floor(turned);
    float reach = 0.78 + 0.22 * random(vec2(mod(leaf, count), twist * 37.0));
    float s = clamp(r / reach, 0.0, 1.0);
    float half_width = 3.25 / count * s * (1.0 - s * s);
    return max(abs(turned - leaf - 0.5) * TURN / count * r - half_width, r - reach);
}

vec4 plant(float turn) {
    float full = max(size * share.x, 0.2 * pixel), r = length(at);
    float sun = 0.2 * dot(at, light) / max(r, 1e-4);
    vec4 ground = vec4(NIGHT, 0.34 * (1.0 - smoothstep(0.45, 1.05, r / size)));
    vec4 outer = vec4(colour * (0.62 + sun), inside(leaves(turn, r / full, 7.0, differs) * full));
    vec4 inner = vec4(colour * (1.02 + sun), inside(leaves(turn, 1.6 * r / full, 5.0, differs + 0.31) * full / 1.6));
    vec4 heart = vec4(mix(colour, shine, 0.55) * 1.1, inside(r - 0.13 * full));
    vec4 grown = over(heart, over(inner, outer));
    grown.a *= step(1e-3, share.x);
    return over(grown, ground);
}

vec4 ring() {
    float r = length(at) / size;
    float beat = fract(time / 2.6 + differs);
    float width = max(0.055, 0.8 * pixel / size);
    float dot_ = inside((r - 0.17) * size);
    float still = inside((abs(r - 0.62) - width) * size);
    float wave = inside((abs(r - 0.2 - 0.78 * beat) - 0.75 * width) * size) * (1.0 - beat) * smoothstep(0.0, 0.3, beat);
    float glow = 0.22 * exp(-3.5 * r * r) * (1.0 - r);
    return vec4(colour, max(max(dot_ * 0.95, still * 0.7), max(wave * 0.55, glow)));
}

// Brightness of the faces of a boulder: sides by their direction, and the flat top.
float facets(float turn, float r) {
    float sides = 6.0 + floor(3.0 * differs);
    turn = (turn + 0.02 * sin(TURN * (2.0 * turn + 7.0 * differs)) + 3.0 * differs) * sides;
    float side = floor(turn), f = turn - side, soft = max(pixel / size * sides / (TURN * max(r, 0.1)), 0.02);
    vec2 two = side + vec2(0.0, 1.0);
    vec2 tone = 0.715 + 0.30 * cos(((two + 0.5) / sides - 3.0 * differs - light_turn) * TURN);
    float row = differs * 53.0;
    tone += 0.13 * vec2(random(vec2(mod(two.x, sides), row)), random(vec2(mod(two.y, sides), row)));
    float lit = mix(tone.x, tone.y, smoothstep(1.0 - soft, 1.0, f));
    float brink = r * cos((f - 0.5) * TURN / sides) - 0.44 - 0.16 * fract(differs * 7.0);
    return mix(0.98, lit, smoothstep(-1.0, 1.0, brink * size / pixel));
}

vec4 rock(float turn) {
    vec2 q = at / size;
    float r = length(q);
    float sun = dot(q, light);
    vec3 stone = colour * (facets(turn, r) + 0.10 * sun);
    float width = max(0.035, 1.2 * pixel / size);
    float rim = smoothstep(1.0 - 2.0 * width, 1.0 - 0.5 * width, r);
    stone = mix(stone, mix(colour * 0.42, mix(colour, shine, 0.62) * 1.05, smoothstep(-0.25, 0.75, sun)), rim * 0.85);
    float shade = 1.0 - smoothstep(0.72, 1.16, length(q + light * 0.12));
    return over(vec4(stone, inside((r - 1.0) * size)), vec4(NIGHT, 0.55 * shade));
}

// Layers of lobes, upper ones smaller and lighter: the crown of a tree from above, or the fingers of a coral.
vec4 lobed(float turn) {
    float r = length(at) / size, sun = dot(at, light) / size;
    float shade = 1.0 - smoothstep(0.7, 1.2, length(at / size + light * 0.14));
    vec4 grown = vec4(NIGHT, 0.5 * shade);
    for (int layer = 0; layer < 4; layer++) {
        float high = float(layer) / 3.0, reach = 1.0 - 0.78 * high;
        float lobe = abs(cos(0.5 * TURN * (turn * (7.0 + floor(4.0 * differs) - float(layer)) + differs * 9.0 + high)));
        float edge = reach * (share.x > 1.5 ? 0.86 + 0.14 * lobe : 0.62 + 0.38 * lobe);
        vec3 lit = colour * (0.62 + 0.38 * high + 0.22 * sun / reach);
        if (share.x < 1.5) lit = mix(lit, shine, 0.45 * high * smoothstep(0.5, 1.0, r / edge));
        grown = over(vec4(lit, inside((r - edge) * size)), grown);
    }
    return grown;
}

vec4 wall() {
    vec2 off = vec2(max(abs(at.x) - half_length, 0.0) * sign(at.x), at.y);
    float distance = length(off) - size;
    if (kind == 8) return vec4(mix(colour, shine, 0.3), inside(distance));  // lighter than any backdrop
    vec2 outward = normalize(off + vec2(0.0, 1e-6));
    float sun = dot(along * outward.x + vec2(-along.y, along.x) * outward.y, light);
    return vec4(mix(colour * 0.36, mix(colour, shine, 0.6) * 1.1, smoothstep(-0.5, 0.8, sun)), inside(distance));
}

void main() {
    shine = mix(glow / max(glow.r, max(glow.g, glow.b)), vec3(1.0), 0.45);
    float turn = atan(at.y, at.x) / TURN;  // once for all kinds: software renderers execute every branch
    if (kind < 4) painted = air(turn);
    else if (kind == 4) painted = plant(turn);
    else if (kind == 5) painted = ring();
    else if (kind == 6) painted = share.x > 0.5 ? lobed(turn) : rock(turn);
    else painted = wall();
    if (torus.x > 0.0) {
        vec2 beyond = max(-place, place - torus);
        painted.a *= inside(max(beyond.x, beyond.y));
    }
}
""".replace("FUNCTIONS", f"#define SOFT pixel{RANDOM}{EDGES}")
