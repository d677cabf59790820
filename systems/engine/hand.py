"""Where a hand pulls the flock to, or scares it away from: put into the world by a person, read by who steers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from components.store.fields import Field, number


@dataclass(frozen=True)
class Hand:
    """A resource of the world while a hand is in it.

    Attributes:
        x, y: where it is, u.
        strength: how hard it pulls, u/s²; below 0 it scares away.
        radius: how far away it is felt, u.
    """

    x: float
    y: float
    strength: float
    radius: float


_FIELDS: Mapping[str, Field] = {
    "x": number(0, "u", -1e6, 1e6, "distance from the left edge"),
    "y": number(0, "u", -1e6, 1e6, "distance from the lower edge"),
    "strength": number(600, "u/s²", -1e6, 1e6, "how hard it pulls; below 0 it scares away"),
    "radius": number(200, "u", 0, 1e6, "how far away it is felt", above_low=True),
}
FIELDS = {name: replace(field, owner=Hand.__name__, name=name) for name, field in _FIELDS.items()}
