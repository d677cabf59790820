"""The fragment shader's source that draws wind."""

from __future__ import annotations

WIND = """
// A wisp in some parts of a lane, each `period` long, that fades at both ends, with a mote that it carries: x and y.
// `flown` is how far it has flown along the lane; after `count` parts the lane is closed.
vec2 wisp(float way, float flown, float period, float count, float lane, float across) {
    float pace = 0.75 + 0.5 * random(vec2(lane, 3.7 + differs * 91.0));
    float at_ = (way - flown * pace) / period + random(vec2(lane, 9.1 + differs * 57.0)), d = fract(at_);
    float luck = random(vec2(mod(floor(at_), count), lane + differs * 71.0));
    float long_ = sin(0.5 * TURN * d);
    vec2 from = vec2((d - 0.62 + 0.2 * luck) * period, across + (luck - 0.5) * 0.07 * period);
    vec2 mote = from / max(1.1, 1.3 * pixel);
    return vec2(long_ * long_ * d * smoothstep(0.35, 0.75, luck), exp(-dot(mote, mote)) * step(0.3, luck));
}

vec4 air(float turn) {
    float r = length(at), speed = share.x, turned = 0.5 + turn;
    bool straight = kind == 0 || kind == 3;
    float lane = clamp(size / 9.0, 6.0, 26.0);
    lane *= exp2(ceil(log2(max(1.0, 5.0 * pixel / lane))));
    float period = 9.0 * lane, thin = max(0.05, 0.60 * pixel / lane), count = 997.0;  // half a streak's width, in lanes
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
        count = max(1.0, floor((floor(across) + 0.5) * lane * TURN / period));
        way = turned * count * period;
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
    vec2 light_ = wisp(way, abs(speed) * time, period, count, number, off * lane);
    float streak = light_.x * (exp(-off * off / (thin * thin)) + 0.16 * exp(-off * off * 14.0));
    float brightness = envelope * (0.012 + gusts * (0.28 * streak + 0.36 * light_.y));
    return vec4(mix(colour, vec3(1.0), 0.35), brightness * inside(r - size));
}

vec4 thing() {
    return air(atan(at.y, at.x) / TURN);
}
"""
