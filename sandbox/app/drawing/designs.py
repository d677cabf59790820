"""How each built-in shape of `Look` is drawn: near in detail, and farther away as a few triangles.

A piece is a polygon that heads along +x; half the length of the shape is 100. Its corners are written "x,y", or
"x,y,tone" where the tone differs from that of the piece, in hundredths: 0 is black, 100 the entity's colour, 200 white.
A piece may be concave as long as all of it can be seen from its first corner.
"""

from __future__ import annotations

import math
from typing import NamedTuple


class Corner(NamedTuple):
    """A corner of a piece.

    Attributes:
        x, y: its place, half lengths.
        tone: 0: black, 1: the entity's colour, 2: white.
        motion: KIND times one of STRIDE, SWAY, WING, ROLL and FLAME, plus how far it moves, half lengths; 0: stiff.
    """

    x: float
    y: float
    tone: float
    motion: float = 0.0


Piece = list[Corner]

STRIDE, SWAY, WING, ROLL, FLAME = range(1, 6)  # kinds of motion: of legs, tails, wings that beat, stiff wings, flames
KIND = 4.0
ROOT = 0.1  # half lengths: where wings begin


def _piece(tone: int, corners: str) -> Piece:
    numbers = [[float(number) / 100 for number in corner.split(",")] for corner in corners.split()]
    return [Corner(x, y, *(own or [tone / 100])) for x, y, *own in numbers]


def _both(tone: int, corners: str) -> list[Piece]:
    """Return a piece and its mirror image."""
    piece = _piece(tone, corners)
    return [piece, [corner._replace(y=-corner.y) for corner in reversed(piece)]]


def _wings(kind: int, *pieces: Piece) -> list[Piece]:
    return [
        [corner._replace(motion=KIND * kind + max(abs(corner.y) - ROOT, 0)) for corner in piece] for piece in pieces
    ]


def _swaying(share: float, *pieces: Piece) -> list[Piece]:
    """Let a body sway, the more the nearer to its tail; `share`: of the tail, half lengths."""
    return [
        [corner._replace(motion=KIND * SWAY + share * ((1 - corner.x) / 2) ** 2) for corner in piece]
        for piece in pieces
    ]


def _stepping(stride: int, *legs: Piece, hinge: int = -100) -> list[Piece]:
    """Let legs step, by turns: each is moved to where its foot is farthest ahead, or back.

    Args:
        hinge: corners behind it keep still.
    """
    ways = [stride / 100 * (-1) ** n for n in range(len(legs))]
    return [
        [
            corner._replace(x=corner.x + way, motion=KIND * STRIDE + way) if corner.x > hinge / 100 else corner
            for corner in leg
        ]
        for way, leg in zip(ways, legs, strict=True)
    ]


def _round(tone: int, x: int, y: int, long: int, wide: int, corners: int, first: float = 0.5, back: int = 0) -> Piece:
    """Return an ellipse.

    Args:
        first: the angle of the first corner, in steps between corners.
        back: the tone of its rear end; 0: the same.
    """
    turns = [2 * math.pi * (n + first) / corners for n in range(corners)]
    return [
        Corner(
            (x + long * math.cos(turn)) / 100,
            (y + wide * math.sin(turn)) / 100,
            (tone + ((back or tone) - tone) * (1 - math.cos(turn)) / 2) / 100,
        )
        for turn in turns
    ]


def _wool(x: int, long: int, wide: int) -> Piece:
    """Return a shape with a wavy edge, white in the middle."""
    turns = [2 * math.pi * n / 18 for n in range(19)]
    edge = [(0.92 - 0.08 * (-1) ** n, turn) for n, turn in enumerate(turns)]
    corners = [((x + long * far * math.cos(turn)) / 100, wide * far * math.sin(turn) / 100) for far, turn in edge]
    return [Corner(x / 100, 0, 1.5), *(Corner(*corner, 0.86) for corner in corners)]


