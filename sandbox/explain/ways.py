"""Directions in words: on the picture in a flat world, as the animal sees them in a world with depth."""

from __future__ import annotations

import math
import operator
from typing import NamedTuple, TypeAlias

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
STRAIGHT = 0.01  # degrees


class Pose(NamedTuple):
    """How an animal is turned.

    Attributes:
        heading: where it looks, of any length; zeros at rest.
        up: the axis that points up in its world, if that has depth: "y" or "z".
    """

    heading: Vector
    up: str = "y"


def way(vector: Vector, pose: Pose) -> str:
    """Return the direction of a vector: "to the upper left"; in a world with depth, "ahead and above"."""
    if not any(vector):
        return translate("in no direction")
    if len(vector) == 2:
        return translate(EIGHT[round(math.degrees(math.atan2(vector[1], vector[0])) / 45) % 8])
    parts, least = _parts(pose, vector), BETWEEN * length(vector)
    named = zip(parts, SIX, strict=True)
    return listed(translate(words[part < 0]) for part, words in named if abs(part) >= least)


def turns(vector: Vector, pose: Pose) -> str:
    """Return what an acceleration does: "turns it left and slows it down"; at rest "sets it off"."""
    if not any(pose.heading):
        return translate("sets it off")
    angle, (does, _) = _turn(vector, pose)
    side = translate(does)
    return (
        translate("speeds it up"),
        translate("{side} and speeds it up", side=side),
        side,
        translate("{side} and slows it down", side=side),
        translate("slows it down"),
    )[round(angle / 45)]


def turned(before: Pose, after: Vector) -> str:
    """Return how a velocity has changed, `before.heading`: "turns 3° left", "stops"."""
    moved, moves = any(before.heading), any(after)
    if not moved or not moves:
        return translate("sets off" if moves else "stops" if moved else "is at rest")
    angle, (_, did) = _turn(after, before)
    if angle < STRAIGHT:
        return translate("goes straight on")
    return translate(did, angle=size(angle))


def _turn(vector: Vector, pose: Pose) -> tuple[float, tuple[str, str]]:
    """Return the angle between a vector and a heading, degrees, and the words for the side to which it is."""
    if len(vector) == 2:
        heading = pose.heading
        along = vector[0] * heading[0] + vector[1] * heading[1]
        left = heading[0] * vector[1] - heading[1] * vector[0]
        return math.degrees(math.atan2(abs(left), along)), TURNS["left" if left > 0 else "right"]
    ahead, right, above = _parts(pose, vector)
    if abs(above) > abs(right):
        side = "upward" if above > 0 else "downward"
    else:
        side = "right" if right > 0 else "left"
    return math.degrees(math.atan2(math.hypot(right, above), ahead)), TURNS[side]


def _parts(pose: Pose, vector: Vector) -> Vector:
    """Return a vector as an animal sees it: ahead, to the right, above."""
    return tuple(sum(map(operator.mul, vector, axis)) for axis in seen_from(pose))


def seen_from(pose: Pose) -> tuple[Vector, Vector, Vector]:
    """Return the unit vectors ahead, to the right and above of an animal.

    Above is up, as far as that is across the heading. One at rest looks away from the viewer; one that looks straight
    up or down has the right of the picture on its right.
    """
    speed, z_up = length(pose.heading), pose.up == "z"
    rest = (0.0, 1.0, 0.0) if z_up else (0.0, 0.0, -1.0)
    ahead = tuple(part / speed for part in pose.heading) if speed else rest
    across, away, up = ahead if z_up else (ahead[0], -ahead[2], ahead[1])
    level = math.hypot(across, away)
    x, y = (across / level, away / level) if level > 1e-6 else (0.0, 1.0)  # where it looks, across the ground
    seen = (across, away, up), (y, -x, 0.0), (-up * x, -up * y, level)
    if z_up:
        return seen
    first, second, third = ((x, up, -away) for x, away, up in seen)
    return first, second, third
