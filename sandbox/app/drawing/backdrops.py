"""The named backdrops, each of a kind with a few numbers, and what a scene changes of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from components.store.world import World
from sandbox.app.drawing.colours import rgb_of, shares_of
from sandbox.render.backdrop import MOST_COLOURS, Backdrop
from systems.engine.settings import Settings

Colour = tuple[float, float, float]
LOW_SUN = -0.42, -0.91
BLACK, WHITE = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)


class Kind(NamedTuple):
    """A kind of backdrop: where it is, and what its ground is made of. Each has shaders of its own.

    Attributes:
        name: "sky", "water", "ground" or "space".
        ground: "grass", "dry", "paved", "earth" or "rock"; "" for other kinds.
    """

    name: str
    ground: str = ""


@dataclass(frozen=True)
class BackdropValues:
    """The values of a backdrop.

    Attributes:
        colours: from top to bottom, MOST_COLOURS of them, at equal distances.
        glow_colour, glow_at, glow: colour of the glow, its place in shares of the view, and its brightness, 0 to 1.
        clouds: of a sky; nebulas of space; how cloudy water is; patches of a ground; 0 to 1.
        stars: 0 to 1.
        texture: how strong grass, stones, waves and shafts of light are, 0 to 1.
    """

    kind: Kind
    colours: tuple[Colour, ...]
    glow_colour: Colour
    glow_at: tuple[float, float]
    glow: float = 0.6
    clouds: float = 0.0
    stars: float = 0.0
    texture: float = 0.0

    @property
    def glows(self) -> bool:
        """Whether what is bright glows in front of it: in space."""
        return self.kind.name == "space"

    @property
    def shade(self) -> float:
        """Opacity of shadows, 0 to 1; 0: it has no ground."""
        return {"ground": 0.34, "water": 0.18}.get(self.kind.name, 0.0)

    @property
    def light(self) -> tuple[float, float]:
        """The unit vector from the middle of the view to the glow; LOW_SUN if the glow is in the middle."""
        x, y = self.glow_at[0] - 0.5, self.glow_at[1] - 0.5
        far = math.hypot(x, y)
        return (x / far, y / far) if far > 0.1 else LOW_SUN

    def with_changes(self, own: Backdrop) -> BackdropValues:
        """Return this backdrop with what a scene changes of it."""
        colours = [_shares(colour) for colour in own.colours] or [*self.colours]
        bright = 1 + own.brightness
        return replace(
            self,
            colours=tuple(_lit(colour, bright) for colour in _spread(colours)),
            glow_colour=_lit(_shares(own.glow_colour[0]) if own.glow_colour else self.glow_colour, bright),
            glow_at=(own.glow_at[0], own.glow_at[1]) if own.glow_at else self.glow_at,
            glow=_share(self.glow + own.glow),
            clouds=_share(self.clouds + own.clouds),
            stars=_share(self.stars + own.stars),
            texture=_share(self.texture + own.texture),
        )


NUMBERS = ("glow", "clouds", "stars", "texture")
SKY, WATER, SPACE = Kind("sky"), Kind("water"), Kind("space")
GRASS, DRY, PAVED, EARTH, ROCK = (Kind("ground", name) for name in ("grass", "dry", "paved", "earth", "rock"))


def backdrop_values(world: World) -> BackdropValues:
    """Return the backdrop of a world."""
    return BACKDROPS[world.resource(Settings).backdrop].with_changes(world.resource(Backdrop))


def _values(
    kind: Kind, colours: str, glow_colour: str, glow_at: tuple[float, float], **numbers: float
) -> BackdropValues:
    given = _spread([shares_of(colour) for colour in colours.split()])
    return BackdropValues(kind, given, shares_of(glow_colour), glow_at, **numbers)


def _spread(colours: list[Colour]) -> tuple[Colour, ...]:
    """Return MOST_COLOURS colours along these."""
    found = []
    for n in range(MOST_COLOURS):
        at = n * (len(colours) - 1) / (MOST_COLOURS - 1)
        lower, upper = colours[int(at)], colours[min(int(at) + 1, len(colours) - 1)]
        found.append(_mixed(lower, upper, at - int(at)))
    return tuple(found)


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return red, green, blue


def _shares(colour: int) -> Colour:
    red, green, blue = rgb_of(colour)
    return red / 255, green / 255, blue / 255


def _lit(colour: Colour, bright: float) -> Colour:
    """Return a colour scaled by `bright`; above 1 it goes on towards white."""
    return _mixed(BLACK, colour, bright) if bright < 1 else _mixed(colour, WHITE, bright - 1)


def _share(number: float) -> float:
    return min(max(number, 0.0), 1.0)


BACKDROPS = {
    "dusk": _values(
        SKY,
        "#0b1030 #171b42 #2b2450 #47305a #683f58 #824a50",
        "#c06f42",
        (0.24, -0.04),
        glow=0.6,
        clouds=0.5,
        stars=0.5,
    ),
    "dawn": _values(
        SKY,
        "#22386a #4a5f92 #8a86a8 #c9a09c #eec19a #ffdca6",
        "#fff0c8",
        (0.74, 0.04),
        glow=0.75,
        clouds=0.5,
    ),
    "sea": _values(
        WATER,
        "#2fa0a6 #18788a #0e5873 #0a4260 #07304a #052238",
        "#a5f0e0",
        (0.35, 1.15),
        clouds=0.35,
        texture=0.6,
    ),
    "meadow": _values(
        GRASS,
        "#5e8f4e #4f8146 #689653 #587f48 #7d9a55 #4a7644",
        "#dfe08a",
        (0.30, 0.85),
        glow=0.35,
        clouds=0.6,
        texture=0.6,
    ),
    "storm": _values(
        SKY,
        "#10161f #1a232d #27323d #3a4753 #54636f #71818a",
        "#a9bccb",
        (0.60, 0.38),
        glow=0.5,
        clouds=1.0,
    ),
    "street": _values(
        PAVED,
        "#5a5258 #4f484d #625a5c #554d50 #4a4347 #5e5554",
        "#c9a37c",
        (0.80, 0.90),
        glow=0.3,
        clouds=0.4,
        texture=0.5,
    ),
    "night": _values(
        SPACE,
        "#04050f #070a1c #0b0d26 #0d0e28 #090a1c #05060f",
        "#3b3a86",
        (0.68, 0.62),
        glow=0.5,
        clouds=0.35,
        stars=0.8,
    ),
    "garden": _values(
        EARTH,
        "#7a6b52 #6c5e48 #86765b #74664e #655843 #7d6f55",
        "#e0c48c",
        (0.25, 0.95),
        glow=0.3,
        clouds=0.5,
        texture=0.5,
    ),
    "nebula": _values(
        SPACE,
        "#070a22 #101440 #1e1450 #2a1450 #18103a #0a0a22",
        "#b04aa8",
        (0.60, 0.55),
        glow=0.5,
        clouds=1.0,
        stars=0.6,
    ),
    "slate": _values(
        ROCK,
        "#18343a #1d3d43 #14303a #1f4448 #16343c #122a32",
        "#5aa39a",
        (0.30, 0.98),
        glow=0.35,
        clouds=0.5,
        texture=0.5,
    ),
    "sunset": _values(
        SKY,
        "#24457f #5276ad #9aa2c4 #e3b3a8 #f9c48a #ffdf9a",
        "#fff3cf",
        (0.70, 0.10),
        glow=0.9,
        clouds=0.5,
    ),
    "noon": _values(
        SKY,
        "#2a6cb0 #3f86c6 #63a4d8 #8bc0e4 #b4d9ee #d8ecf4",
        "#ffffff",
        (0.80, 0.95),
        glow=0.5,
        clouds=0.7,
    ),
    "savanna": _values(
        DRY,
        "#8a6636 #7b5a30 #96723f #84632f #a37d46 #6f5029",
        "#f0c878",
        (0.20, 0.95),
        glow=0.35,
        clouds=0.6,
        texture=0.6,
    ),
    "lagoon": _values(
        WATER,
        "#5fd6c4 #2fb5ac #179296 #10737f #0c5a6c #0a4558",
        "#e8fff0",
        (0.60, 1.10),
        glow=0.7,
        clouds=0.25,
        texture=0.8,
    ),
}
