"""Functions that several programs of the graphics card use."""

RANDOM = """
float random(vec2 at) {
    vec3 p = fract(at.xyx * 0.1031);
    p += dot(p, p.yzx + 33.33);
    return fract((p.x + p.y) * p.z);
}
"""

EDGES = """
float inside(float distance) {  // how much of a pixel lies on the near side of an edge; one is SOFT long
    return clamp(0.5 - distance / SOFT, 0.0, 1.0);
}

vec4 over(vec4 upper, vec4 lower) {
    float sum = upper.a + lower.a * (1.0 - upper.a);
    return vec4(mix(lower.rgb * lower.a, upper.rgb, upper.a) / max(sum, 1e-4), sum);
}
"""
