"""The resource Hand: a place that attracts or repels the flock, set by commands and read by the system `hand`."""

from __future__ import annotations

from components.store.declare import number
from components.store.resources import resource


@resource
class Hand:
    """A person's hand in the world; with strength 0 there is none."""

    x: float = number(0, "u", -1e6, 1e6, "distance from the left edge")
    y: float = number(0, "u", -1e6, 1e6, "distance from the lower edge")
    strength: float = number(0, "u/s²", -1e6, 1e6, "how hard it pulls; below 0 it scares away")
    radius: float = number(200, "u", 0, 1e6, "how far away it is felt", above_low=True)
    z: float = number(0, "u", -1e6, 1e6, "distance from the back", deep=True)
