"""What a starling decides: whom it heeds, and the force with which it steers. Forces are in newtons."""

from __future__ import annotations

import numpy as np

from sandbox.api import add, cosine, direction_like, dot, filled, inlined, length, parallel_kernel, prange
from sandbox.api import random_unit, read, scaled, stream, sub, to_f64, toward, unit

from .flight import wings

TURN, UPWARD = stream("stardisplay turn"), stream("stardisplay upward")
f32 = np.float32


@parallel_kernel
def decide(due, rows, lists, roosts, data, torus, reaction, seed, tick):
    """Set the range and the steering of those due: indexes into `rows`, and into lists of all within two ranges."""
    for n in prange(len(due)):
        _decide(due[n], rows[due[n]], lists, roosts, data, torus, reaction, seed, tick)


@inlined
def _decide(k, me, lists, roosts, data, torus, reaction, seed, tick):
    own, velocity = data.starling[me], to_f64(read(data.velocity[me]))
    heading = unit(velocity)
    force, count = _social(k, me, lists, data, heading, torus)
    force = add(force, scaled(heading, own.mass / own.hurry * (own.cruise - length(velocity))))
    if len(roosts):
        force = add(force, _to_roost(me, roosts, data, heading, torus))
    turn, upward = random_unit(seed, tick, data.serial[me], TURN), random_unit(seed, tick, data.serial[me], UPWARD)
    force = add(force, scaled(to_f64(direction_like(heading, turn, upward)), own.error))
    own.steering_x, own.steering_y, own.steering_z = f32(force[0]), f32(force[1]), f32(force[2])
    share = own.adapting * reaction
    adapted = (1.0 - share) * own.range + share * own.farthest * (1.0 - count / own.heeds)
    own.range = f32(min(max(adapted, own.hard), own.farthest))


@inlined
def _social(k, me, lists, data, heading, torus):
    """Return the sum of separation, cohesion and alignment, and how many are within the range."""
    own, here, ahead = data.starling[me], read(data.position[me]), cosine(180.0 - 0.5 * data.starling[me].blind)
    apart = together = along = middle = filled(heading, 0.0)
    count, seen, first, last = 0, 0, lists.start[k], lists.start[k + 1]
    for n in range(first, last):
        other = lists.who[n]
        offset = to_f64(toward(here, read(data.position[other]), torus))
        distance, way = length(offset), unit(offset)
        middle = add(middle, way)
        if distance > own.range:
            continue
        count += 1
        apart = sub(apart, scaled(way, _nearness(distance, own)))
        if own.blind == 0.0 or dot(way, heading) >= ahead:
            seen += 1
            along = add(along, sub(unit(to_f64(read(data.velocity[other]))), heading))
            if distance > own.hard:
                together = add(together, way)
    force = scaled(unit(along), own.alignment)
    if count:
        force = add(force, scaled(apart, own.separation / count))
    if seen:
        outside = length(middle) / (last - first)
        force = add(force, scaled(together, outside * own.cohesion / seen))
    return force, count


@inlined
def _nearness(distance, own):
    """Return 1 up to the hard radius, and from there on a Gaussian that falls from 1 to 0."""
    beyond = max(distance - own.hard, 0.0) / own.spread
    return decay(beyond * beyond)


@inlined
def decay(x):
    """Return exp(-x) for x from 0 on: within 4e-9 of itself up to 40, and 0 beyond."""
    if x > 40.0:
        return 0.0
    t = x / -256.0
    power = 1.0 + t * (1.0 + t / 2.0 * (1.0 + t / 3.0 * (1.0 + t / 4.0 * (1.0 + t / 5.0 * (1.0 + t / 6.0)))))
    for _ in range(8):
        power *= power
    return power


@inlined
def _to_roost(me, roosts, data, heading, torus):
    """Return the force that brings it to the height of the nearest roost, and back inside its radius."""
    own, here, nearest, least = data.starling[me], read(data.position[me]), roosts[0], np.inf
    for roost in roosts:
        offset = to_f64(toward(here, read(data.position[roost]), torus))
        if dot(offset, offset) < least:
            nearest, least = roost, dot(offset, offset)
    offset = to_f64(toward(here, read(data.position[nearest]), torus))
    outward = (-offset[0], 0.0, -offset[2])
    beyond, outward, side = length(outward) - data.roost[nearest].radius, unit(outward), wings(own, heading)[0]
    back = 0.5 * own.back * max(beyond, 0.0) * (1.0 + dot(heading, outward))
    if dot(side, outward) > 0.0:
        back = -back
    return add(scaled(side, back), (0.0, own.height * offset[1], 0.0))
