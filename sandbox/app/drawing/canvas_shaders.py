"""Shaders of the canvas: each figure is a tight quad, in which the fragment shader evaluates a signed distance.

Distances are in pixels of the camera's screen from the figure's own origin, so that a width is the same at any zoom;
`smoothing` is the number of these per pixel of the framebuffer. On a torus, nothing is drawn outside the world.
"""

from sandbox.app.drawing.shaders import EDGES

PLACING = """
#version 330
uniform float pixel;   // u per pixel of the camera's screen
out vec2 place;        // u, in the world
out vec2 at;           // pixels

void put(vec2 origin, vec2 along, vec2 offset) {  // `offset` in pixels, ahead and to the left
    at = offset;
    vec2 turned = along * offset.x + vec2(-along.y, along.x) * offset.y;
    place = origin + turned * pixel;
    gl_Position = in_clip(origin - middle + turned * pixel);
}

vec2 corner() {
    return vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
}
"""

PAINTING = (
    """
#version 330
#define SOFT smoothing
uniform float pixel;
uniform float smoothing;  // pixels of the camera's screen per pixel of the framebuffer
uniform vec2 torus;       // u: size of a torus, or 0
in vec2 place;
in vec2 at;
out vec4 painted;

const vec3 DARK = vec3(0.02, 0.02, 0.05);
const float HALO = 2.6;  // pixels around a line
"""
    + EDGES
    + """
vec4 haloed(vec4 colour, float distance, float halo) {  // a line with a dark halo, visible on any background
    vec4 line = vec4(colour.rgb, colour.a * inside(distance));
    float near = 1.0 - clamp((distance + 0.5) / HALO, 0.0, 1.0);
    return over(line, vec4(DARK, halo * colour.a * near * near));
}

void paint(vec4 colour) {
    painted = colour;
    if (torus.x > 0.0) {
        vec2 beyond = max(-place, place - torus);
        painted.a *= inside(max(beyond.x, beyond.y) / pixel);
    }
}
"""
)

LINE_VERTEX = (
    PLACING
    + """
in vec2 begin;      // u
in vec2 end;        // u
in float width;     // pixels
in float head;      // pixels: length of the arrow's head; 0: none; negative: none, and straight ends
in float halo;      // opacity of the halo, 0 to 1
in vec4 colour;
in vec4 fades_to;   // the colour at its end

flat out float line_length;
flat out float half_width;
flat out float tip;
flat out float shade;
flat out vec4 first;
flat out vec4 last;

void main() {
    vec2 way = (end - begin) / pixel;
    line_length = length(way);
    vec2 along = line_length > 0.0 ? way / line_length : vec2(1.0, 0.0);
    half_width = 0.5 * width;
    tip = head > 0.0 ? min(head, 0.75 * line_length) : head;
    shade = halo;
    first = colour;
    last = fades_to;
    float around = max(half_width, 0.5 * tip) + (halo > 0.0 ? 3.0 : 1.0);
    vec2 side = corner();
    put(begin, along, vec2(side.x < 0.0 ? -around : line_length + around, side.y * around));
}
"""
)

LINE_FRAGMENT = (
    PAINTING
    + """
flat in float line_length;
flat in float half_width;
flat in float tip;
flat in float shade;
flat in vec4 first;
flat in vec4 last;

void main() {
    float end = line_length - max(0.7 * tip, 0.0), across = abs(at.y);
    float distance = length(vec2(at.x - clamp(at.x, 0.0, end), at.y)) - half_width;
    if (tip < 0.0) distance = max(across - half_width, max(-at.x, at.x - line_length));
    if (tip > 0.0) {
        float back = line_length - at.x;
        distance = min(distance, max((across - 0.46 * back) * 0.908, back - tip));
    }
    vec4 colour = mix(first, last, clamp(at.x / max(line_length, 1e-3), 0.0, 1.0));
    paint(haloed(colour, distance, shade));
}
"""
)

FILLED_VERTEX = (
    PLACING
    + """
in float width;     // pixels, of the outline
in float halo;
in vec4 fill;
in vec4 line;

flat out float half_width;
flat out float shade;
flat out vec4 inner;
flat out vec4 rim;

void place_filled(vec2 origin, vec2 along, vec2 size) {  // `size`: half of it, pixels
    half_width = 0.5 * width;
    shade = halo;
    inner = fill;
    rim = line;
    put(origin, along, corner() * (size + half_width + 3.0));
}
"""
)

