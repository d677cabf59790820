"""Draws random factors near those of flocks that stay alive and are good to watch."""

from __future__ import annotations

import math
import random

from sandbox.design.presets import QUANTITIES, Factors

KINDS = (
    {"separation": 0.6, "alignment": 1.6, "cohesion": 1.8, "sight": 1.2, "speed": 1.2, "size": 1.0},  # ribbons
    {"separation": 1.6, "alignment": 0.35, "cohesion": 1.3, "sight": 1.1, "speed": 1.0, "size": 1.15},  # a swarm
    {"separation": 1.2, "alignment": 2.5, "cohesion": 0.5, "sight": 1.5, "speed": 1.5, "size": 1.0},  # a river
    {"separation": 2.2, "alignment": 1.0, "cohesion": 0.7, "sight": 1.3, "speed": 0.7, "size": 1.4},  # large and slow
    {"separation": 0.8, "alignment": 0.8, "cohesion": 2.6, "sight": 0.8, "speed": 0.9, "size": 0.95},  # small balls
    {"separation": 1.0, "alignment": 1.4, "cohesion": 1.0, "sight": 0.65, "speed": 1.7, "size": 0.85},  # swift scraps
)
SURPRISE = "surprise"  # the name of the action that draws them
SPREAD = 1.25  # a factor is drawn up to so many times larger or smaller
NEAR = 0.2  # the power that brings a factor near to 1


def surprise(chance: random.Random, *, starving: bool = False) -> Factors:
    """Draw factors of all quantities, log-uniform around those of a random kind of flock, rounded to hundredths.

    Args:
        starving: some animals can starve: sight and speed stay near 1, because otherwise some would die out.
    """
    around, width, found = chance.choice(KINDS), math.log(SPREAD), {}
    for name in QUANTITIES:
        factor = around[name] * math.exp(chance.uniform(-width, width))
        found[name] = round(factor**NEAR if starving and name in ("sight", "speed") else factor, 2)
    return found
