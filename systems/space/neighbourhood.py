"""Who stands around: exact sums over those candidates that are seen, and the nearest of them.

Every sum over neighbours adds integers: each term is rounded to fixed point by a power of two fit to its range, so
neither the order of the terms nor threads nor the vector width can matter. Terms go through int32, at most BLOCK at
a time, so that they vectorise and can't overflow; blocks add up in int64.
"""

# mypy: allow-untyped-defs
# (numba finds out the types of kernels)

from __future__ import annotations

import numpy as np

from systems.engine.kernel import aside, inlined
from systems.space.candidates import close

f32, i32, i64, index = np.float32, np.int32, np.int64, np.uint64
BLOCK = 240  # below 256: four counts share one int32, a byte each
VECTOR = 16  # candidates are read in rounds of so many
NONE, ALIGNS, GATHERS, PARTS, COINCIDES = i32(0), i32(1), i32(1 << 8), i32(1 << 16), i32(1 << 24)
ZERO, HALF, ONE, TINY = f32(0), f32(0.5), f32(1), f32(2.0**-126)
HI_LO = f32(1 << 20)


@inlined
def scale_for(most):
    """The power of two by which BLOCK terms, none above `most` (float32), still fit an int32 sum."""
    exponent = (f32(most).view(np.int32) >> i32(23)) - 126  # most < 2**exponent
    return i32((min(max(int(23 - exponent), -60), 60) + 127) << 23).view(np.float32)


@inlined
def in_view(dx, dy, d2, heading_x, heading_y, cone):
    """Whether an offset lies in the field of view; `cone` is c * |c| of the cosine c of half its angle.

    dot(heading, offset) >= c * d, squared with its sign so that no root is needed.
    """
    dot = dx * heading_x + dy * heading_y
    return dot * abs(dot) >= cone * d2


@inlined
def sum_seen(found, first, last, px, py, hx, hy, cone, own, same, r2_a, r2_c, r2_s, scale, near, flat):
    """Counts and sums over the candidates [first, last) that are seen from (px, py).

    Args:
        hx, hy, cone: as `in_view` takes them.
        own, same: own prefab; -1 to see only it, 0 to see every prefab.
        r2_a, r2_c, r2_s: squared radii of alignment, cohesion and separation.
        scale: fixed-point scale of the offsets that cohesion adds.
        near, flat: separation adds offset * (near / d + flat); both already hold its fixed-point scale.
    Returns:
        int64: how many align, gather, part, coincide; sums of u, v; of offsets x, y; of separation x, y. One who
        looks counts itself among those who align, gather, part and coincide.
    """
    n_a, n_c, n_s, n_0 = i64(0), i64(0), i64(0), i64(0)
    u, v, gx, gy, sx, sy = i64(0), i64(0), i64(0), i64(0), i64(0), i64(0)
    for begin in range(first, last, BLOCK):
        end = begin + (min(last - begin, BLOCK) + VECTOR - 1) // VECTOR * VECTOR
        counts, bu, bv, bgx, bgy, bsx, bsy = NONE, NONE, NONE, NONE, NONE, NONE, NONE
        for k in range(index(begin), index(end)):
            dx, dy, uk, vk = found.x[k] - px, found.y[k] - py, found.u[k], found.v[k]
            d2 = dx * dx + dy * dy
            seen = in_view(dx, dy, d2, hx, hy, cone) & (((found.kind[k] ^ own) & same) == 0)
            aligns, gathers, parts = seen & (d2 < r2_a), seen & (d2 < r2_c), seen & (d2 < r2_s)
            weight = near / np.sqrt(d2 + TINY) + flat
            bu = i32(bu + (uk if aligns else NONE))
            bv = i32(bv + (vk if aligns else NONE))
            bgx = i32(bgx + (i32(dx * scale) if gathers else NONE))
            bgy = i32(bgy + (i32(dy * scale) if gathers else NONE))
            bsx = i32(bsx + (i32(dx * weight) if parts else NONE))
            bsy = i32(bsy + (i32(dy * weight) if parts else NONE))
            counts = i32(counts + (ALIGNS if aligns else NONE))
            counts = i32(counts + (GATHERS if gathers else NONE))
            counts = i32(counts + (PARTS if parts else NONE))
            counts = i32(counts + (COINCIDES if d2 == ZERO else NONE))
        n_a, n_c = n_a + (counts & 255), n_c + (counts >> 8 & 255)
        n_s, n_0 = n_s + (counts >> 16 & 255), n_0 + (counts >> 24 & 255)
        u, v, gx, gy, sx, sy = u + bu, v + bv, gx + bgx, gy + bgy, sx + bsx, sy + bsy
    return n_a, n_c, n_s, n_0, u, v, gx, gy, sx, sy


