"""Shaders of what surrounds a world with depth: sky, water, space, or the sky over a ground; and its floor."""

from __future__ import annotations

from functools import cache

from sandbox.app.drawing.backdrops import Kind
from sandbox.app.drawing.shaders import RANDOM
from sandbox.app.drawing.space.air import AIR
from sandbox.render.backdrop import MOST_COLOURS

VERTEX = """
#version 330
uniform vec3 rays[3];
out vec3 ray;

void main() {
    ray = rays[gl_VertexID];
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
"""

COMMON = """
uniform vec3 colours[COLOURS];  // from top to bottom
uniform vec3 glow_colour;
uniform vec3 sun;       // unit vector
uniform vec3 world_size;
uniform float glow, clouds, stars, detail, time, floor_at;
in vec3 ray;
out vec4 painted;
RANDOM

float hash(vec3 p) {
    p = fract(p * 0.1031);
    p += dot(p, p.zyx + 31.32);
    return fract((p.x + p.y) * p.z);
}

float noise(vec3 at) {  // value noise, 0 to 1
    vec3 cell = floor(at), f = at - cell, u = f * f * (3.0 - 2.0 * f);
    vec2 e = vec2(0.0, 1.0);
    return mix(
        mix(mix(hash(cell), hash(cell + e.yxx), u.x), mix(hash(cell + e.xyx), hash(cell + e.yyx), u.x), u.y),
        mix(mix(hash(cell + e.xxy), hash(cell + e.yxy), u.x), mix(hash(cell + e.xyy), hash(cell + e.yyy), u.x), u.y),
        u.z);
}

float layers(vec3 at, int count) {  // noise at several scales, about -0.5 to 0.5
    float sum = 0.0, size = 0.5;
    for (int n = 0; n < count; n++) {
        sum += size * (noise(at) - 0.5);
        at = at * 2.03 + 7.1;
        size *= 0.5;
    }
    return sum;
}

vec3 ramp(float y) {
    vec3 found = colours[0];
    float from_top = (1.0 - clamp(y, 0.0, 1.0)) * float(COLOURS - 1);
    for (int n = 1; n < COLOURS; n++) found = mix(found, colours[n], smoothstep(-0.25, 1.25, from_top - float(n - 1)));
    return found;
}

// The parts of a place or a way: upward, and two that are level.
float up_of(vec3 a) { return dot(a, above.xyz); }
vec2 level_of(vec3 a) { return above.y > 0.5 ? a.xz : a.xy; }

float to_sun(vec3 way) { return max(dot(way, sun), 0.0); }
"""

SKY = """
const float MIRROR = 0.12;  // the land is wet: it mirrors what is above the hills, unevenly
vec3 around(vec3 way) {
    float up = up_of(way), near = to_sun(way);
    vec3 sky = ramp(pow(clamp(up, 0.0, 1.0), 0.55));
    float low = 1.0 - smoothstep(0.0, 0.5, abs(up));
    float lit_air = 0.55 * pow(near, 6.0) + 0.45 * low * pow(near, 3.0) + 0.5 * pow(near, 60.0);
    sky += (glow_colour - sky) * min(glow * lit_air, 1.0);
    sky += glow_colour * glow * smoothstep(0.9985, 0.9992, near);
    vec2 over = level_of(way) / (0.10 + max(up, 0.0));
    vec3 at = vec3(over * 0.55 + time * 0.006, 0.37);
    float bank = layers(at + 0.8 * layers(at * 0.7 + 3.0, 3), SCALES);
    float lit = layers(at + vec3(level_of(sun) * 0.25, 0.0), 3) - bank;
    float thick = smoothstep(0.20 - 0.36 * clouds, 0.42 - 0.28 * clouds, bank) * smoothstep(0.015, 0.16, up);
    vec3 bright = mix(ramp(0.12), glow_colour, 0.30 + 0.6 * pow(near, 4.0)), dark = ramp(0.55) * 0.82;
    sky = mix(sky, mix(bright, dark, smoothstep(-0.10, 0.12, -lit + 0.25 * bank)), 0.8 * thick);
    if (stars > 0.0 && up > 0.0) {
        vec3 cell = floor(way * 130.0);
        float luck = hash(cell), far = length(fract(way * 130.0) - 0.5);
        sky += vec3(0.8, 0.85, 1.0) * stars * step(0.985, luck) * exp(-14.0 * far * far) * up * (1.0 - thick);
    }
    for (int n = 0; n < 3 && up < 0.12; n++) {  // ranges of hills, the farthest first
        float near_by = float(n) / 2.0;
        vec2 level = normalize(level_of(way)) * mix(2.3, 4.1, near_by);
        float ridge = mix(0.052, 0.014, near_by) + 0.085 * layers(vec3(level + 17.0 * float(n), 0.5), SCALES);
        vec3 hill = mix(sky, ramp(0.45) * 0.34, mix(0.22, 0.62, near_by) * (1.0 - 0.45 * pow(near, 6.0)));
        sky = mix(sky, hill, smoothstep(0.0, -0.0025, up - ridge));
    }
    return sky;
}

vec3 floor_of(vec3 place, float away) {
    vec3 low = colours[COLOURS - 1];
    vec2 at = level_of(place) / max(world_size.x, 1.0);
    float tone = layers(vec3(at * 5.0, 0.5), SCALES) + 0.6 * layers(vec3(at * 31.0, 2.5), 3);
    vec3 land = mix(low * vec3(0.30, 0.31, 0.33), ramp(0.35) * 0.45, 0.4);
    return land * (1.0 + 0.9 * tone);
}
"""

