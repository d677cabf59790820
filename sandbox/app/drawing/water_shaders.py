"""The source of the backdrop's shaders that draws water: darker with depth, with shafts of light, waves and specks."""

from __future__ import annotations

SOURCE = """
vec3 broad(vec2 seen, vec2 near, vec2 far) {
    vec3 sea = ramp(seen.y);
    vec2 sun = to_glow(seen);
    float high = smoothstep(-0.1, 1.05, seen.y);
    sea += (glow_colour - sea) * glow * 0.75 * exp(-2.6 * dot(sun, sun));
    float murk = layers(far + vec2(time * 0.0010, 0.0), cells_of(2.0, 1.6), SCALES(4));
    sea *= 1.0 + 0.55 * clouds * murk;
    // Shafts of light fan out from the glow; they sway and fade with depth.
    float fan = sun.x / max(0.35 - sun.y, 0.2), sway = time * 0.05;
    float shaft = noise(vec2(fan * 0.5 + 0.02 * sway, 0.31 + sway * 0.1), vec2(11.0, 7.0))
        + 0.6 * noise(vec2(fan * 0.5 - 0.03 * sway, 0.77 + sway * 0.13), vec2(27.0, 11.0));
    float beam = smoothstep(0.0, 0.75, shaft) * smoothstep(1.35, 0.1, -sun.y) * exp(-0.9 * sun.x * sun.x);
    return sea + glow_colour * (0.35 + 0.65 * detail) * 0.36 * beam * high;
}

#ifdef RICH
// Bright lines where waves gather the light: where two slow noises are both near 0.
float caustic(vec2 near, vec2 cells) {
    vec2 drift = vec2(time * 0.9, time * 0.35) / cells;
    vec2 warp = vec2(noise(near + drift * 0.5, cells), noise(near + 0.5 - drift * 0.4, cells));
    vec2 at = near + 0.75 * warp / cells;
    float one = 1.0 - abs(noise(at + drift * 0.6, cells)), two = 1.0 - abs(noise(at + 0.29 - drift * 0.5, cells));
    return pow(one * two, 9.0);
}

// Specks that drift: plankton and bubbles.
float specks(vec2 far, vec2 cells) {
    far += vec2(0.004 * sin(time * 0.11 + 9.0 * far.y), -time * 0.0016);
    vec2 at = far * cells, cell = mod(floor(at), cells);
    vec2 there = 0.15 + 0.7 * vec2(random(cell + 3.0), random(cell + 19.0));
    vec2 off = (fract(at) - there) / cells * world_size / (pixel * depth);  // pixels
    float size = 0.8 + 1.6 * random(cell + 43.0);
    return exp(-dot(off, off) / (size * size)) * step(random(cell + 71.0), 0.35);
}
#endif

vec3 fine(vec3 sea, vec2 seen, vec2 near, vec2 far) {
#ifdef RICH
    float high = smoothstep(-0.1, 1.05, seen.y);
    float waves = caustic(far, cells_of(6.0, 1.5)) + 0.7 * caustic(far + 0.17, cells_of(13.0, 1.5));
    sea += glow_colour * detail * waves * (0.03 + 0.42 * high * high * high);
    float bits = specks(far, cells_of(16.0, 1.0)) + 0.6 * specks(far + 0.37, cells_of(34.0, 1.0));
    sea += glow_colour * (0.10 + 0.20 * high) * bits;
#endif
    return sea;
}
"""
