"""What the shaders of all backdrops share, and how they are put together from the source of each kind.

A kind's source has two functions: `broad`, colours without fine details, is computed for the corners of a mesh; `fine`
adds the details, for each pixel. All noise repeats with the world, so that copies of a torus meet without a seam.
Colours run over the view from top to bottom; what is far away moves and grows less than the world when the camera does.
"""

from __future__ import annotations

from functools import cache

from sandbox.app.drawing import air_shaders, ground_shaders, space_shaders, star_shaders, water_shaders
from sandbox.app.drawing.backdrops import Kind
from sandbox.app.drawing.shaders import RANDOM
from sandbox.render.backdrop import MOST_COLOURS

DECLARED = """
uniform vec2 world_size;  // u
uniform vec4 view;        // u: lower left corner, width and height of the area that panels leave free
uniform float pixel;      // u
uniform float time;       // s, simulated
uniform float depth;      // how much larger the far away is than in the fitted view
uniform vec3 colours[COLOURS];  // from top to bottom
uniform vec3 glow_colour;
uniform vec2 glow_at;     // in shares of the view
uniform float glow, clouds, stars, detail;
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

// Whole numbers of cells over the world: as many over its height as given, each so many times as wide as high.
vec2 cells_of(float over_height, float wide) {
    return max(round(vec2(world_size.x / world_size.y / wide, 1.0) * over_height), 1.0);
}

// Distance from the glow in heights of the view.
vec2 to_glow(vec2 seen) {
    return (seen - glow_at) * vec2(view.z / view.w, 1.0);
}

float milky_band(vec2 far) {
    float off = far.y - 0.5 - 0.20 * sin(6.2831853 * far.x);
    return exp(-off * off * 26.0);
}

vec2 of_view(vec2 place) {
    return (place - view.xy) / view.zw;
}

vec2 far_away(vec2 place) {
    vec2 centre = view.xy + 0.5 * view.zw;
    return (centre + (place - centre) * depth) / world_size;
}
"""

VERTEX = """
uniform float ends;  // how much darker it is beyond the world, 0 to 1
out vec2 place;      // u
out vec3 colour;

void main() {
    vec2 corner = vec2(gl_VertexID % (ACROSS + 1), gl_VertexID / (ACROSS + 1)) / vec2(ACROSS, UP) * 2.0 - 1.0;
    place = offset_at(corner) + middle;
    colour = broad(of_view(place), place / world_size, far_away(place));
    float beyond = length(max(abs(place - 0.5 * world_size) - 0.5 * world_size, 0.0)) / world_size.y;
    colour *= 1.0 - ends * smoothstep(0.0, 0.15, beyond);
    gl_Position = vec4(corner, 0.0, 1.0);
}
"""

FRAGMENT = """
in vec2 place;  // u
in vec3 colour;
out vec4 painted;

void main() {
    vec3 detailed = fine(colour, of_view(place), place / world_size, far_away(place));
    painted = vec4(detailed + (random(gl_FragCoord.xy) - 0.5) / 255.0, 1.0);  // so that no bands of colour are seen
}
"""

SOURCES = {"sky": air_shaders.SOURCE, "space": space_shaders.SOURCE, "water": water_shaders.SOURCE}


@cache
def shaders_of(kind: Kind, rich: bool, mesh: tuple[int, int]) -> tuple[str, str]:
    """Return the vertex and the fragment shader of a kind of backdrop.

    Args:
        rich: include all that costs much.
        mesh: number of squares across and up, for whose corners `broad` is computed.
    """
    begin = f"#version 330\n{'#define RICH' if rich else ''}\n{_declared(kind, 6 if rich else 3)}"
    vertex = VERTEX.replace("ACROSS", str(mesh[0])).replace("UP", str(mesh[1]))
    return begin + vertex, begin + FRAGMENT


@cache
def stars_of(kind: Kind) -> tuple[str, str]:
    """Return the vertex and the fragment shader of the stars of a kind of backdrop."""
    return f"#version 330\n{_declared(kind, 3)}{star_shaders.VERTEX}", star_shaders.FRAGMENT


def _declared(kind: Kind, scales: int) -> str:
    """Return the declarations with a kind's source, whose noise has at most so many scales."""
    source = SOURCES.get(kind.name) or ground_shaders.source(kind.ground)
    declared = DECLARED.replace("RANDOM", RANDOM).replace("COLOURS", str(MOST_COLOURS))
    return f"#define SCALES(n) min(n, {scales})\n{declared}{source}"
