"""The tools: what a left click places. A tool is chosen by its number, from 1 on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from components.store.world import Prefab

SEVERAL, ONE, ROW, LINE = range(4)


@dataclass(frozen=True)
class Tool:
    """Places the first prefab that has a component: the scene's own, else a built-in one.

    Attributes:
        hand: how it places: a handful again and again along a drag, one at the click, a row of them along a drag, or
            one from where the button goes down to where it comes up.
        without: a component that the prefab must not have.
    """

    name: str
    component: str
    hand: int
    without: str = ""

    def prefab(self, prefabs: Mapping[str, Prefab]) -> Prefab:
        """What it places.

        Raises:
            ValueError: there is no such prefab.
        """
        for prefab in prefabs.values():
            if self.component in prefab.components and self.without not in prefab.components:
                return prefab
        raise ValueError(f"this scene has no prefab with {self.component} to place")


TOOLS = (
    Tool("boid", "Flocker", SEVERAL, without="Predator"),
    Tool("predator", "Predator", ONE),
    Tool("obstacle", "Obstacle", ROW),
    Tool("wall", "Wall", LINE),
    Tool("wind", "Wind", ONE),
    Tool("food", "Food", ROW),
    Tool("goal", "Goal", ONE),
)
