"""Hands that play the bundled challenges: by name, an easy idea and a clever one, each as the commands of each tick."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from sandbox.design.scene import Entry
from sandbox.edit import Command, SetHand, Spawn

Place = tuple[float, float]
Player = Callable[[], Iterator[Sequence[Command]]]
HAND = 900.0, 170.0  # strength and radius, as the tool has them at first


def rectangle(left: float, low: float, right: float, high: float) -> Spawn:
    """A rectangle of walls, as a drag with Ctrl makes it."""
    return Spawn(Entry("wall", points=((left, low), (right, low), (right, high), (left, high)), closed=True))


def building(*walls: Spawn) -> Player:
    """Before time begins."""
    return lambda: iter([walls])


def leading(speed: float) -> Player:
    """A hand that goes around all hedges to the nest; speed: u per tick."""
    way = [
        *((120, 320), (300, 570), (410, 540), (410, 150), (520, 70), (630, 100)),
        *((630, 540), (740, 570), (850, 480), (1000, 480), (1030, 320)),
    ]

    def lead() -> Iterator[Sequence[Command]]:
        for begin, end in pairwise(way):
            steps = max(int(math.dist(begin, end) / speed), 1)
            for step in range(steps):
                x, y = (a + (b - a) * step / steps for a, b in zip(begin, end, strict=True))
                yield [SetHand(x, y, *HAND)]
        while True:
            yield [SetHand(*way[-1], *HAND)]

    return lead


PENS = [  # for two wolves each
    *(rectangle(10, 10, 215, 215), rectangle(10, 540, 230, 730), rectangle(985, 515, 1190, 730)),
    *(rectangle(985, 10, 1190, 225), rectangle(580, 340, 660, 420)),
]
PLAYERS: dict[str, tuple[Player, Player]] = {
    "through-the-maze": (leading(1.2), leading(2.4)),
    "save-fifty-fish": (  # two sharks are penned, or with as many reefs all four
        building(rectangle(180, 150, 280, 250), rectangle(730, 140, 830, 240)),
        building(rectangle(190, 150, 290, 480), rectangle(720, 140, 830, 480)),
    ),
    "starve-the-wolves": (  # all wolves are penned, or the sheep, except for two wolves among them
        building(*PENS),
        building(PENS[-1], rectangle(430, 190, 810, 570)),
    ),
}
