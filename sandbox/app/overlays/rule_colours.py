"""The colour of each rule of flocking and each steering system: in the arrows, and wherever rules are named.

The three rules of flocking are told apart by everyone, also by those who see fewer colours: vermilion, sky blue and
green of the Okabe-Ito palette, lighter so that they show on dark grounds. Those after them share the rest of it.
"""

from __future__ import annotations

import zlib

RGB = tuple[int, int, int]

SUM: RGB = (255, 255, 255)
COLOURS: dict[str, RGB] = {
    "separation": (255, 112, 67),
    "alignment": (92, 196, 255),
    "cohesion": (64, 214, 138),
    "flee": (255, 92, 160),
    "pursuit": (255, 64, 64),
    "hunger": (176, 220, 60),
    "leading": (255, 196, 64),
    "goals": (255, 226, 92),
    "wander": (198, 160, 255),
    "obstacle_avoidance": (224, 164, 110),
    "obstacle_repulsion": (190, 140, 100),
    "wind": (140, 232, 228),
    "containment": (170, 180, 205),
    "hand": (255, 170, 220),
}
OTHERS: tuple[RGB, ...] = ((232, 140, 255), (255, 150, 120), (150, 210, 130), (130, 160, 255), (235, 215, 160))


def rule_colour(name: str) -> RGB:
    """The colour of a rule or system; one that a mod brings always gets the same of `OTHERS`."""
    return COLOURS.get(name) or OTHERS[zlib.crc32(name.encode()) % len(OTHERS)]
