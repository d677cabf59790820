"""The parts of the backdrop's fragment shader that draw grounds: grass, dry grass, paving, earth and rock.

Each kind of ground is a texture at several scales. A scale that would be finer than the screen's pixels fades out.
"""

from __future__ import annotations

COMMON = """
// How far a pattern with this many cells over the world's height can be told apart: 0 to 1.
float told(vec2 cells) {
    return smoothstep(2.0, 5.0, world.y / cells.y / pixel);
}

// Whole numbers of cells over the world, each about so wide and high, u.
vec2 sized(vec2 cell) {
    return max(round(world / cell), 1.0);
}

vec3 tones(float tone) {
    return ramp(clamp(0.5 + tone, 0.0, 1.0));
}
"""

TUFTS = """
// Blades of grass: fine lines that lean where the patches do.
float blades(vec2 near, vec2 cell, float lean) {
    vec2 cells = sized(cell);
    float bent = 0.8 * lean / cells.x * noise(near, sized(cell * vec2(9.0, 3.0)));
    return told(cells) * noise(near + vec2(bent * 3.0, 0.0), cells);
}
"""

GRASS = """
float surface(vec2 near, float patch_, out float dry) {
    dry = smoothstep(0.12, 0.5, patch_);
    float fine = blades(near, vec2(3.5, 9.0), 1.0) + 0.7 * blades(near + 0.19, vec2(2.0, 5.0), 1.5);
    return 0.9 * fine + 0.5 * layers(near + 0.53, sized(vec2(34.0, 26.0)), 2) * told(sized(vec2(30.0)));
}
"""

DRY = """
float surface(vec2 near, float patch_, out float dry) {
    dry = smoothstep(0.0, 0.45, patch_);
    float tuft = noise(near, sized(vec2(15.0, 11.0))) + 0.6 * noise(near + 0.31, sized(vec2(8.0, 6.0)));
    float stalks = blades(near, vec2(2.6, 10.0), 1.5);
    return 0.8 * smoothstep(0.1, 0.8, tuft) * told(sized(vec2(10.0))) - 0.35 + 0.9 * stalks * (0.5 + 0.5 * dry);
}
"""

PAVED = """
float surface(vec2 near, float patch_, out float dry) {
    dry = 0.0;
    vec2 cells = sized(vec2(46.0, 23.0));
    cells.y = max(2.0 * round(cells.y * 0.5), 2.0);
    vec2 at = near * cells;
    at.x += 0.5 * mod(floor(at.y), 2.0);
    vec2 cell = mod(floor(at), cells), f = fract(at);
    vec2 edge = min(f, 1.0 - f) * world / cells;  // u
    float joint = smoothstep(0.5 + 0.5 * pixel, 1.6 + pixel, min(edge.x, edge.y));
    float worn = 0.6 * noise(near, sized(vec2(9.0))) * told(sized(vec2(9.0)));
    float slab = 0.55 * (random(cell) - 0.5) + worn + 0.10 * noise(near, sized(vec2(2.5))) * told(sized(vec2(2.5)));
    return slab - 0.75 * (1.0 - joint) * told(cells);
}
"""

EARTH = """
float surface(vec2 near, float patch_, out float dry) {
    dry = smoothstep(0.1, 0.5, patch_);
    vec2 cells = sized(vec2(7.0));
    vec2 at = near * cells, cell = mod(floor(at), cells);
    vec2 there = 0.25 + 0.5 * vec2(random(cell + 3.0), random(cell + 17.0));
    float size = 0.08 + 0.22 * random(cell + 29.0) * random(cell + 41.0);
    vec2 off = fract(at) - there;
    float pebble = smoothstep(size, size * 0.6, length(off)) * (0.4 - 2.2 * off.x + 2.2 * off.y) * told(cells);
    float clods = layers(near, sized(vec2(26.0)), 4);
    return 0.85 * clods * told(sized(vec2(14.0))) + 0.8 * pebble * step(0.55, random(cell + 5.0));
}
"""

ROCK = """
float surface(vec2 near, float patch_, out float dry) {
    dry = 0.0;
    vec2 warp = vec2(noise(near, sized(vec2(90.0))), noise(near + 0.41, sized(vec2(90.0))));
    vec2 at = near + 22.0 * warp / world;
    float ridge = 1.0 - abs(noise(at, sized(vec2(170.0, 70.0)))) * 2.2;
    float crack = smoothstep(0.90, 0.99, ridge);
    float cleft = layers(at, sized(vec2(60.0, 22.0)), 4);
    return 0.85 * cleft - 0.55 * crack + 0.25 * noise(near, sized(vec2(3.0))) * told(sized(vec2(3.0)));
}
"""

MAIN = """
vec3 backdrop(vec2 seen, vec2 near, vec2 far) {
    vec2 sun = to_glow(seen);
#ifdef RICH
    vec2 warp = vec2(noise(near, sized(vec2(260.0))), noise(near + 0.47, sized(vec2(260.0))));
    float patch_ = layers(near + 45.0 * warp / world, sized(vec2(330.0, 260.0)), 4), dry;
    float rough = surface(near, patch_, dry);
    float shade = layers(near + vec2(time * 0.004, time * 0.0015) + 0.3, sized(vec2(900.0, 700.0)), 3);
    vec3 ground = tones(clouds * (0.85 * patch_ + 0.35 * warp.x));
    ground = mix(ground, tones(0.5) * vec3(1.06, 1.0, 0.86), 0.35 * dry * clouds);
    ground *= 1.0 + 0.75 * detail * rough;
    ground *= 1.0 - 0.16 * clouds * smoothstep(0.0, 0.5, shade);  // of clouds that pass
#else
    float patch_ = noise(near, sized(vec2(170.0))) + 0.6 * noise(near + 0.37, sized(vec2(61.0)));
    vec3 ground = tones(0.5 * clouds * patch_) * (1.0 + 0.25 * clouds * patch_);
#endif
    return ground * (1.0 - 0.14 * dot(seen - 0.5, seen - 0.5)) + glow_colour * glow * 0.22 * exp(-1.7 * dot(sun, sun));
}
"""

SURFACES = {"grass": TUFTS + GRASS, "dry": TUFTS + DRY, "paved": PAVED, "earth": EARTH, "rock": ROCK}


def part(ground: str) -> str:
    """Return the part for a kind of ground."""
    return f"{COMMON}\n#ifdef RICH{SURFACES[ground]}\n#endif{MAIN}"