DETAILED: dict[str, list[Piece]] = {
    "triangle": [
        *_both(100, "100,0,118 -85,68,62 -50,0,96"),
        *_both(70, "72,0,150 -50,0,84 -56,12,70"),  # its keel
    ],
    "bird": [
        *_wings(
            WING,
            *_both(88, "40,10 46,56,96 -8,62,70 -34,10,76"),  # arm
            *_both(80, "46,56,96 30,98,84 -34,156,56 -8,62,70"),  # hand, swept back to a point
        ),
        _piece(78, "-40,9 -100,24,58 -100,-24,58 -40,-9"),  # tail
        _piece(104, "100,0,66 56,18,110 -46,10,84 -46,-10,84 56,-18,110"),
    ],
    "fish": _swaying(
        0.34,
        *_both(78, "-52,0,70 -100,38,58 -80,0,84"),  # tail
        *_both(82, "34,26 -2,54,62 -6,28"),  # fins
        *_both(100, "100,0,92 56,25,118 4,31,128 -60,7,104 -60,0,64"),  # dark back, pale belly
        *_both(30, "78,9 70,17 66,9"),  # eyes
    ),
    "person": [
        *_stepping(42, *_both(34, "34,20,46 30,36,46 -34,40 -34,16")),  # feet
        *_stepping(-30, *_both(84, "-18,48,70 -16,82,70 30,90 30,70"), hinge=0),  # arms
        *_stepping(-30, *_both(150, "26,69 26,91 46,87 46,72")),  # hands
        _round(108, -2, 0, 32, 74, 8, back=64),  # shoulders
        _round(158, 10, 0, 36, 33, 7),  # head
        _round(28, -4, 0, 32, 35, 7, first=0.0),  # hair
    ],
    "car": [
        _piece(92, "100,26 90,44,104 -92,44,84 -100,34,74 -100,-34,74 -92,-44,84 90,-44,104 100,-26"),
        *_both(190, "99,24 90,40 82,38 92,20"),  # headlights
        *_both(36, "-88,42 -99,32 -99,18 -90,22"),  # tail lights
        _piece(26, "50,37,44 18,30 18,-30 50,-37,44"),  # windscreen
        _piece(124, "16,32 -52,32,108 -52,-32,108 16,-32"),  # roof
        _piece(30, "-54,31 -76,35,44 -76,-35,44 -54,-31"),
    ],
    "ship": [
        [Corner(-0.58, 0.17, 1.96), Corner(-1, 0, 1.2, KIND * FLAME - 0.4), Corner(-0.58, -0.17, 1.96)],
        *_wings(
            ROLL,
            *_both(70, "34,12,96 -50,84,58 -82,80,48 -62,12,74"),
            *_both(150, "-54,86 -84,83 -84,76 -54,76"),  # lights at their tips
        ),
        *_both(100, "100,0,128 60,15,104 0,22,96 -62,18,72 -62,0,92 60,0,136"),
        _piece(30, "62,0,24 34,10,40 8,8 8,-8 34,-10,40"),  # cockpit
        _piece(40, "-56,14 -66,14 -66,-14 -56,-14"),  # nozzle
    ],
    "dot": [_round(100, 0, 0, 100, 100, 14)],
    "hawk": [
        *_wings(
            WING,
            *_both(94, "48,12 58,74,108 52,124,80 0,136,66 -28,12,84"),  # broad to its end
            *_both(46, "52,124,72 42,176 24,130,72"),  # fingers
            *_both(46, "28,129,72 4,174 2,136,66"),
        ),
        _piece(92, "-38,10 -98,42,40 -98,-42,40 -38,-10"),  # tail, fanned out
        _piece(116, "98,0,24 66,17,132 -50,12,88 -50,-12,88 66,-17,132"),
    ],
    "shark": _swaying(
        0.26,
        *_both(78, "42,17 -20,70,48 4,16"),  # fins
        *_both(78, "-40,10 -62,26,58 -56,6"),
        *_both(78, "-70,0 -100,42,50 -86,0,60"),  # tail
        *_both(100, "100,0,96 60,19,118 20,24,122 -86,3,84 -86,0,58"),
        _piece(36, "26,0,56 -18,6 -24,0 -18,-6"),  # the fin on its back
    ),
    "sheep": [
        *_stepping(14, *_both(26, "38,40 30,80 16,40")),  # legs
        *_stepping(-14, *_both(26, "-46,40 -62,78 -70,40")),
        _wool(-26, 74, 66),
        *_both(22, "74,14 52,54 46,16"),  # ears
        _piece(16, "108,0 96,20 38,26,26 38,-26,26 96,-20"),  # face
        _piece(130, "58,0,150 40,22 24,0,150 40,-22"),  # the wool between its ears
    ],
    "wolf": [
        *_stepping(16, *_both(50, "2,22 20,44 34,42 26,22")),  # legs
        *_stepping(-16, *_both(50, "-52,16 -42,40 -28,38 -28,16")),
        *_swaying(0.14, _piece(100, "-44,8,80 -66,17,112 -94,19,120 -122,0,16 -94,-19,120 -66,-17,112 -44,-8,80")),
        *_both(100, "50,0,60 48,14,92 30,31,126 4,32,120 -22,24,108 -46,20,104 -54,0,54"),  # dark back, light flanks
        *_both(100, "110,0,8 106,8,24 86,11,118 72,27,136 54,24,104 44,13,84 44,0,54"),
        *_both(28, "72,18,50 54,46,20 52,16,50"),  # ears
    ],
    "coral": [_round(100, 0, 0, 100, 30, 6), _round(90, 0, 0, 30, 100, 6)],
    "tree": [_round(80, 0, 0, 100, 100, 7), _round(100, 0, 0, 60, 60, 7, first=0.0)],
}

