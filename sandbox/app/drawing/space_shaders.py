"""The source of the backdrop's shaders that draws space: a milky band, and nebulas with dark lanes."""

from __future__ import annotations

SOURCE = """
vec3 broad(vec2 seen, vec2 near, vec2 far) {
    vec3 sky = ramp(seen.y);
    vec2 sun = to_glow(seen), slow = vec2(time * 0.0002, 0.0);
    vec2 warp = vec2(
        layers(far + slow, cells_of(2.0, 1.2), SCALES(3)), layers(far + 0.43 - slow, cells_of(2.0, 1.2), SCALES(3))
    );
    float cloud = layers(far + 0.16 * warp, cells_of(3.0, 1.2), SCALES(6));
    float second = layers(far + 0.61 - 0.13 * warp, cells_of(2.0, 1.0), SCALES(4));
    float body = smoothstep(-0.22, 0.55, cloud + 0.55 * exp(-2.0 * dot(sun, sun)) * glow);
    float lane = smoothstep(0.02, 0.20, abs(second + 0.35 * cloud));  // dark lanes of dust
    float milky = milky_band(far) * (0.7 + 0.9 * second);
    vec3 cool = mix(colours[2], vec3(0.25, 0.45, 0.85), 0.45);
    vec3 tint = mix(cool, glow_colour, smoothstep(-0.25, 0.35, second));
    float bright = clouds * body * body * (0.30 + 0.70 * lane);
    sky = sky * (1.0 - 0.35 * clouds * (1.0 - lane) * body) + tint * 0.62 * bright;
    sky += mix(vec3(0.62, 0.66, 0.85), tint, 0.5) * max(milky, 0.0) * (0.06 + 0.10 * stars) * (0.4 + 0.6 * lane);
    return sky + glow_colour * 0.35 * glow * body * exp(-5.0 * dot(sun, sun));
}

vec3 fine(vec3 sky, vec2 seen, vec2 near, vec2 far) {
    return sky;
}
"""