WATER = """
const float MIRROR = 0.0;
vec3 around(vec3 way) {
    float up = up_of(way), near = to_sun(way);
    vec3 sea = ramp(0.5 + 0.62 * up);
    sea += (glow_colour - sea) * glow * (0.55 * pow(near, 5.0) + 0.3 * pow(near, 40.0)) * smoothstep(-0.4, 0.6, up);
    vec3 aside = normalize(cross(sun, vec3(0.31, 0.17, 0.93))), other = cross(sun, aside);
    float turn = atan(dot(way, aside), dot(way, other)), sway = time * 0.05;
    float shaft = noise(vec3(turn * 5.0, sway, 1.0)) * noise(vec3(turn * 11.0, -sway * 1.4, 5.0));
    float beam = smoothstep(0.18, 0.62, shaft) * smoothstep(-0.7, 0.75, dot(way, sun)) * smoothstep(-0.5, 0.5, up);
    sea += glow_colour * (0.25 + 0.5 * detail) * 0.42 * beam;
    float murk = layers(way * 2.2 + vec3(time * 0.004), 3);
    sea *= 1.0 + 0.5 * clouds * murk;
    if (up > 0.05) {  // waves, seen from below
        vec2 over = level_of(way) / (0.08 + up);
        float wave = 1.0 - abs(noise(vec3(over * 1.7, time * 0.35)) * 2.0 - 1.0);
        wave *= 1.0 - abs(noise(vec3(over * 2.9 + 9.0, time * 0.30)) * 2.0 - 1.0);
        sea += glow_colour * (0.3 + 0.7 * detail) * 0.6 * pow(wave, 3.0) * smoothstep(0.05, 0.6, up);
    }
    return sea;
}

vec3 floor_of(vec3 place, float away) {
    vec2 at = level_of(place) / 90.0;
    float ripple = sin(9.0 * (at.y + 1.4 * layers(vec3(at * 0.8, 0.5), 3)));
    float tone = layers(vec3(at * 0.35, 0.5), SCALES);
    vec3 sand = mix(colours[COLOURS - 1], ramp(0.65) + 0.25 * vec3(0.75, 0.66, 0.48), 0.55);
    float wave = 1.0 - abs(noise(vec3(at * 1.9, time * 0.5)) * 2.0 - 1.0);
    wave *= 1.0 - abs(noise(vec3(at * 2.7 + 5.0, time * 0.42)) * 2.0 - 1.0);
    return sand * (0.9 + 0.9 * tone + 0.07 * ripple) + glow_colour * detail * 0.45 * pow(wave, 4.0);
}
"""

