"""What a world is drawn before: colours from top to bottom, a glow, and how the ground is mottled."""

from __future__ import annotations

import math
from dataclasses import dataclass

Colour = tuple[float, float, float]
LOW_SUN = -0.42, -0.91


def _colour(text: str) -> Colour:
    red, green, blue = (int(text[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue


@dataclass(frozen=True)
class Backdrop:
    """The colours are those of the world's upper edge, of two heights in between, of its lower edge, and of the glow.

    Attributes:
        glow_at: where the glow is, in shares of the world's size.
        mottled: how much lighter and darker the spots of the ground are, 0 to 1.
        spot: how wide they are, u.
        stars: how many there are in a square of 100 u.
    """

    top: Colour
    high: Colour
    low: Colour
    bottom: Colour
    glow: Colour
    glow_at: tuple[float, float]
    mottled: float
    spot: float
    stars: float

    @property
    def light(self) -> tuple[float, float]:
        """The way to the glow from the middle of the world, of length 1; where it is in the middle, as at dusk."""
        x, y = self.glow_at[0] - 0.5, self.glow_at[1] - 0.5
        far = math.hypot(x, y)
        return (x / far, y / far) if far > 0.1 else LOW_SUN


def _backdrop(
    colours: str, glow_at: tuple[float, float], mottled: float = 0.0, spot: float = 60.0, stars: float = 0.0
) -> Backdrop:
    top, high, low, bottom, glow = map(_colour, colours.split())
    return Backdrop(top, high, low, bottom, glow, glow_at, mottled, spot, stars)


BACKDROPS = {
    "dusk": _backdrop("#0b0f22 #191836 #3b2549 #6b3647 #b05838", (0.22, -0.10)),
    "dawn": _backdrop("#1c2a4a #3a4668 #7d6a7c #c98f7a #ffcf8f", (0.75, -0.12)),
    "sea": _backdrop("#1f7f8c #12586d #0a3a55 #06253f #7fd8d0", (0.35, 1.10), mottled=0.22, spot=120.0),
    "meadow": _backdrop("#33523a #36573c #3a5a3b #35513a #6d8a4c", (0.30, 0.75), mottled=0.34, spot=85.0),
    "storm": _backdrop("#141a24 #222b38 #35414f #465360 #8fa3b3", (0.55, 0.50), mottled=0.30, spot=260.0),
    "street": _backdrop("#2d2c31 #313036 #343238 #2f2e33 #4f4a4c", (0.50, 0.50), mottled=0.12, spot=24.0),
    "night": _backdrop("#05060f #080a18 #0c0d20 #0a0b1a #2b2352", (0.68, 0.62), mottled=0.35, spot=420.0, stars=1.4),
}
