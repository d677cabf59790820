"""The world's own settings, and its seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from components.store.fields import declared
from components.store.world import World
from sandbox.design.format import Keys
from sandbox.design.rules import check_world
from sandbox.edit.borders import PLACE, bring_inside
from sandbox.edit.command import Command, Rows, find, read
from systems.engine.settings import BACKDROPS, EDGES, Settings

KEYS = declared(Keys)
NAMES = ("width", "height", "edges", "margin", "acceleration", "tick_rate", "population_limit", "backdrop", "seed")
CHOICES = {"edges": EDGES, "backdrop": BACKDROPS}
SHAPE = ("width", "height", "edges")  # with another one, some may find themselves outside


@dataclass(frozen=True)
class SetWorld(Command):
    """Set one of the world's settings, as a scene file writes it; `seed` holds for what is random from now on.

    Where the world takes another shape, those who are outside of it are brought inside.
    """

    name: str
    value: Any

    def check(self, world: World) -> None:
        stored = self._stored()
        if self.name == "edges":
            read("edges", stored, lambda edges: check_world(world, edges))

    def apply(self, world: World) -> None:
        if self.name == "seed":
            world.seed = self._stored()
            return
        setattr(world.resource(Settings), self.name, self._stored())
        if self.name in SHAPE:
            bring_inside(world)

    def label(self, world: World) -> str:
        return f"set {self.name.replace('_', ' ')}"

    def edited(self, world: World) -> tuple[Rows, Sequence[str]]:
        return np.arange(world.table.size if self.name in SHAPE else 0), PLACE

    def _stored(self) -> Any:
        declared = find("setting", self.name, {name: KEYS[name] for name in NAMES})
        stored = read(self.name, self.value, declared.parse)
        return CHOICES[self.name][stored] if self.name in CHOICES else stored
