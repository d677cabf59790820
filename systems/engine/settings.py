"""The world's own settings: the `[world]` table of a scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

EDGES = ("wrap", "turn", "bounce", "open")
BACKDROPS = (
    *("dusk", "dawn", "sea", "meadow", "storm", "street", "night"),
    *("garden", "nebula", "slate", "sunset", "noon", "savanna", "lagoon"),
)


@dataclass
class Settings:
    """Size of the world, what its edges do, and its clock.

    Attributes:
        width, height: of the world, u.
        edges: "wrap" (a torus), "turn" (steered back), "bounce" (reflected) or "open" (no edge).
        margin: u, how far from a "turn" edge steering begins.
        acceleration: u/s², how hard "turn" edges steer.
        tick_rate: ticks per simulated second.
        population_limit: births wait while the world holds as many.
        backdrop: background of the world, one of BACKDROPS.
    """

    width: float = 1280.0
    height: float = 720.0
    edges: str = "wrap"
    margin: float = 50.0
    acceleration: float = 12.0
    tick_rate: int = 60
    population_limit: int = 1_000_000
    backdrop: str = "dusk"

    def __setattr__(self, name: str, value: object) -> None:
        """Whole numbers become floats where these are meant: kernels would be compiled once more for integers."""
        super().__setattr__(name, float(value) if Settings.__annotations__.get(name) == "float" else value)  # type: ignore[arg-type]

    @property
    def torus(self) -> tuple[float, float] | None:
        """Width and height, u, of a world that repeats; else None."""
        return (self.width, self.height) if self.edges == "wrap" else None

    @property
    def stored(self) -> dict[str, Any]:
        return dict(vars(self))

    @stored.setter
    def stored(self, values: Mapping[str, Any]) -> None:
        vars(self).update(values)
