"""The colours of the flocking rules and steering systems, for arrows and wherever rules are named.

The three flocking rules also differ in lightness: colour-blind people can tell vermilion, blue and light green apart.
The other colours were chosen to differ from these first, then from each other.
"""

from __future__ import annotations

import zlib

from sandbox.app.drawing.colours import Rgb
from sandbox.explain import steps

SUM: Rgb = (255, 255, 255)
COLOURS: dict[str, Rgb] = {
    steps.SUM: SUM,
    "separation": (255, 100, 52),
    "alignment": (88, 150, 255),
    "cohesion": (152, 250, 176),
    "flee": (240, 104, 180),
    "pursuit": (218, 78, 138),
    "hunger": (245, 207, 47),
    "leading": (250, 166, 67),
    "goals": (255, 253, 90),
    "wander": (196, 112, 230),
    "obstacle_avoidance": (206, 188, 136),
    "obstacle_repulsion": (136, 169, 128),
    "wind": (120, 222, 250),
    "containment": (196, 202, 216),
    "hand": (255, 196, 226),
}
OTHERS: tuple[Rgb, ...] = ((232, 140, 255), (255, 150, 120), (150, 210, 130), (130, 160, 255), (235, 215, 160))


def rule_colour(name: str) -> Rgb:
    """Return the colour of a rule, a system or the sum; for a mod's system one of OTHERS, by the hash of its name."""
    return COLOURS.get(name) or OTHERS[zlib.crc32(name.encode()) % len(OTHERS)]
