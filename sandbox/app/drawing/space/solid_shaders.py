"""Shaders of obstacles, walls, food, goals and wind in a world with depth."""

from __future__ import annotations

from sandbox.app.drawing import rock_shaders, wall_shaders
from sandbox.app.drawing.shaders import filled, vector_of
from sandbox.app.drawing.space.air import AIR
from sandbox.render.solids import AURA, BALL, CROWN, LEAVES, PETALS, PILLAR, SLAB

LAYERS = """
float layer_of(vec3 rock, float fine) {  // -0.5 to 0.5
    float bent = 0.3 * (sin(0.91 * rock.x + 0.47 * rock.z) + sin(0.62 * rock.y - 0.83 * rock.z));
    return fract(sin(12.99 * floor(fine * (dot(rock, above.xyz) + bent))) * 437.59) - 0.5;
}
"""
VERTEX = (
    """
#version 330
"""
    + LAYERS
    + """
in vec3 begin;      // u
in vec3 end;        // u
in float radius;    // u
in float deep;      // u
in float variety;   // 0 to 1
in uint kind_colour;

uniform int kind;
uniform float alpha;
uniform sampler2D meshes;
uniform vec3 stone; // what obstacles and walls of the usual colours have on this backdrop

out vec3 offset;
out vec3 outward;
out vec3 colour;
out vec3 rock;      // a place in a wall, in thicknesses of its layers

bool is_like(vec3 other) {
    return all(lessThan(abs(colour - other), vec3(0.002)));
}

float bumps(vec3 at) {  // 0 to 1
    at += 17.0 * variety;
    return 0.5 + 0.25 * (sin(3.1 * at.x + 1.7 * at.y) + sin(2.7 * at.y + 2.3 * at.z) * cos(2.9 * at.z - 1.3 * at.x));
}

void main() {
    vec3 corner = texelFetch(meshes, ivec2(gl_VertexID, kind), 0).xyz, place;
    colour = vec3(uvec3(kind_colour >> 16u, kind_colour >> 8u, kind_colour) & 255u) / 255.0;
    if (is_like(ROCKS) || is_like(WALLS)) colour = stone;
    outward = corner;
    rock = vec3(0.0);
    if (kind == SLAB) {
        vec3 along = end - begin;
        float size = length(along);
        along = size > 0.0 ? along / size : vec3(1.0, 0.0, 0.0);
        place = mix(begin - along * radius, end + along * radius, corner.x) + vec3(0.0, 0.0, deep * corner.z);
        rock = place / max(2.0 * radius, 0.08 * deep);
        float chip = fract(sin(dot(rock, vec3(12.9, 78.2, 37.7))) * 437.59), ledge = layer_of(rock, 1.6);
        place += vec3(-along.y, along.x, 0.0) * radius * corner.y * (0.80 + 0.20 * ledge - 0.30 * chip);
        place.z -= radius * chip * (2.0 * corner.z - 1.0) * step(0.49, abs(corner.z - 0.5));
    } else if (kind == PILLAR) {
        float level = deep * corner.z / radius + 9.0 * variety, bed = floor(1.6 * level + 0.9 * sin(1.3 * level));
        float layer = fract(sin(12.99 * bed) * 437.59) - 0.5;  // of the rock
        float size = radius * (0.97 - 0.10 * layer - 0.22 * bumps(vec3(2.3 * corner.xy, 0.45 * level)));
        colour *= 0.97 + 0.34 * layer;
        place = vec3(mix(begin.xy, end.xy, alpha) + corner.xy * min(size, radius), deep * corner.z);
    } else {
        float size = radius;
        if (kind == BALL) size *= 1.0 - 0.14 * bumps(1.4 * corner) - 0.10 * bumps(4.3 * corner);
        if (kind == CROWN) size *= 1.0 - 0.10 * bumps(2.0 * corner) - 0.12 * bumps(5.0 * corner);
        if (kind == PETALS) {
            float turn = atan(corner.y, corner.x) * 5.0, fold = sin(turn + 5.0 * corner.z + 6.28 * variety);
            size *= 0.72 + 0.28 * fold * (1.0 - 0.5 * abs(corner.z)) * sign(cos(9.0 * corner.z + 0.4 * fold));
            colour *= 0.72 + 0.42 * (size / radius);
        }
        vec3 side = above.y > 0.5 ? vec3(corner.x, corner.z, -corner.y) : corner;
        place = mix(begin, end, alpha) + (kind == LEAVES ? side : corner) * size;
    }
    offset = place - focus.xyz;
    gl_Position = in_clip(offset);
}
"""
)

FRAGMENT = (
    """
#version 330
"""
    + AIR
    + LAYERS
    + """
in vec3 offset;
in vec3 outward;
in vec3 colour;
in vec3 rock;
uniform int kind;
out vec4 painted;

void main() {
    vec3 sight = line_of_sight(offset);
#ifdef CLEAR
    float rim = 1.0 - abs(dot(normalize(outward), sight));
    painted = vec4(hazed(colour, offset), 0.04 + 0.5 * rim * rim * rim);
#else
    vec3 normal = normalize(cross(dFdx(offset), dFdy(offset)));
    if (dot(normal, sight) > 0.0) normal = -normal;
    vec3 own = colour;
    if (kind == SLAB) own *= 1.0 + 0.30 * layer_of(rock, 1.6) + 0.16 * layer_of(rock, 8.5);
    painted = vec4(hazed(lit(own, normal), offset), 1.0);
#endif
}
"""
)
_WORDS = {
    "SLAB": SLAB,
    "PILLAR": PILLAR,
    "BALL": BALL,
    "LEAVES": LEAVES,
    "AURA": AURA,
    "PETALS": PETALS,
    "CROWN": CROWN,
    "ROCKS": vector_of(rock_shaders.USUAL),
    "WALLS": vector_of(wall_shaders.USUAL),
}


def variant(*, clear: bool) -> tuple[str, str]:
    """Return a vertex and a fragment shader of what is solid, or of what is translucent."""
    return filled(VERTEX, _WORDS), filled(FRAGMENT, _WORDS).replace(
        "#version 330\n", "#version 330\n" + "#define CLEAR\n" * clear, 1
    )
