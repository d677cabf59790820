"""The fragment shaders of skies, water and space; those of grounds are in `ground_shaders`.

All noise repeats with the world, so that copies of a torus meet without a seam. Colours run over the view from top to
bottom; what is far away moves and grows less than the world when the camera does.
"""

from __future__ import annotations

from components.store.words import plain
from sandbox.app.drawing import ground_shaders
from sandbox.app.drawing.backdrops import Kind
from sandbox.app.drawing.shaders import RANDOM
from systems.engine.backdrop import MOST_COLOURS

START = """
#version 330
in vec2 place;         // u
uniform vec2 middle;   // u, of the screen
uniform vec2 world;    // u
uniform vec4 view;     // u: lower left corner, width and height of the area that panels leave free
uniform float pixel;   // u
uniform float time;    // s, simulated
uniform float depth;   // how much larger the far away is than at zoom 1 of the fitted view
uniform vec3 colours[COLOURS];  // from top to bottom
uniform vec3 glow_colour;
uniform vec2 glow_at;  // in shares of the view
uniform float glow, clouds, stars, detail;
out vec4 painted;

RANDOM
vec2 slope(vec2 cell) {
    vec3 p = fract(cell.xyx * vec3(0.1031, 0.1030, 0.0973));
    p += dot(p, p.yzx + 33.33);
    return fract((p.xx + p.yz) * p.zy) * 2.0 - 1.0;
}

// Gradient noise, about -0.7 to 0.7, which repeats after `cells` cells.
float noise(vec2 share, vec2 cells) {
    vec2 at = share * cells, cell = floor(at), f = at - cell;
    vec2 low = mod(cell, cells), high = mod(cell + 1.0, cells), u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    float below = mix(dot(slope(low), f), dot(slope(vec2(high.x, low.y)), f - vec2(1.0, 0.0)), u.x);
    float above = mix(dot(slope(vec2(low.x, high.y)), f - vec2(0.0, 1.0)), dot(slope(high), f - 1.0), u.x);
    return mix(below, above, u.y);
}

// Noise at several scales, each half of the one before.
float layers(vec2 share, vec2 cells, int count) {
    float sum = 0.0, size = 0.55;
    for (int n = 0; n < count; n++) {
        sum += size * noise(share + 0.37 * float(n), cells);
        cells = cells * 2.0 + 1.0;
        size *= 0.5;
    }
    return sum;
}

vec3 ramp(float y) {
    vec3 sky = colours[0];
    float from_top = (1.0 - clamp(y, 0.0, 1.0)) * float(COLOURS - 1);
    for (int n = 1; n < COLOURS; n++) sky = mix(sky, colours[n], smoothstep(-0.25, 1.25, from_top - float(n - 1)));
    return sky;
}

// Whole numbers of cells over the world: as many over its height as given, and as wide as `wide` times their height.
vec2 cells_of(float over_height, float wide) {
    return max(round(vec2(world.x / world.y / wide, 1.0) * over_height), 1.0);
}

// Distance from the glow in heights of the view.
vec2 to_glow(vec2 seen) {
    return (seen - glow_at) * vec2(view.z / view.w, 1.0);
}

BACKDROP

void main() {
    vec2 seen = (place - view.xy) / view.zw;
    vec3 colour = backdrop(seen, place / world, (middle + (place - middle) * depth) / world);
    float grain = random(gl_FragCoord.xy) + random(gl_FragCoord.xy + 71.0) - 1.0;  // no bands of equal colours
    painted = vec4(colour + grain / 255.0, 1.0);
}
"""

