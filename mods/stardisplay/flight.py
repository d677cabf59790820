"""How a starling flies: its wings, lift, drag, thrust and weight, and how it banks."""

from __future__ import annotations

import numpy as np

from sandbox.api import accelerate, add, dot, for_each_row, inlined, length, read, rotated, scaled, sub, to_f64, unit

f32 = np.float32


@inlined
def wings(own, heading):
    """Return the unit vectors to its right and to what is above it; zero vectors if it flies straight up or down."""
    right = unit((-heading[2], 0.0, heading[0]))
    top = (-heading[0] * heading[1], heading[0] * heading[0] + heading[2] * heading[2], -heading[2] * heading[1])
    top = unit(top)
    return (
        sub(scaled(right, own.bank_cosine), scaled(top, own.bank_sine)),
        add(scaled(top, own.bank_cosine), scaled(right, own.bank_sine)),
    )


@for_each_row
def fly(row, data, gravity):
    """Add the acceleration by steering and by the forces of flight."""
    own, velocity = data.starling[row], to_f64(read(data.velocity[row]))
    heading, speed, weight = unit(velocity), length(velocity), own.mass * gravity
    lift = weight * speed * speed / (own.cruise * own.cruise)
    force = add(_steering(own), scaled(wings(own, heading)[1], lift))
    force = add(force, scaled(heading, (weight - lift) / own.ratio))
    accelerate(data.motion[row], scaled(sub(force, (0.0, weight, 0.0)), 1.0 / own.mass))


@for_each_row
def roll(row, data, gravity, duration):
    """Bank until the steering and what carries its weight lie between its wings, and level out."""
    own = data.starling[row]
    side = wings(own, unit(to_f64(read(data.velocity[row]))))[0]
    wanted = add(_steering(own), (0.0, own.mass * gravity, 0.0))
    inward = own.roll_in * dot(wanted, side) / own.mass * duration
    outward = own.roll_out * own.bank_sine * duration
    bank = rotated((np.float64(own.bank_cosine), np.float64(own.bank_sine)), unit((1.0, inward)))
    bank = unit(rotated(bank, unit((1.0, -outward))))
    own.bank_cosine, own.bank_sine = f32(bank[0]), f32(bank[1])


@inlined
def _steering(own):
    return np.float64(own.steering_x), np.float64(own.steering_y), np.float64(own.steering_z)
