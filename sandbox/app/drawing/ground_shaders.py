"""The sources of the backdrop's shaders that draw grounds: grass, dry grass, paving, earth and rock.

Each kind of ground is a texture at several scales. A scale that would be finer than the screen's pixels fades out.
"""

from __future__ import annotations

COMMON = """
// How far a pattern with this many cells over the world's height can be told apart: 0 to 1.
float told(vec2 cells) {
    return smoothstep(2.0, 5.0, world_size.y / cells.y / pixel);
}

// Whole numbers of cells over the world, each about so wide and high, u.
vec2 sized(vec2 cell) {
    return max(round(world_size / cell), 1.0);
}

float patches(vec2 near, vec2 warp) {
    return layers(near + 45.0 * warp / world_size, sized(vec2(330.0, 260.0)), SCALES(4));
}

vec3 tones(float tone) {
    return ramp(clamp(0.5 + tone, 0.0, 1.0));
}
"""

SIMPLE = """
float surface(vec2 near) {
    vec2 cells = sized(vec2(3.0, 6.0));
    return 0.7 * told(cells) * noise(near, cells);
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
float surface(vec2 near) {
    float fine = blades(near, vec2(3.5, 9.0), 1.0) + 0.7 * blades(near + 0.19, vec2(2.0, 5.0), 1.5);
    return 0.9 * fine + 0.5 * layers(near + 0.53, sized(vec2(34.0, 26.0)), 2) * told(sized(vec2(30.0)));
}
"""

DRY = """
float surface(vec2 near) {
    float tuft = noise(near, sized(vec2(15.0, 11.0))) + 0.6 * noise(near + 0.31, sized(vec2(8.0, 6.0)));
    float stalks = blades(near, vec2(2.6, 10.0), 1.5);
    return 0.8 * smoothstep(0.1, 0.8, tuft) * told(sized(vec2(10.0))) - 0.35 + 0.9 * stalks;
}
"""

PAVED = """
float surface(vec2 near) {
    vec2 cells = sized(vec2(13.0, 8.5));
    cells.y = max(2.0 * round(cells.y * 0.5), 2.0);
    vec2 at = near * cells;
    at.x += 0.5 * mod(floor(at.y), 2.0);
    vec2 cell = mod(floor(at), cells), f = fract(at);
    vec2 edge = min(f, 1.0 - f) * world_size / cells;  // u
    float joint = smoothstep(0.3 + 0.3 * pixel, 1.1 + pixel, min(edge.x, edge.y));
    float grit = noise(near, sized(vec2(3.0))) * told(sized(vec2(3.0)));
    float worn = 0.5 * layers(near, sized(vec2(60.0)), 3) + 0.25 * grit;
    return 0.30 * (random(cell) - 0.5) * told(cells) + worn - 0.42 * (1.0 - joint) * told(cells);
}
"""

EARTH = """
// Pebbles: at most one in a cell, lit from one side.
float pebbles(vec2 near, float wide) {
    vec2 cells = sized(vec2(wide)), at = near * cells, cell = mod(floor(at), cells);
    vec2 off = fract(at) - 0.5 - 0.28 * slope(cell);
    float luck = random(cell + 29.0), size = 0.10 + 0.20 * luck * luck;
    float inside_ = 1.0 - smoothstep(size * 0.75, size, length(off * vec2(1.0, 1.25)));
    return inside_ * (0.05 * luck + (off.y - off.x) / size * 0.12) * told(cells);
}

float surface(vec2 near) {
    float grit = 0.6 * noise(near, sized(vec2(2.6))) * told(sized(vec2(2.6)));
    float raked = 0.5 * layers(near + 20.0 / world_size * noise(near, sized(vec2(140.0))), sized(vec2(90.0, 14.0)), 3);
    return grit + raked + pebbles(near, 9.0) + pebbles(near + 0.23, 15.0);
}
"""

ROCK = """
float surface(vec2 near) {
    vec2 warp = vec2(noise(near, sized(vec2(90.0))), noise(near + 0.41, sized(vec2(90.0))));
    vec2 at = near + 22.0 * warp / world_size;
    float ridge = 1.0 - abs(noise(at, sized(vec2(170.0, 70.0)))) * 2.2;
    float crack = smoothstep(0.90, 0.99, ridge);
    float cleft = layers(at, sized(vec2(60.0, 22.0)), 4);
    return 0.85 * cleft - 0.55 * crack + 0.25 * noise(near, sized(vec2(3.0))) * told(sized(vec2(3.0)));
}
"""

MAIN = """
vec3 broad(vec2 seen, vec2 near, vec2 far) {
    vec2 sun = to_glow(seen);
    vec2 warp = vec2(noise(near, sized(vec2(260.0))), noise(near + 0.47, sized(vec2(260.0))));
    float patch_ = patches(near, warp);
    float shade = layers(near + vec2(time * 0.004, time * 0.0015) + 0.3, sized(vec2(900.0, 700.0)), SCALES(3));
    vec3 ground = tones(clouds * (0.85 * patch_ + 0.35 * warp.x));
    ground = mix(ground, tones(0.5) * vec3(1.06, 1.0, 0.86), 0.35 * clouds * smoothstep(0.1, 0.5, patch_));
    ground *= 1.0 - 0.16 * clouds * smoothstep(0.0, 0.5, shade);  // of clouds that pass
    ground *= 1.0 - 0.25 * dot(seen - 0.5, seen - 0.5);
    return ground + glow_colour * glow * 0.22 * exp(-1.7 * dot(sun, sun));
}

vec3 fine(vec3 ground, vec2 seen, vec2 near, vec2 far) {
    return ground * (1.0 + 0.75 * detail * surface(near));
}
"""

SURFACES = {"grass": TUFTS + GRASS, "dry": TUFTS + DRY, "paved": PAVED, "earth": EARTH, "rock": ROCK}


def source(ground: str) -> str:
    """Return the source for a kind of ground."""
    return f"{COMMON}\n#ifdef RICH\n{SURFACES[ground]}\n#else\n{SIMPLE}\n#endif\n{MAIN}"