@aside
def sum_curved(found, first, last, px, py, hx, hy, cone, own, same, r2, scale, inverse, most):
    """Separation's sum for the falloffs `inverse` (1/max(d, r/1000)) and smooth ((1 - (d/r)²)²).

    An inverse weight spans three orders of magnitude: each term keeps 20 more bits in a second sum.

    Args:
        scale: fixed-point scale; most: 1000 / r.
    Returns:
        int64: sums of x and y, times scale * 2**20.
    """
    sx, sy = i64(0), i64(0)
    for begin in range(first, last, BLOCK):
        end = begin + (min(last - begin, BLOCK) + VECTOR - 1) // VECTOR * VECTOR
        bx, by, fine_x, fine_y = NONE, NONE, NONE, NONE
        for k in range(index(begin), index(end)):
            dx, dy = found.x[k] - px, found.y[k] - py
            d2 = dx * dx + dy * dy
            seen = in_view(dx, dy, d2, hx, hy, cone) & (((found.kind[k] ^ own) & same) == 0)
            parts = seen & (d2 < r2)
            near = ONE / np.sqrt(d2 + TINY)
            rest = ONE - d2 / r2
            curve = min(near, most) if inverse else rest * rest
            wx, wy = dx * near * curve * scale, dy * near * curve * scale
            ix, iy = i32(wx), i32(wy)
            bx = i32(bx + (ix if parts else NONE))
            by = i32(by + (iy if parts else NONE))
            fine_x = i32(fine_x + (i32((wx - f32(ix)) * HI_LO) if parts else NONE))
            fine_y = i32(fine_y + (i32((wy - f32(iy)) * HI_LO) if parts else NONE))
        sx, sy = sx + (i64(bx) << 20) + fine_x, sy + (i64(by) << 20) + fine_y
    return sx, sy


@aside
def pick_nearest(found, first, last, px, py, hx, hy, cone, own, same, r2, most, me, flock, serial, picked):
    """Copy the `most` nearest of those seen, and the one who looks, to `picked`; returns their number.

    Ties go to the lower serial. `me` is the place in the grid's order of the one who looks.
    """
    count = 0
    nearest, distance = picked.who, picked.x  # while searching: places among the candidates, and d², ascending
    for k in range(first, last):
        dx, dy = found.x[k] - px, found.y[k] - py
        d2 = dx * dx + dy * dy
        if not d2 < r2 or (count == most and d2 > distance[most - 1]):
            continue
        alike = ((found.kind[k] ^ own) & same) == 0
        if found.who[k] == me or not (alike and in_view(dx, dy, d2, hx, hy, cone)):
            continue
        at = count
        while at > 0 and (
            d2 < distance[at - 1] or (d2 == distance[at - 1] and is_lower(found, k, nearest[at - 1], flock, serial))
        ):
            if at < most:
                nearest[at], distance[at] = nearest[at - 1], distance[at - 1]
            at -= 1
        if at < most:
            nearest[at], distance[at] = k, d2
            count = min(count + 1, most)
    for n in range(count):
        k = nearest[n]
        picked.x[n], picked.y[n], picked.u[n], picked.v[n] = found.x[k], found.y[k], found.u[k], found.v[k]
        picked.kind[n], picked.who[n] = found.kind[k], found.who[k]
    picked.x[count], picked.y[count], picked.u[count], picked.v[count] = px, py, flock.u[me], flock.v[me]
    picked.kind[count], picked.who[count] = flock.kind[me], me
    close(picked, count + 1)
    return count + 1


@inlined
def is_lower(found, one, other, flock, serial):
    """Whether one candidate's serial is lower than another's."""
    return serial[flock.grid.row[found.who[one]]] < serial[flock.grid.row[found.who[other]]]
