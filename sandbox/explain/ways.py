"""Directions in words: on the picture in a flat world, as the animal sees them in a world with depth."""

from __future__ import annotations

import math
import operator
from typing import TypeAlias

from sandbox.explain.wording import length, listed, size
from sandbox.language import translate

Vector: TypeAlias = tuple[float, ...]  # two numbers, or three in a world with depth
EIGHT = (
    "to the right",
    "to the upper right",
    "upward",
    "to the upper left",
    "to the left",
    "to the lower left",
    "downward",
    "to the lower right",
)
SIX = ("ahead", "behind"), ("to the right", "to the left"), ("above", "below")
TURNS = {  # what an acceleration does, and what a turn did
    "left": ("turns it left", "turns {angle}° left"),
    "right": ("turns it right", "turns {angle}° right"),
    "upward": ("turns it upward", "turns {angle}° upward"),
    "downward": ("turns it downward", "turns {angle}° downward"),
}
BETWEEN = math.sin(math.radians(22.5))  # of a vector's length: a component that is larger is named
STRAIGHT = 0.05  # degrees


def way(vector: Vector, heading: Vector = ()) -> str:
    """Return the direction of a vector: "to the upper left"; in a world with depth, "ahead and above"."""
    if not any(vector):
        return translate("in no direction")
    if len(vector) == 2:
        return translate(EIGHT[round(math.degrees(math.atan2(vector[1], vector[0])) / 45) % 8])
    parts, least = _parts(heading, vector), BETWEEN * length(vector)
    named = zip(parts, SIX, strict=True)
    return listed(translate(words[part < 0]) for part, words in named if abs(part) >= least)


def turns(vector: Vector, heading: Vector) -> str:
    """Return what an acceleration does: "turns it left and slows it down"; at rest "sets it off"."""
    if not any(heading):
        return translate("sets it off")
    angle, (does, _) = _turn(vector, heading)
    side = translate(does)
    return (
        translate("speeds it up"),
        translate("{side} and speeds it up", side=side),
        side,
        translate("{side} and slows it down", side=side),
        translate("slows it down"),
    )[round(angle / 45)]


def turned(before: Vector, after: Vector) -> str:
    """Return how a velocity has changed: "turns 3° left", "stops"."""
    if not any(before) or not any(after):
        return translate("sets off" if any(after) else "stops" if any(before) else "is at rest")
    angle, (_, did) = _turn(after, before)
    if angle < STRAIGHT:
        return translate("goes straight on")
    return translate(did, angle=size(angle))


def _turn(vector: Vector, heading: Vector) -> tuple[float, tuple[str, str]]:
    """Return the angle between a vector and a heading, degrees, and the words for the side to which it is."""
    if len(vector) == 2:
        along = vector[0] * heading[0] + vector[1] * heading[1]
        left = heading[0] * vector[1] - heading[1] * vector[0]
        return math.degrees(math.atan2(abs(left), along)), TURNS["left" if left > 0 else "right"]
    ahead, right, above = _parts(heading, vector)
    if abs(above) > abs(right):
        side = "upward" if above > 0 else "downward"
    else:
        side = "right" if right > 0 else "left"
    return math.degrees(math.atan2(math.hypot(right, above), ahead)), TURNS[side]


def _parts(heading: Vector, vector: Vector) -> Vector:
    """Return a vector as an animal sees it that looks along `heading`: ahead, to the right, above."""
    return tuple(sum(map(operator.mul, vector, axis)) for axis in seen_from(heading))


def seen_from(heading: Vector) -> tuple[Vector, Vector, Vector]:
    """Return the unit vectors ahead, to the right and above of an animal that looks along `heading`.

    Above is where y grows, as far as that is across the heading. One at rest looks into the picture, against z; one
    that looks straight up or down has the right of the picture on its right.
    """
    speed = length(heading)
    x, y, z = (part / speed for part in heading) if speed else (0.0, 0.0, -1.0)
    level = math.hypot(x, z)
    right = (-z / level, 0.0, x / level) if level > 1e-6 else (1.0, 0.0, 0.0)
    above = (-y * right[2], x * right[2] - z * right[0], y * right[0])
    return (x, y, z), right, above