SKY = """
vec3 backdrop(vec2 seen, vec2 near, vec2 far) {
    vec2 sun = to_glow(seen);
    float off = dot(sun, sun), low = 1.0 - smoothstep(0.0, 0.75, seen.y);
    vec3 sky = ramp(seen.y);
    float lit = 0.55 * exp(-3.2 * off) + 0.25 * exp(-1.1 * off - 14.0 * sun.y * sun.y) + 0.35 * exp(-40.0 * off);
    sky += (glow_colour - sky) * min(glow * lit, 1.0);
#ifdef RICH
    far.x += time * 0.0006;
    vec2 warp = vec2(noise(far, cells_of(4.0, 2.0)), noise(far + 0.5, cells_of(5.0, 2.0)));
    // High streaks, drawn out by the wind.
    vec2 at = far + vec2(0.05, 0.012) * warp;
    float streak = layers(at + vec2(time * 0.0004, 0.0), cells_of(9.0, 5.0), 4);
    float veil = smoothstep(0.34 - 0.50 * clouds, 0.55, streak) * smoothstep(0.05, 0.45, seen.y);
    // Banks of cloud, darker below, that catch the light where they face the sun.
    float bank = layers(far + 0.03 * warp, cells_of(3.0, 2.6), 5) + 0.10 * low;
    float above = layers(far + 0.03 * warp + vec2(0.0, 0.02), cells_of(3.0, 2.6), 3);
    float thick = smoothstep(0.42 - 0.48 * clouds, 0.75 - 0.30 * clouds, bank);
    float facing = clamp(0.5 + 2.2 * (bank - above) * clamp(4.0 * (glow_at.y - seen.y), -1.0, 1.0), 0.0, 1.0);
    vec3 bright = mix(ramp(seen.y - 0.20), glow_colour, 0.25 + 0.5 * exp(-1.6 * off));
    sky = mix(sky, bright, 0.40 * veil * clouds + 0.10 * veil);
    sky = mix(sky, mix(ramp(seen.y + 0.22) * 0.86, bright, facing), 0.62 * thick * min(clouds * 1.6, 1.0));
    sky += star_field(far, 0.55) * stars * (1.0 - thick) * smoothstep(0.35, 0.95, seen.y);
#else
    sky *= 1.0 + 0.16 * clouds * noise(far, cells_of(4.0, 3.0));
#endif
    return sky;
}
"""

STARS = """
// One star at most in each of `cells`; its light twinkles.
float star_layer(vec2 far, vec2 cells, float size, float share) {
    vec2 at = far * cells, cell = mod(floor(at), cells);
    float luck = random(cell + 7.0);
    vec2 there = floor(at) + 0.2 + 0.6 * vec2(random(cell + 31.0), random(cell + 57.0));
    vec2 off = (at - there) / cells * world / (pixel * depth);  // pixels
    float bright = random(cell + 13.0), beat = 0.78 + 0.22 * sin(time * (0.7 + 2.3 * bright) + 40.0 * luck);
    float light = exp(-dot(off, off) / (size * size * (0.5 + bright)));
    return light * step(luck, share) * beat * (0.25 + 0.75 * bright * bright);
}

vec3 star_field(vec2 far, float share) {
    vec3 warm = vec3(1.0, 0.90, 0.78), cold = vec3(0.78, 0.88, 1.0);
    vec3 light = star_layer(far, cells_of(19.0, 1.0), 1.5, 0.35 * share) * cold;
#ifdef RICH
    light += star_layer(far + 0.41, cells_of(47.0, 1.0), 0.95, 0.6 * share) * warm;
    light += star_layer(far + 0.73, cells_of(90.0, 1.0), 0.7, 0.7 * share) * 0.6 * cold;
#endif
    return light;
}
"""

