"""The shaders of stars: points that twinkle, more of them in the milky band, and that fade on a bright backdrop."""

from __future__ import annotations

VERTEX = """
uniform float sharp;  // pixels of the framebuffer per pixel of the screen
out vec3 colour;

const vec3 WARM = vec3(1.0, 0.86, 0.70), COLD = vec3(0.72, 0.84, 1.0);

void main() {
    vec2 name = vec2(float(gl_VertexID) * 0.37 + 1.0, 7.0), at = 0.5 + 0.5 * slope(name);
    float luck = random(name + 31.0), bright = pow(random(name + 57.0), 6.0), beat = 0.7 + 2.5 * random(name + 83.0);
    float crowd = milky_band(at);
    if (luck > 0.5 + crowd) at.y = mix(at.y, 0.5 + 0.20 * sin(6.2831853 * at.x), 0.8);
    vec2 first = floor(far_away(middle - offset_at(vec2(1.0))));
    vec2 far = first + at + vec2(gl_InstanceID % 3, gl_InstanceID / 3);
    vec2 centre = view.xy + 0.5 * view.zw, place = (far * world_size - centre) / depth + centre;
    vec3 behind = broad(of_view(place), place / world_size, far);
    float dark = 1.0 - smoothstep(0.12, 0.42, dot(behind, vec3(0.3, 0.6, 0.1)));
    colour = mix(WARM, COLD, luck) * dark * (0.16 + 0.84 * bright) * (0.80 + 0.20 * sin(time * beat + 400.0 * luck));
    gl_PointSize = sharp * (1.6 + 4.4 * bright);
    gl_Position = in_clip(place - middle);
    if (dark <= 0.0) gl_Position.z = 2.0;  // nowhere
}
"""

FRAGMENT = """
#version 330
in vec3 colour;
out vec4 painted;

void main() {
    vec2 off = gl_PointCoord * 2.0 - 1.0;
    float light = max(1.0 - dot(off, off), 0.0);
    painted = vec4(colour * light * light, 1.0);
}
"""
