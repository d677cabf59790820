"""The fragment shader's part that draws wind."""

from __future__ import annotations

WIND = """
// Dashes along a lane, bright at the front and fading behind; `flown` and `period` are lengths along it.
float dashes(float way, float flown, float period, float lane) {
    float pace = 0.75 + 0.5 * random(vec2(lane, 3.7 + differs * 91.0));
    float d = fract((way - flown * pace) / period + random(vec2(lane, 9.1 + differs * 57.0)));
    return d * d * (1.0 - smoothstep(0.68, 1.0, d)) * 1.6;
}

vec4 air(float turn) {
    float r = length(at), speed = share.x, turned = 0.5 + turn;
    bool straight = kind == 0 || kind == 3;
    float lane = clamp(size / 9.0, 6.0, 26.0);
    lane *= exp2(ceil(log2(max(1.0, 5.0 * pixel / lane))));
    float period = 7.0 * lane, thin = max(0.09, 0.55 * pixel / lane);  // half a streak's width, in lanes
    float across, way, gusts = 1.0, envelope = 1.0 - smoothstep(1.0 - max(share.z, 0.04), 1.0, r / size);
    if (straight) {
        speed = length(share.xy);
        vec2 ahead = speed > 0.0 ? share.xy / speed : vec2(1.0, 0.0);
        way = dot(at, ahead);
        across = dot(at, vec2(-ahead.y, ahead.x)) / lane;
        float wave = share.w + (kind == 3 ? 0.8 : 0.0);
        across += wave * sin(way / lane * 0.42 - time * 1.3 + across * 0.5);
        if (kind == 3) gusts = 0.35 + 0.85 * smoothstep(-0.3, 0.9, sin(way / size * 3.6 - time * 2.1 + across * 0.12));
    } else if (kind == 1) {
        across = r / lane;
        way = turned * max(1.0, floor((floor(across) + 0.5) * lane * TURN / period)) * period;
    } else {
        float lanes = 4.0 * floor(clamp(size * TURN * 0.125 / lane, 3.0, 12.0));
        across = turned * lanes;
        thin *= lane * lanes / (TURN * max(r, lane));
        way = r;
        envelope *= smoothstep(0.03, 0.3, r / size);
    }
    float number = floor(across), off = across - number - 0.5;
    off += 0.36 * (random(vec2(number, differs * 131.0)) - 0.5);
    if (speed < 0.0) way = -way;
    float streak = exp(-off * off / (thin * thin)) * dashes(way, abs(speed) * time, period, number);
    float rim = inside(abs(r - size + pixel) - 0.5 * pixel);
    float strength = envelope * (0.045 + 0.205 * streak * gusts) + 0.10 * rim;
    return vec4(colour, strength * inside(r - size));
}

vec4 thing() {
    return air(atan(at.y, at.x) / TURN);
}
"""