SPACE = """
const float MIRROR = 0.0;
vec3 around(vec3 way) {
    float near = to_sun(way);
    vec3 sky = ramp(0.5 + 0.5 * up_of(way));
    vec3 warp = vec3(layers(way * 1.7, 3), layers(way * 1.7 + 9.0, 3), layers(way * 1.7 + 23.0, 3));
    float cloud = layers(way * 2.1 + 0.9 * warp, SCALES), second = layers(way * 2.6 + 31.0 - 0.7 * warp, SCALES);
    float body = smoothstep(-0.12, 0.32, cloud + 0.3 * glow * pow(near, 3.0));
    float lane = smoothstep(0.01, 0.12, abs(second));
    vec3 tint = mix(mix(colours[2], vec3(0.25, 0.45, 0.85), 0.45), glow_colour, smoothstep(-0.15, 0.2, second));
    sky += tint * 0.62 * clouds * body * body * (0.3 + 0.7 * lane);
    sky += glow_colour * 0.35 * glow * body * pow(near, 9.0);
    for (int n = 0; n < 2; n++) {
        float fine = n == 0 ? 90.0 : 190.0;
        vec3 cell = floor(way * fine);
        float luck = hash(cell + float(n)), far = length(fract(way * fine) - 0.5);
        vec3 hue = mix(vec3(0.7, 0.8, 1.0), vec3(1.0, 0.85, 0.7), hash(cell + 5.0));
        sky += hue * stars * step(0.972, luck) * exp(-22.0 * far * far);
    }
    return sky;
}

vec3 floor_of(vec3 place, float away) {
    return colours[0];
}
"""

GROUND = """
const float MIRROR = 0.0;
vec3 around(vec3 way) {
    float up = up_of(way), near = to_sun(way);
    vec3 high = vec3(0.34, 0.55, 0.80), low = vec3(0.80, 0.87, 0.90);
    vec3 sky = mix(low, high, pow(clamp(up, 0.0, 1.0), 0.6));
    sky = mix(sky, glow_colour, 0.35 * pow(near, 5.0) + 0.12 * (1.0 - smoothstep(0.0, 0.3, abs(up))));
    vec2 over = level_of(way) / (0.10 + max(up, 0.0));
    float bank = layers(vec3(over * 0.6 + time * 0.006, 0.4), SCALES);
    return mix(sky, vec3(0.97), 0.7 * smoothstep(0.02, 0.22, bank) * smoothstep(0.02, 0.18, up));
}

vec3 floor_of(vec3 place, float away) {
    vec2 at = level_of(place);
    float broad = layers(vec3(at / 330.0, 0.5), SCALES) * 1.4, fine = layers(vec3(at / 14.0, 3.5), 3);
    vec3 ground = ramp(clamp(0.5 + 1.3 * broad, 0.0, 1.0));
    return ground * (1.0 + 1.1 * detail * fine * exp(-away / 900.0)) * (0.85 + 0.3 * max(up_of(sun), 0.0));
}
"""

MAIN = """
void main() {
    vec3 way = normalize(ray), colour = around(way);
    float down = -up_of(way), high = up_of(eye.xyz) - floor_at;
    if (FLOOR && down > 0.0 && high > 0.0) {
        float away = high / down;
        vec3 offset = eye.xyz + way * away, place = offset + focus.xyz;
        float clear = exp(-thickness * away) * smoothstep(0.0, 0.012, down);
        float stir = layers(vec3(level_of(place) * 60.0 / world_size.x, 0.7), 3);
        vec3 mirrored = way + above.xyz * (down + 0.02 + MIRROR) + MIRROR * stir * normalize(cross(way, above.xyz));
        colour = mix(around(normalize(mirrored)), floor_of(place, away), clear);
    }
    painted = vec4(colour + (random(gl_FragCoord.xy) - 0.5) / 255.0, 1.0);
}
"""
SOURCES = {"sky": SKY, "water": WATER, "space": SPACE, "ground": GROUND}


@cache
def shaders_of(kind: Kind, rich: bool) -> tuple[str, str]:
    """Return the vertex and the fragment shader of a kind of backdrop; `rich`: include all that costs much."""
    words = {"COLOURS": str(MOST_COLOURS), "RANDOM": RANDOM, "SCALES": "5" if rich else "3"}
    source = AIR + COMMON + SOURCES[kind.name] + MAIN.replace("FLOOR", "false" if kind.name == "space" else "true")
    for word, text in words.items():
        source = source.replace(word, text)
    return VERTEX, "#version 330\n" + source
