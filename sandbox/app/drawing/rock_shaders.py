"""What draws obstacles in the fragment shader: rocks by backdrop (boulders, asteroids, pillars), trees and corals."""

from __future__ import annotations

from sandbox.app.drawing.backdrops import DRY, EARTH, GRASS, PAVED, ROCK, SPACE, WATER, Kind

USUAL = "#5b5568"  # of the prefab `obstacle`

GROWN = """
// A tree from above, in clumps of leaves over a trunk, or a coral with fingers; upper layers are smaller and lighter.
vec4 grown(float turn, bool tree) {
    vec2 q = at / size;
    float r = length(q), sun = dot(q, light);
    vec4 made = vec4(NIGHT, 0.5 * (1.0 - smoothstep(0.62, 1.28, length(q + light * 0.20))));
    vec2 on = q * 4.5 + differs * 60.0;
    float leaves = rough(on) + 0.6 * rough(on * 2.4) + 0.35 * rough(on * 5.3) - 0.97;
    float away = rough(on + light * 0.45) + 0.6 * rough(on * 2.4 + light * 0.55) - 0.8;
    for (int layer = 0; layer < 4; layer++) {
        float high = float(layer) / 3.0, wide = 1.0 - 0.78 * high;
        float fingers = 7.0 + floor(4.0 * differs) - float(layer);
        float lobe = abs(cos(0.5 * TURN * (turn * fingers + differs * 9.0 + high)));
        float edge = wide * (tree ? 0.84 + 0.10 * lobe + 0.16 * leaves : 0.62 + 0.38 * lobe);
        vec3 lit = colour * (0.56 + 0.36 * high + 0.26 * sun / wide + (tree ? 0.55 * (leaves - away) : 0.10 * leaves));
        if (!tree) lit = mix(lit, shine, 0.45 * high * smoothstep(0.5, 1.0, r / edge));
        else lit = mix(lit, colour * 0.30, 0.35 * smoothstep(0.90, 1.0, r / edge) * (1.0 - high));
        made = over(vec4(lit, inside((r - edge) * size)), made);
    }
    return made;
}

vec4 thing() {
    float turn = atan(at.y, at.x) / TURN;
    return share.x > 0.5 ? grown(turn, share.x > 1.5) : rock(turn);
}
"""

FACETS = """
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
"""

BOULDER = """
// A weathered stone: lit from one side as if round, with a rough surface, cracks, and a soft shade on the ground.
vec4 rock(float turn) {
    vec2 q = at / size;
    float r = length(q);
    float edge = 0.95 + 0.05 * sin(TURN * (turn * 3.0 + differs)) * cos(TURN * (turn * 2.0 + 5.0 * differs));
    float tall = sqrt(max(1.0 - r * r / (edge * edge), 0.0));
    vec2 on = q * (1.6 - 0.6 * tall) + differs * 40.0;
    float bumps = rough(on * 2.6) + 0.5 * rough(on * 6.1) + 0.25 * rough(on * 14.0) - 0.875;
    float away = rough(on * 2.6 + light * 0.22) + 0.5 * rough(on * 6.1 + light * 0.35) - 0.75;
    float sun = dot(q, light) * 0.75 + 0.45 * tall + 1.1 * (bumps - away) - 0.1;
    vec3 stone = mix(colour * 0.36, mix(colour, shine, 0.32) * 1.10, smoothstep(-0.55, 0.95, sun));
    stone *= 0.94 + 0.30 * bumps;
    float crack = abs(rough(on * 1.7 + 3.0) - 0.5);
    stone *= 0.80 + 0.20 * smoothstep(0.0, 0.035, crack);
    stone = mix(stone, MOSS, MOSSY * smoothstep(0.52, 0.75, rough(on * 2.0 + 11.0)) * smoothstep(-0.2, 0.6, tall));
    float shade = 1.0 - smoothstep(0.62, 1.28, length(q + light * 0.20));
    return over(vec4(stone, inside((r - edge) * size)), vec4(NIGHT, SHADOW * shade));
}
"""

