"""The built-in tools that place entities."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.session.tool import Tool
from sandbox.app.tools.placing import Placing
from sandbox.app.tools.wall import DrawWall

HANDFUL = 12  # boids
THINGS = ("Predator", "Obstacle", "Wall", "Wind", "Food", "Goal")


def thing_tools() -> list[Tool]:
    """Return new instances of the tools, in the palette's order."""
    return [
        Placing(
            "boid",
            "Boid",
            icons.ICON_FA_CROW,
            "Places a handful of animals that flock; drag to paint with them.",
            "Flocker",
            another="Velocity",
            without=THINGS,
            count=HANDFUL,
            swarms=True,
        ),
        Placing(
            "predator",
            "Predator",
            icons.ICON_FA_SKULL,
            "Places a predator.",
            "Predator",
            swarms=True,
            paints=False,
        ),
        Placing(
            "obstacle",
            "Obstacle",
            icons.ICON_FA_CUBE,
            "Places a round obstacle that nothing can enter, with depth a ball or a pillar; drag for a row of them.",
            "Obstacle",
            touching=True,
            offers="Obstacle.pillar",
        ),
        DrawWall(),
        Placing(
            "wind",
            "Wind",
            icons.ICON_FA_WIND,
            "Places a wind zone; drag to set its direction.",
            "Wind",
            paints=False,
            aims="Wind.direction",
            tilts="Wind.tilt",
        ),
        Placing(
            "food",
            "Food",
            icons.ICON_FA_SEEDLING,
            "Places food; drag for a row.",
            "Food",
            touching=True,
        ),
        Placing(
            "goal",
            "Goal",
            icons.ICON_FA_FLAG,
            "Places a goal that attracts the boids around it.",
            "Goal",
            paints=False,
        ),
    ]