COARSE: dict[str, list[Piece]] = {
    "triangle": _both(100, "100,0,110 -85,68,80 -50,0,96"),
    "bird": [
        *_both(84, "62,0,100 -52,142,66 -20,0,90"),
        _piece(96, "100,0 56,13 56,-13"),
        _piece(80, "-16,0 -84,24 -84,-24"),
    ],
    "fish": [*_both(100, "100,0,96 14,32,116 -66,0,84"), _piece(78, "-56,0 -100,34 -100,-34")],
    "person": [_round(92, 0, 0, 48, 90, 6)],
    "car": [_piece(92, "100,-42,110 100,42,110 -100,42 -100,-42"), _piece(36, "46,-34 46,34 14,34 14,-34")],
    "ship": [*_both(90, "100,0,120 -76,76,62 -66,0,90"), _piece(190, "-66,16 -100,0 -66,-16")],
    "dot": [_round(100, 0, 0, 103, 103, 7)],
    "hawk": [
        *_both(88, "66,0,104 -6,165,60 -34,0,88"),
        _piece(96, "96,0 60,13 60,-13"),
        _piece(70, "-26,0 -92,38 -92,-38"),
    ],
    "shark": [*_both(96, "100,0,100 10,26,112 -78,0,74"), _piece(74, "-66,0 -100,38 -100,-38")],
    "sheep": [_round(104, -22, 0, 78, 68, 6), _piece(16, "44,-24 102,0 44,24")],
    "wolf": [*_both(96, "100,0,60 20,36,80 -64,0,110"), _piece(70, "-54,0 -76,18 -104,0 -76,-18")],
    "coral": [_round(95, 0, 0, 100, 100, 4)],
    "tree": [_round(90, 0, 0, 100, 100, 4)],
}

HEIGHTS = {"bird": 2.6, "hawk": 3.0, "fish": 0.6, "shark": 0.7, "ship": 1.2, "tree": 0.3}
"""How high above the ground each is, half lengths, so how far away its shadow is; STANDING if it is not named."""
STANDING = 0.22