ASTEROID = """
// A stone in space: craters, a bright side, and a dark one.
vec4 rock(float turn) {
    vec2 q = at / size;
    float r = length(q);
    float edge = 0.93 + 0.07 * sin(TURN * (turn * 3.0 + differs)) * cos(TURN * (turn * 2.0 + 5.0 * differs));
    float tall = sqrt(max(1.0 - r * r / (edge * edge), 0.0)), relief = 0.0;
    for (int n = 0; n < 7; n++) {
        vec2 name = vec2(float(n) * 3.7, differs * 87.0);
        vec2 off = q - 1.5 * (vec2(random(name), random(name + 11.0)) - 0.5);
        float wide = 0.10 + 0.26 * random(name + 23.0) * random(name + 31.0), far = length(off) / wide;
        relief -= dot(off / wide, light) * 0.75 * (1.0 - smoothstep(0.75, 1.0, far));
        relief += 0.22 * exp(-30.0 * (far - 1.0) * (far - 1.0));
    }
    float bumps = rough(q * 5.0 + differs * 40.0) + 0.5 * rough(q * 12.0 + differs * 40.0) - 0.75;
    float sun = dot(q, light) * 0.95 + 0.35 * tall + 0.35 * relief + 0.30 * bumps;
    vec3 stone = mix(colour * 0.13, mix(colour, shine, 0.25) * 1.15, smoothstep(-0.35, 0.9, sun));
    float rim = smoothstep(0.80, 1.0, r / edge) * smoothstep(0.2, 0.9, dot(q, light));
    return vec4(stone + shine * 0.22 * rim, inside((r - edge) * size));
}
"""

PILLAR = """
// A pillar from above: a base, the drum with its flutes, and a long shade.
vec4 rock(float turn) {
    vec2 q = at / size;
    float r = length(q), sun = dot(q, light);
    float flutes = 0.5 + 0.5 * cos(TURN * turn * 20.0);
    vec4 base = vec4(colour * (0.74 + 0.16 * sun), inside((r - 1.0) * size));
    vec3 lit = colour * (0.92 + 0.30 * sun) * (0.86 + 0.14 * flutes * step(0.62, r));
    float cap = smoothstep(0.56, 0.60, r) * (1.0 - smoothstep(0.60, 0.64, r));
    vec4 drum = vec4(mix(lit, shine, 0.10) * (1.0 - 0.25 * cap), inside((r - 0.78) * size));
    float shade = 1.0 - smoothstep(0.55, 1.25, length(q + light * 0.24));
    return over(over(drum, base), vec4(NIGHT, 0.5 * shade));
}
"""


def _boulder(moss: str, mossy: float, shadow: float = 0.5) -> str:
    return BOULDER.replace("MOSSY", f"{mossy:.2f}").replace("MOSS", moss).replace("SHADOW", f"{shadow:.2f}")


OF = {
    GRASS: ("#8b8a84", _boulder("vec3(0.34, 0.44, 0.20)", 0.55)),
    DRY: ("#9a7f5e", _boulder("vec3(0.55, 0.42, 0.22)", 0.3)),
    EARTH: ("#b8ae9c", PILLAR),
    PAVED: ("#a49c94", PILLAR),
    ROCK: ("#5d7276", _boulder("vec3(0.45, 0.55, 0.42)", 0.35)),
    WATER: ("#54626c", _boulder("vec3(0.12, 0.36, 0.34)", 0.45, 0.35)),
    SPACE: ("#6d6478", ASTEROID),
}


def of(kind: Kind) -> tuple[str, str, str]:
    """Return the usual colour of obstacles, the one they have instead on a kind of backdrop, and what draws them."""
    own, source = OF.get(kind, (USUAL, FACETS))
    return USUAL, own, source + GROWN