SPACE = """
vec3 backdrop(vec2 seen, vec2 near, vec2 far) {
    vec3 sky = ramp(seen.y);
    vec2 sun = to_glow(seen);
    float share = stars;
#ifdef RICH
    vec2 slow = vec2(time * 0.0002, 0.0);
    vec2 warp = vec2(layers(far + slow, cells_of(2.0, 1.2), 3), layers(far + 0.43 - slow, cells_of(2.0, 1.2), 3));
    float cloud = layers(far + 0.16 * warp, cells_of(3.0, 1.2), 5);
    float second = layers(far + 0.61 - 0.13 * warp, cells_of(2.0, 1.0), 4);
    float body = smoothstep(-0.22, 0.55, cloud + 0.55 * exp(-2.0 * dot(sun, sun)) * glow);
    float lane = smoothstep(0.02, 0.20, abs(second + 0.35 * cloud));  // dark lanes of dust
    float band = far.y - 0.5 - 0.20 * sin(6.2831853 * far.x) - 0.08 * warp.x;
    float milky = exp(-band * band * 26.0) * (0.7 + 0.9 * second);
    vec3 cool = mix(colours[2], vec3(0.25, 0.45, 0.85), 0.45);
    vec3 tint = mix(cool, glow_colour, smoothstep(-0.25, 0.35, second));
    float bright = clouds * body * body * (0.30 + 0.70 * lane);
    sky = sky * (1.0 - 0.35 * clouds * (1.0 - lane) * body) + tint * 0.62 * bright;
    sky += mix(vec3(0.62, 0.66, 0.85), tint, 0.5) * max(milky, 0.0) * (0.06 + 0.10 * stars) * (0.4 + 0.6 * lane);
    sky += glow_colour * 0.35 * glow * body * exp(-5.0 * dot(sun, sun));
    share *= 0.55 + 0.8 * max(milky, 0.0);
#else
    float cloud = noise(far, cells_of(3.0, 1.2)) + 0.5 * noise(far + 0.37, cells_of(7.0, 1.2));
    sky += glow_colour * (0.45 * clouds * max(cloud, 0.0) + 0.20 * glow * exp(-4.0 * dot(sun, sun)));
#endif
    return sky + star_field(far, share);
}
"""

WATER = """
// Bright lines where waves gather the light: where two slow noises are both near 0.
float caustic(vec2 near, vec2 cells) {
    vec2 drift = vec2(time * 0.9, time * 0.35) / cells;
    vec2 warp = vec2(noise(near + drift * 0.5, cells), noise(near + 0.5 - drift * 0.4, cells));
    vec2 at = near + 0.55 * warp / cells;
    float one = 1.0 - abs(noise(at + drift * 0.6, cells)), two = 1.0 - abs(noise(at + 0.29 - drift * 0.5, cells));
    return pow(one * two, 7.0);
}

vec3 backdrop(vec2 seen, vec2 near, vec2 far) {
    vec3 sea = ramp(seen.y);
    vec2 sun = to_glow(seen);
    float high = smoothstep(-0.1, 1.05, seen.y);
    sea += (glow_colour - sea) * glow * 0.75 * exp(-2.6 * dot(sun, sun));
#ifdef RICH
    float murk = layers(far + vec2(time * 0.0010, 0.0), cells_of(2.0, 1.6), 4);
    sea *= 1.0 + 0.55 * clouds * murk;
    float waves = caustic(near, cells_of(7.0, 1.3)) + 0.6 * caustic(near + 0.17, cells_of(15.0, 1.3));
    sea += glow_colour * detail * waves * (0.05 + 0.30 * high * high);
    // Shafts of light fan out from the glow; they sway and fade with depth.
    float fan = sun.x / max(0.35 - sun.y, 0.2), sway = time * 0.05;
    float shaft = noise(vec2(fan * 0.5 + 0.02 * sway, 0.31 + sway * 0.1), vec2(11.0, 7.0))
        + 0.6 * noise(vec2(fan * 0.5 - 0.03 * sway, 0.77 + sway * 0.13), vec2(27.0, 11.0));
    float beam = smoothstep(0.05, 0.75, shaft) * smoothstep(1.25, 0.1, -sun.y) * exp(-1.3 * sun.x * sun.x);
    sea += glow_colour * (0.35 + 0.65 * detail) * 0.34 * beam * high;
#else
    float murk = noise(near, cells_of(6.0, 1.3)) + 0.5 * noise(near + 0.37, cells_of(16.0, 1.3));
    sea *= 1.0 + (0.3 * clouds + 0.2 * detail) * murk;
#endif
    return sea;
}
"""

PARTS = {"sky": STARS + SKY, "space": STARS + SPACE, "water": WATER}


def fragment(kind: Kind, rich: bool) -> str:
    """Return the fragment shader of a kind of place; `rich`: with all that costs much."""
    part = PARTS.get(kind.name) or ground_shaders.part(kind.ground)
    start = START.replace("RANDOM", RANDOM).replace("COLOURS", plain(MOST_COLOURS)).replace("BACKDROP", part)
    return start.replace("#version 330\n", "#version 330\n#define RICH\n" if rich else "#version 330\n", 1)
