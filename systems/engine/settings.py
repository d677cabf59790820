"""The world's own settings: the `[world]` table of a scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from components.store.declare import choice, integer, number, switch
from components.store.fields import DEEP, FLAT
from components.store.resources import resource
from components.store.world import MOST_ENTITIES
from systems.engine.app import App

EDGES = ("wrap", "turn", "bounce", "open")
WRAP = EDGES.index("wrap")
BACKDROPS = (
    *("dusk", "dawn", "sea", "meadow", "storm", "street", "night"),
    *("garden", "nebula", "slate", "sunset", "noon", "savanna", "lagoon"),
)
GROUNDS = ("meadow", "street", "garden", "slate", "savanna")  # seen from above while they are flat


@resource
class Settings:
    """Size of the world, what its edges do, and how long a tick is.

    `edges` and `backdrop` are read as words. `edges` is "wrap" (a torus), "turn" (steered back), "bounce" (reflected)
    or "open" (no edge).
    """

    width: float = number(1280, "u", 1, 1e6, "width of the world")
    height: float = number(720, "u", 1, 1e6, "height of the world")
    edges: str = choice(*EDGES, default="wrap", help="what happens at the border of the world")
    margin: float = number(50, "u", 0, 1e6, "how far from the edge steering begins")
    acceleration: float = number(12, "u/s²", 0, 1e6, "how hard it steers back inside")
    backdrop: str = choice(*BACKDROPS, default="dusk", help="background of the world", drawn=True)
    trails: bool = switch(False, "animals leave trails, unless a person hides them", drawn=True)
    tick_rate: int = integer(60, "Hz", 1, 1000, "ticks in a simulated second")
    population_limit: int = integer(
        MOST_ENTITIES, "entities", 1, MOST_ENTITIES, "no births while the world has this many entities"
    )
    depth: float = number(0, "u", 0, 1e6, "depth of the world; 0: it is flat", deep=True)

    @property
    def axes(self) -> str:
        """The axes of the world: "xy", or "xyz" if it has depth."""
        return DEEP if self.depth else FLAT

    @property
    def up(self) -> str:
        """The axis that points up in a world with depth: "z" over a ground, else "y"; "" in flat worlds."""
        return ("z" if self.backdrop in GROUNDS else "y") if self.depth else ""

    @property
    def size(self) -> tuple[float, ...]:
        """Width and height of the world, and its depth if it has some, u, as float32 values."""
        return (self.width, self.height, self.depth) if self.depth else (self.width, self.height)

    @property
    def torus(self) -> tuple[float, ...] | None:
        """The size of a "wrap" world; None for other edges."""
        stored: Mapping[str, Any] = self.stored  # type: ignore[attr-defined]
        return self.size if stored["Settings.edges"] == WRAP else None


def install(app: App) -> None:
    app.add_resource(Settings)
