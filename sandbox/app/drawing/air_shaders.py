"""The source of the backdrop's shaders that draws skies: sun, high streaks and banks of cloud."""

from __future__ import annotations

SOURCE = """
vec3 broad(vec2 seen, vec2 near, vec2 far) {
    vec2 sun = to_glow(seen);
    float off = dot(sun, sun), low = 1.0 - smoothstep(0.0, 0.75, seen.y);
    vec3 sky = ramp(seen.y);
    float lit = 0.50 * exp(-3.0 * off) + 0.30 * exp(-0.9 * off - 16.0 * sun.y * sun.y) + 0.30 * exp(-30.0 * off);
    sky += (glow_colour - sky) * min(glow * lit, 1.0);
    far.x += time * 0.0006;
    vec2 warp = vec2(noise(far, cells_of(4.0, 2.0)), noise(far + 0.5, cells_of(5.0, 2.0)));
    vec3 bright = mix(ramp(seen.y - 0.25), glow_colour, 0.30 + 0.55 * exp(-1.4 * off));
    // High streaks, drawn out by the wind.
    float streak = layers(far + vec2(0.06 + time * 0.0004, 0.012) * warp, cells_of(9.0, 5.0), SCALES(5));
    float veil = smoothstep(0.26 - 0.42 * clouds, 0.50, streak) * smoothstep(0.02, 0.40, seen.y);
    sky = mix(sky, bright, (0.15 + 0.50 * clouds) * veil);
    // Banks of cloud, lit where they face the sun, dark on the other side.
    vec2 at = far + 0.03 * warp, cells = cells_of(3.0, 2.4);
    vec2 towards = (glow_at - seen) / (0.3 + length(glow_at - seen)) * vec2(0.012, 0.026);
    float bank = layers(at, cells, SCALES(5)) + 0.12 * low;
    float facing = smoothstep(-0.10, 0.16, bank - layers(at + towards, cells, SCALES(4)) - 0.12 * low);
    float thick = smoothstep(0.36 - 0.46 * clouds, 0.80 - 0.42 * clouds, bank);
    vec3 dark = mix(ramp(seen.y + 0.20), ramp(seen.y), 0.35) * 0.88;
    float heavy = smoothstep(0.7, 1.0, clouds);
    dark *= 1.0 - 0.45 * heavy * smoothstep(-0.2, 0.5, bank);
    return mix(sky, mix(dark, bright, facing * (1.0 - 0.4 * heavy)), 0.70 * thick * min(clouds * 1.6, 1.0));
}

vec3 fine(vec3 sky, vec2 seen, vec2 near, vec2 far) {
    return sky;
}
"""
