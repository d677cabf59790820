"""The fragment shader's sources that draw walls by backdrop: hedges, dry stone, kerbs, quays, barriers of light.

A wall is drawn twice: kind 7, the edge, with its shade on the ground; then kind 8, the face, of which no part is below
the edge of another.
"""

from __future__ import annotations

from sandbox.app.drawing.backdrops import DRY, EARTH, GRASS, PAVED, ROCK, SPACE, WATER, Kind

USUAL = "#7a6f83"  # of the prefab `wall`

START = """
// Distance from the wall's edge, u; negative inside.
float off_wall(vec2 from) {
    return length(vec2(max(abs(from.x) - half_length, 0.0), from.y));
}

vec4 shade(float dark) {
    vec2 towards = vec2(dot(light, along), dot(light, vec2(-along.y, along.x)));
    return vec4(NIGHT, dark * (1.0 - smoothstep(0.4, 1.9, off_wall(at + towards * size * 0.55) / size)));
}

vec2 outward() {
    return normalize(vec2(max(abs(at.x) - half_length, 0.0) * sign(at.x), at.y) + vec2(0.0, 1e-4));
}

// How much a side that faces this way, along and across the wall, faces the light.
float sun_from(vec2 facing) {
    return dot(along * facing.x + vec2(-along.y, along.x) * facing.y, light);
}
"""

PLAIN = """
vec4 wall() {
    vec2 off = vec2(max(abs(at.x) - half_length, 0.0) * sign(at.x), at.y);
    float distance = length(off) - size;
    if (kind == 8) return vec4(mix(colour, shine, 0.3), inside(distance));  // lighter than any backdrop
    vec2 outward = normalize(off + vec2(0.0, 1e-6));
    float sun = dot(along * outward.x + vec2(-along.y, along.x) * outward.y, light);
    return vec4(mix(colour * 0.36, mix(colour, shine, 0.6) * 1.1, smoothstep(-0.5, 0.8, sun)), inside(distance));
}

vec4 thing() {
    return wall();
}
"""

HEDGE = """
vec4 thing() {
    float distance = off_wall(at), grain = clamp(size / 1.8, 2.2, 6.0);
    vec2 spot = place / grain;
    float leaves = rough(spot) + 0.6 * rough(spot * 2.3) + 0.3 * rough(spot * 5.1) - 0.95;
    float bulge = size * (0.96 + 0.44 * (rough(place / grain * 0.55) - 0.5)) + 0.40 * grain * leaves;
    if (kind == 7) return over(vec4(colour * 0.42, inside(distance - bulge)), shade(0.55));
    float away = rough(spot + light * 0.5) + 0.6 * rough(spot * 2.3 + light * 0.6) - 0.8;
    float tall = 1.0 - clamp(distance / max(bulge, 1e-3), 0.0, 1.0);
    float sun = sun_from(outward()) * (1.0 - tall);
    float lit = 0.62 + 0.30 * tall + 0.38 * sun + 0.55 * (leaves + 0.15 - away);
    vec3 young = mix(colour, shine * vec3(0.80, 0.86, 0.30), 0.30);
    float grows = smoothstep(0.35, 0.75, rough(place / (3.0 * grain))) * smoothstep(0.6, 1.2, lit);
    vec3 leaf = mix(colour, young, grows) * lit;
    return vec4(leaf, inside(distance - bulge * 0.97));
}
"""

STONES = """
vec4 thing() {
    float distance = off_wall(at);
    if (kind == 7) return over(vec4(colour * 0.30, inside(distance - size * 1.04)), shade(0.50));
    // Two courses of stones from above, each a rounded box of its own length and colour.
    float row = floor(at.y / max(size, 1e-3) + 1.0), long_ = size * 1.7;
    float way = (at.x + begins + 0.43 * long_ * row) / long_;
    way += 0.30 * (random(vec2(floor(way), row + begins)) - 0.5);
    vec2 name = vec2(floor(way), row + begins);
    vec2 f = vec2(fract(way) - 0.5, fract(at.y / max(size, 1e-3)) - 0.5);
    vec2 box = abs(f * vec2(long_, size)) - vec2(long_, size) * 0.5 + 0.28 * size;
    float stone = length(max(box, 0.0)) - 0.26 * size;
    float bumps = rough(place / max(size, 1.0) * 2.2) - 0.5;
    float sun = sun_from(f);
    vec3 lit = colour * (0.72 + 0.34 * random(name) + 0.22 * bumps + 0.55 * sun);
    lit = mix(lit, mix(colour, shine, 0.5), 0.22 * smoothstep(0.2, 0.6, sun));
    float inner = inside(max(stone, distance - size));
    return vec4(mix(colour * 0.36, lit, inner), inside(distance - size));
}
"""

