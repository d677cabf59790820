"""The fragment shader's sources that draw food by backdrop (plants, tufts of grass, seeds, plankton), and goals."""

from __future__ import annotations

from sandbox.app.drawing.backdrops import DRY, EARTH, GRASS, PAVED, ROCK, SPACE, WATER, Kind

PLANT = """
float leaves(float turn, float r, float count, float twist) {
    float turned = (turn + 0.5 + twist) * count, leaf = floor(turned);
    float leaf_length = 0.78 + 0.22 * random(vec2(mod(leaf, count), twist * 37.0));
    float s = clamp(r / leaf_length, 0.0, 1.0);
    float half_width = 3.25 / count * s * (1.0 - s * s);
    return max(abs(turned - leaf - 0.5) * TURN / count * r - half_width, r - leaf_length);
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

vec4 thing() {
    return plant(atan(at.y, at.x) / TURN);
}
"""

TUFT = """
// A tuft from above: many blades that bend away from the middle, lighter towards their tips.
vec4 thing() {
    float full = max(size * share.x, 0.2 * pixel), r = length(at) / full, sun = dot(at, light) / full;
    float around = atan(at.y, at.x) / TURN + 0.5;
    vec4 grown = vec4(NIGHT, 0.30 * (1.0 - smoothstep(0.35, 1.15, length(at + light * 0.18 * size) / size)));
    for (int layer = 0; layer < 3; layer++) {
        float count = 13.0 - 3.0 * float(layer), blade_length = 1.0 - 0.27 * float(layer);
        float turned = (around + 0.05 * r * (differs - 0.5) + 0.37 * float(layer)) * count + 9.0 * differs;
        float blade = mod(floor(turned), count), off = (fract(turned) - 0.5) * TURN / count * r;
        float tip = blade_length * (0.55 + 0.45 * random(vec2(blade, differs * 37.0 + float(layer))));
        float wide = 1.7 / count * clamp(1.0 - r / tip, 0.0, 1.0) + 0.02;
        vec3 lit = colour * (0.50 + 0.22 * float(layer) + 0.38 * r / tip + 0.18 * sun);
        grown = over(vec4(lit, inside(max(abs(off) - wide, r - tip) * full) * step(1e-3, share.x)), grown);
    }
    return grown;
}
"""

GRAINS = """
// A handful of grains on the ground; as they are eaten, fewer are left.
vec4 thing() {
    vec2 cell_at = at / size * 4.0;
    float fall = 0.0;
    vec4 heap = vec4(NIGHT, 0.22 * share.x * (1.0 - smoothstep(0.2, 1.0, length(at) / size)));
    for (int n = 0; n < 4; n++) {
        vec2 cell = floor(cell_at - 0.5) + vec2(n & 1, n >> 1), name = cell + differs * 191.0;
        vec2 there = cell + 0.5 + 0.7 * (vec2(random(name), random(name + 17.0)) - 0.5);
        if (length(there) > 4.0 * share.x * (0.72 + 0.25 * random(name + 5.0))) continue;
        float turned = TURN * random(name + 29.0);
        vec2 off = cell_at - there, lies = vec2(cos(turned), sin(turned));
        float grain = length(vec2(dot(off, lies) * 0.62, dot(off, vec2(-lies.y, lies.x)))) - 0.30;
        vec3 lit = colour * (0.72 + 0.35 * random(name + 43.0)) + shine * 0.35 * clamp(dot(off, light), 0.0, 1.0);
        heap = over(vec4(lit, inside(grain * size / 4.0)), heap);
    }
    return heap;
}
"""

PLANKTON = """
// A cloud of glowing specks that slowly turn about each other.
vec4 thing() {
    float full = size * share.x, light_ = 0.0;
    for (int n = 0; n < 9; n++) {
        float luck = random(vec2(float(n), differs * 61.0)), other = random(vec2(float(n) + 20.0, differs * 61.0));
        float turned = TURN * luck + time * (0.25 + 0.4 * other) * (other > 0.5 ? 1.0 : -1.0);
        vec2 off = at / max(full, pixel) - (0.18 + 0.66 * other) * vec2(cos(turned), sin(turned) * (0.6 + 0.4 * luck));
        float wide = 0.07 + 0.08 * luck;
        light_ += exp(-dot(off, off) / (wide * wide)) * (0.6 + 0.4 * luck);
    }
    float r = length(at) / max(full, pixel);
    float haze = 0.35 * exp(-4.0 * r * r) * (1.0 - smoothstep(0.9, 1.2, r));
    return vec4(mix(colour, vec3(1.0), min(0.5 * light_, 0.55)), min(light_ * 0.9 + haze, 1.0) * step(1e-3, share.x));
}
"""

GOAL = """
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

vec4 thing() {
    return ring();
}
"""

OF = {GRASS: TUFT, DRY: TUFT, EARTH: GRAINS, PAVED: GRAINS, ROCK: GRAINS, WATER: PLANKTON, SPACE: PLANKTON}


def of(kind: Kind) -> str:
    """Return the source for food on a kind of backdrop."""
    return OF.get(kind, PLANT)
