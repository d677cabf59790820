"""Formats directions and amounts in words."""

from __future__ import annotations

import math
from collections.abc import Iterable

from sandbox.language import translate

Vector = tuple[float, float]
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
STRAIGHT = 22.5  # degrees: an acceleration nearer to the heading only changes the speed
NOTHING = 0.05  # u/s²: less is reported as nothing


def way(vector: Vector) -> str:
    """Return the direction of a vector on the screen: "to the upper left"."""
    return translate(EIGHT[round(math.degrees(math.atan2(vector[1], vector[0])) / 45) % 8])


def turns(vector: Vector, heading: Vector) -> str:
    """Return what an acceleration does: "turns it left and slows it down"; at rest "sets it off"."""
    if math.hypot(*heading) == 0:
        return translate("sets it off")
    along = vector[0] * heading[0] + vector[1] * heading[1]
    left = heading[0] * vector[1] - heading[1] * vector[0]
    angle = abs(math.degrees(math.atan2(left, along)))
    side = translate("turns it left" if left > 0 else "turns it right")
    if angle <= STRAIGHT:
        return translate("speeds it up")
    if angle >= 180 - STRAIGHT:
        return translate("slows it down")
    if angle < 90 - STRAIGHT:
        return translate("{side} and speeds it up", side=side)
    if angle > 90 + STRAIGHT:
        return translate("{side} and slows it down", side=side)
    return side


def size(value: float) -> str:
    """Format a number for people: "1,234", "84", "8.4", "0.84", "0.0084"."""
    value = abs(value)
    if value >= 9.95:
        return f"{value:,.0f}"
    return f"{value:.1f}".removesuffix(".0") if value >= 0.995 else f"{value:.2g}" if value >= 1e-4 else "0"


def strength(vector: Vector) -> float:
    """Return the length of a vector."""
    return math.hypot(*vector)


def asks(vector: Vector, heading: Vector) -> str:
    """Describe an acceleration: "84 u/s² to the upper left, which turns it left"."""
    return translate(
        "{size} u/s² {way}, which {turns}", size=size(strength(vector)), way=way(vector), turns=turns(vector, heading)
    )


def listed(words: Iterable[str]) -> str:
    """Join words: "a, b and c"."""
    *first, last = words
    return f"{', '.join(first)}{translate(' and ')}{last}" if first else last


def count(number: int, one: str, more: str = "") -> str:
    """Format a number with its noun: "1 neighbour", "3 neighbours"."""
    return translate(f"{{number:,}} {one if number == 1 else more or one + 's'}", number=number)