KERB = """
vec4 thing() {
    float distance = off_wall(at);
    if (kind == 7) return over(vec4(colour * 0.40, inside(distance - size)), shade(0.45));
    float long_ = max(22.0, 3.0 * size), way = (at.x + half_length) / long_;
    float joint = abs(fract(way + 0.5) - 0.5) * long_;
    float sun = sun_from(outward()) * smoothstep(0.55, 0.85, distance / size);
    float worn = rough(place * 0.55) - 0.5;
    vec3 stone = colour * (0.95 + 0.10 * (random(vec2(floor(way), begins)) - 0.5) + 0.14 * worn) * (1.0 + 0.30 * sun);
    stone *= 0.62 + 0.38 * smoothstep(0.25, 0.9 + pixel, joint);
    return vec4(mix(stone, shine, 0.10 * max(sun, 0.0)), inside(distance - size));
}
"""

QUAY = """
vec4 thing() {
    float distance = off_wall(at);
    if (kind == 7) return over(vec4(colour * 0.28, inside(distance - size * 1.03)), shade(0.40));
    // Planks across, on a beam at either side, with posts.
    float wide = clamp(size * 0.55, 2.6, 7.0), way = (at.x + half_length) / wide, plank = floor(way);
    float gap = min(fract(way), 1.0 - fract(way)) * wide;
    float grain = rough(vec2(at.x * 0.9, at.y * 0.16) + plank * 7.0) - 0.5;
    vec3 wood = colour * (0.84 + 0.26 * random(vec2(plank, begins)) + 0.20 * grain);
    wood *= 0.55 + 0.45 * smoothstep(0.12, 0.45 + 0.5 * pixel, gap);
    float side = abs(at.y) / size;
    wood *= 1.0 - 0.35 * smoothstep(0.72, 0.76, side) * (1.0 - smoothstep(0.82, 0.86, side));
    float apart = max(8.0 * size, 30.0), to_post = (fract((at.x + half_length) / apart + 0.5) - 0.5) * apart;
    float post = length(vec2(to_post, (1.0 - side) * size * 1.2));
    wood = mix(wood, mix(colour, shine, 0.35) * 1.05, inside(post - 0.42 * size));
    return vec4(wood, inside(distance - size));
}
"""

BARRIER = """
vec4 thing() {
    float distance = off_wall(at);
    float flow = 0.82 + 0.18 * sin(at.x / max(size, 1.0) * 0.55 - time * 2.4 + begins);
    float halo = exp(-0.95 * max(distance / size - 0.6, 0.0)) * (1.0 - smoothstep(3.0, 4.0, distance / size));
    if (kind == 7) return vec4(mix(colour, vec3(1.0), 0.1), 0.50 * flow * halo);
    float core = exp(-2.6 * distance * distance / (size * size));
    float node = exp(-pow(length(vec2(abs(at.x) - half_length, at.y)) / (0.8 * size), 2.0));
    return vec4(mix(colour * 1.1, vec3(1.0), 0.80 * core + 0.2 * node), inside(distance - size) * (0.35 + 0.65 * core));
}
"""

OF = {
    GRASS: ("#4d7a3a", 2.4, HEDGE),
    EARTH: ("#4f7a40", 2.4, HEDGE),
    DRY: ("#b59a72", 2.4, STONES),
    ROCK: ("#7d9094", 2.4, STONES),
    PAVED: ("#a9a19a", 2.4, KERB),
    WATER: ("#9a7a56", 2.4, QUAY),
    SPACE: ("#6fd0ff", 4.0, BARRIER),
}


def of(kind: Kind) -> tuple[str, str, float, str]:
    """Return what draws walls on a kind of backdrop.

    That is the usual colour of walls, the one they have here instead, how far the edge with its shade extends, in half
    thicknesses, and the source.
    """
    own, extent, source = OF.get(kind, (USUAL, 1.0, PLAIN))
    return USUAL, own, extent, START + source
