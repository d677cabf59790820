"""Hands that play the bundled challenges: by name, an easy idea and a clever one, each as the commands of each tick."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from sandbox.design.scene import Entry
from sandbox.edit import Beckon, Command, Spawn

Place = tuple[float, float]
Player = Callable[[], Iterator[Sequence[Command]]]
HAND = 900.0, 170.0  # strength and radius, as the tool has them at first


def closed(*corners: Place) -> Spawn:
    """A closed wall, drawn with one stroke."""
    return Spawn(Entry("wall", points=corners, closed=True))


def ring(x: float, y: float, radius: float, corners: int = 12) -> Spawn:
    turns = [math.tau * number / corners for number in range(corners)]
    return closed(*((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns))


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
                yield [Beckon(x, y, *HAND)]
        while True:
            yield [Beckon(*way[-1], *HAND)]

    return lead


PENS = ring(110, 110, 105), ring(120, 640, 95), ring(1090, 620, 105)  # for two wolves each
PLAYERS: dict[str, tuple[Player, Player]] = {
    "through-the-maze": (leading(1.2), leading(2.4)),
    "save-fifty-fish": (  # two sharks are penned, or with the same two strokes all four
        building(ring(230, 200, 50), ring(780, 190, 50)),
        building(
            closed((190, 150), (280, 150), (290, 480), (190, 480)),
            closed((730, 140), (830, 140), (820, 480), (720, 480)),
        ),
    ),
    "starve-the-wolves": (building(*PENS), building(ring(620, 380, 215, 20))),  # the wolves are penned, or the sheep
}