FILLED_FRAGMENT = (
    PAINTING
    + """
flat in float half_width;
flat in float shade;
flat in vec4 inner;
flat in vec4 rim;

void paint_filled(float distance, float off) {  // from the edge, pixels, negative inside; from the nearest line
    vec4 ground = vec4(inner.rgb, inner.a * inside(distance));
    if (half_width > 0.0) ground = over(haloed(rim, off - half_width, shade), ground);
    paint(ground);
}
void paint_filled(float distance) { paint_filled(distance, abs(distance)); }
"""
)

ROUND_VERTEX = (
    FILLED_VERTEX
    + """
in vec2 centre;     // u
in vec2 heading;    // of length 1
in float radius;    // u
in float grow;      // pixels, added to the radius
in float fan;       // radians: half the angle of a sector; pi: a full circle
in float lean;      // in a world with depth: how much of the heading points to the viewer, -1 to 1

flat out float size;
flat out float half_fan;
flat out float toward;

void main() {
    size = radius / pixel + grow;
    half_fan = fan;
    toward = lean;
    place_filled(centre, heading, vec2(size));
}
"""
)

ROUND_FRAGMENT = (
    FILLED_FRAGMENT
    + """
flat in float size;
flat in float half_fan;
flat in float toward;

uniform bool deep;  // sectors are cones of balls

float off_cone(vec2 p, float lean, float fan) {  // how far a line of sight is outside a cone, inside one or its ball
    float away = length(p), far = sqrt(max(1.0 - away * away, 0.0)), edge = cos(fan), steep = abs(lean);
    float z = edge > steep ? min(far, away * steep / sqrt(edge * edge - steep * steep)) : far;  // where it is nearest
    float value = edge * length(vec2(away, z)) - p.x * sqrt(max(1.0 - lean * lean, 0.0)) - z * steep;
    float slope = length(vec2(dFdx(value), dFdy(value))) * size / smoothing;
    return size * value / clamp(slope, 1e-3, 2.0);
}

void main() {
    float distance = length(at) - size;
    if (deep && half_fan < 3.1415) {
        vec2 p = at / max(size, 1e-3);
        float seen = max(distance, off_cone(p, toward, half_fan)), off = abs(seen);
        float blind = max(distance, off_cone(-p, -toward, 3.1415927 - half_fan));
        paint_filled(seen, half_fan > 1.5708 ? min(off, abs(blind)) : off);
        return;
    }
    if (half_fan < 3.1415) {
        vec2 p = vec2(abs(at.y), at.x), edge = vec2(sin(half_fan), cos(half_fan));
        float aside = length(p - edge * clamp(dot(p, edge), 0.0, size));
        distance = max(distance, aside * sign(edge.y * p.x - edge.x * p.y));
    }
    paint_filled(distance);
}
"""
)

BOX_VERTEX = (
    FILLED_VERTEX
    + """
in vec2 low;        // u
in vec2 high;       // u

flat out vec2 half_size;

void main() {
    half_size = 0.5 * (high - low) / pixel;
    place_filled(0.5 * (low + high), vec2(1.0, 0.0), half_size);
}
"""
)

BOX_FRAGMENT = (
    FILLED_FRAGMENT
    + """
flat in vec2 half_size;

void main() {
    vec2 off = abs(at) - half_size;
    paint_filled(length(max(off, 0.0)) + min(max(off.x, off.y), 0.0));
}
"""
)

LETTER_VERTEX = (
    PLACING
    + """
in vec2 low;        // u
in vec2 high;       // u
in float cell;      // its place in the sheet
in float halo;      // opacity of the halo, 0 to 1
in vec4 colour;

uniform vec2 sheet; // columns and lines

out vec2 share;     // of the sheet
flat out float shade;
flat out vec4 ink;

void main() {
    vec2 inside = 0.5 * corner() + 0.5;
    place = mix(low, high, inside);
    share = vec2(mod(cell, sheet.x) + inside.x, floor(cell / sheet.x) + 1.0 - inside.y) / sheet;
    at = vec2(0.0);
    shade = halo;
    ink = colour;
    gl_Position = in_clip(place - middle);
}
"""
)

LETTER_FRAGMENT = (
    PAINTING
    + """
in vec2 share;
flat in float shade;
flat in vec4 ink;
uniform sampler2D letters;

const float BLURRED = 3.0;  // the mipmap level that is drawn as the halo

void main() {
    vec4 letter = vec4(ink.rgb, ink.a * texture(letters, share).r);
    float around = min(2.5 * textureLod(letters, share, BLURRED).r, 1.0);
    paint(over(letter, vec4(DARK, shade * ink.a * around)));
}
"""
)
