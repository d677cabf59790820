"""GLSL of the light and the air of a world with depth: what is lit, and what haze hides."""

from __future__ import annotations

AIR = """
uniform vec3 light;      // unit vector toward the sun
uniform vec3 sunlight, skylight, groundlight;  // colours of what is lit: by the sun, from above, and from below
uniform vec3 haze;       // its colour
uniform float thickness; // of the haze, per u

vec3 lit(vec3 colour, vec3 normal) {
    float sun = clamp(0.55 * dot(normal, light) + 0.45, 0.0, 1.0);
    vec3 around = mix(groundlight, skylight, 0.5 + 0.5 * dot(normal, above.xyz));
    return colour * (around + sun * sun * sunlight);
}

vec3 hazed(vec3 colour, vec3 offset) {
    float clear = exp(-thickness * length(offset - eye.xyz));
    return mix(haze, colour, clear);
}
"""
"""What shaders of solid things have beside `VIEW`; after the version's line."""
