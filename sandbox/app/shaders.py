"""What runs on the graphics card."""

BOIDS_VERTEX = """
#version 330
in vec2 previous;       // u
in vec2 position;       // u
in vec2 heading;        // u/s
in float size;          // u
in uint shape_colour;   // 0xSSRRGGBB

uniform vec2 middle;    // u, of the screen
uniform vec2 scale;     // clip space per u
uniform vec2 torus;     // u: size of a world that repeats, or 0
uniform float alpha;    // from previous to position
uniform float smallest; // u: nothing is drawn smaller
uniform int first_shape;
uniform sampler2D shapes;

const vec2 LIGHT = vec2(-0.8, -0.6);  // from where the sun went down
out vec3 colour;

void main() {
    vec4 corner = texelFetch(shapes, ivec2(gl_VertexID, first_shape + int(shape_colour >> 24u)), 0);
    float speed = length(heading);
    vec2 ahead = speed > 0.0 ? heading / speed : vec2(1.0, 0.0);
    vec2 offset = (ahead * corner.x + vec2(-ahead.y, ahead.x) * corner.y) * max(size, smallest);
    vec2 place = mix(previous, position, alpha);
    if (torus.x > 0.0) place = mod(place, torus);
    place += offset;
    vec3 plain = vec3((shape_colour >> 16u) & 255u, (shape_colour >> 8u) & 255u, shape_colour & 255u) / 255.0;
    colour = plain * corner.z * (0.95 + 0.15 * dot(ahead, LIGHT));
    gl_Position = vec4((place - middle) * scale, 0.0, 1.0);
}
"""

BOIDS_FRAGMENT = """
#version 330
in vec3 colour;
out vec4 painted;

void main() {
    painted = vec4(colour, 1.0);
}
"""

SKY_VERTEX = """
#version 330
uniform vec2 middle;
uniform vec2 scale;
out vec2 place;  // u

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    place = corner / scale + middle;
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""

SKY_FRAGMENT = """
#version 330
in vec2 place;
uniform vec2 world;   // u
uniform float pixel;  // u
out vec4 painted;

const vec3 ZENITH = vec3(0.043, 0.059, 0.133);
const vec3 HIGH = vec3(0.098, 0.094, 0.212);
const vec3 LOW = vec3(0.227, 0.145, 0.286);
const vec3 HORIZON = vec3(0.420, 0.212, 0.278);
const vec3 EMBER = vec3(0.690, 0.345, 0.220);
const vec3 OUTSIDE = vec3(0.024, 0.027, 0.059);
const vec3 BORDER = vec3(0.52, 0.43, 0.55);

void main() {
    vec2 share = clamp(place / world, 0.0, 1.0);
    float y = share.y;
    vec3 sky = mix(HORIZON, LOW, smoothstep(-0.05, 0.30, y));
    sky = mix(sky, HIGH, smoothstep(0.18, 0.62, y));
    sky = mix(sky, ZENITH, smoothstep(0.50, 1.05, y));
    vec2 sun = (share - vec2(0.22, -0.10)) * vec2(world.x / world.y * 0.62, 1.0);
    sky += (EMBER - sky) * 0.62 * exp(-dot(sun, sun) * 7.0);
    vec2 edge = max(-place, place - world);    // above 0 outside
    float outside = clamp(max(edge.x, edge.y) / pixel + 0.5, 0.0, 1.0);
    float border = 1.0 - clamp(abs(max(edge.x, edge.y)) / pixel - 0.5, 0.0, 1.0);
    painted = vec4(mix(mix(sky, OUTSIDE, outside), BORDER, 0.5 * border), 1.0);
}
"""
