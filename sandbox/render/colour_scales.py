"""Colours that have a meaning: ramps of 256 colours for values from 0 to 1, and the colours of flocks.

The stops of ramps are chosen so that lightness distinguishes low from high values, for colour-blind people too, and the
darkest colour is visible on dark backgrounds. Colours between the stops are interpolated in OKLab (Ottosson 2020),
which is perceptually uniform, in steps of equal length. For headings, east and west differ in lightness, north and
south in blue and yellow, which almost everyone can distinguish. Flocks near each other get colours that are easy to
distinguish.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.space.torus import minimum_images

STEPS = 256
STOPS = {
    "heading": "#f6f2cf #4fb2f7 #9a50b4 #fb9038",  # cyclic: east, north, west, south
    "speed": "#6270ea #b072dc #ee7898 #fbaa66 #fdf2a8",
    "energy": "#c23a68 #e87052 #f3ba5a #dcee90 #b8fce6",
    "age": "#d8fff0 #8fd6e8 #72a4ea #8476dc #9a58b4",
    "crowding": "#4c7acc #3fabb8 #5fce88 #c6e66c #fff6b0",
    "heat": "#2f3fa0 #6a3fb4 #b0429c #dd5a5c #f0892f",
}
CYCLIC = ("heading",)
TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


@dataclass(frozen=True)
class Legend:
    """The meaning of colours.

    Attributes:
        name: the quantity shown, a choice of `render.colour`.
        unit: the unit of `low` and `high`, the values at the ends of the ramp.
        ramp: uint32 (256,), 0xRRGGBB; with `words`, all colours that there are.
        words: for colours that don't stand for numbers: a text with the counts `low` and `high` as placeholders.
        used: with `words`, indexes of the colours in use, that of the largest flock first.
    """

    name: str
    unit: str
    low: float
    high: float
    ramp: NDArray[np.uint32]
    words: str = ""
    used: tuple[int, ...] = ()


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """Convert colours, (n, 3), with red, green and blue from 0 to 1, to OKLab."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    found: NDArray[np.float64] = np.cbrt(linear @ TO_LMS.T) @ TO_LAB.T
    return found


def rgb(lab: NDArray[np.float64]) -> NDArray[np.float64]:
    """Convert OKLab to red, green and blue, clipped to 0 to 1: the inverse of `lab`."""
    linear = (lab @ np.linalg.inv(TO_LAB).T) ** 3 @ np.linalg.inv(TO_LMS).T
    linear = np.clip(linear, 0, 1)
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)


def ramp(name: str) -> NDArray[np.uint32]:
    """Return the colours of one of STOPS, uint32 (256,), 0xRRGGBB; a cyclic ramp ends where it begins."""
    stops = [[int(stop[k : k + 2], 16) / 255 for k in (1, 3, 5)] for stop in STOPS[name].split()]
    if name in CYCLIC:
        stops.append(stops[0])
    at = lab(np.array(stops))
    apart = np.linalg.norm(np.diff(at, axis=0), axis=1)
    way = np.arange(len(stops)) if name in CYCLIC else np.append(0, np.cumsum(apart))  # quarters stay quarters
    places = np.arange(STEPS) / (STEPS if name in CYCLIC else STEPS - 1) * way[-1]
    mixed = np.stack([np.interp(places, way, at[:, k]) for k in range(3)], axis=1)
    channels = np.rint(rgb(mixed) * 255).astype(np.uint32)
    return channels[:, 0] << np.uint32(16) | channels[:, 1] << np.uint32(8) | channels[:, 2]


RAMPS = {name: ramp(name) for name in STOPS}

# ---- flocks

PALETTE = np.array([0xF2EA30, 0xB848FF, 0xF59A18, 0x3C98C0, 0xC8AAFF, 0xE8446C, 0x96FFFF, 0x1ED296], np.uint32)
"""0xRRGGBB, each with a name of its own: yellow, violet, orange, blue, lilac, red, cyan and green.

Any two differ by 0.19 in OKLab, and by 0.11 to people who lack one kind of cone; the first ones differ most.
"""

LARGE = 64  # the largest flocks, whose colours others should differ from
VARIETY = 4
LEAST_GAP = 10.0  # u
ALIKE = 0.25  # distance in OKLab above which two colours don't count as similar
OTHERS = 1000.0  # u: a colour of another meaning counts like the largest flock this far away

Places = NDArray[np.float64]


def _likeness_to(colours: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Return the similarity of these colours to those of the palette, (n, 12): from 1, the same, to 0, not similar."""
    one, other = (lab(np.stack([c >> 16 & 255, c >> 8 & 255, c & 255], axis=1) / 255) for c in (colours, PALETTE))
    apart = np.linalg.norm(one[:, None] - other[None], axis=2)
    found: NDArray[np.float64] = np.clip(1 - apart / ALIKE, 0, 1) ** 2
    return found


LIKENESS = _likeness_to(PALETTE)


class Flocks(NamedTuple):
    """Flocks, some of which have colours already.

    Attributes:
        colour: the index of each flock's colour in PALETTE, int64 (n,); -1: it has none yet.
        size: the number of members; flocks of size 0 don't exist.
        place, radius: the centre of each flock, (n, 2), with depth (n, 3), and its radius, (n,), u.
        torus: the size of a torus along each axis, u, or None.
    """

    colour: NDArray[np.int64]
    size: NDArray[np.int64]
    place: Places
    radius: Places
    torus: tuple[float, ...] | None


def choose_colours(flocks: Flocks, others: NDArray[np.uint32]) -> None:
    """Give a colour to each flock without one, the largest first, that differs from those of large flocks nearby.

    Args:
        others: 0xRRGGBB (n,), colours with another meaning, those of species, from which it should differ too.
    """
    mistaken = OTHERS**-2.0 * _likeness_to(others).max(axis=0, initial=0.0)
    colour, size = flocks.colour, flocks.size
    by_size = np.argsort(-size, kind="stable")
    by_size = by_size[size[by_size] > 0]
    large, small = np.split(by_size, [LARGE])
    for flock in large[colour[large] < 0]:
        colour[flock] = (_crowded(flocks, np.array([flock]), large)[0] + mistaken).argmin()
    small = small[colour[small] < 0]
    if len(small):  # small neighbours should differ
        best = np.argsort(_crowded(flocks, small, large) + mistaken, axis=1)[:, :VARIETY]
        colour[small] = best[np.arange(len(small)), small % VARIETY]


def _crowded(flocks: Flocks, which: NDArray[np.int64], large: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return a penalty for each flock and colour, (n, colours): large flocks with similar colours are near."""
    large = large[flocks.colour[large] >= 0]
    away = minimum_images(flocks.place[which][:, None] - flocks.place[large], flocks.torus)
    gap = np.linalg.norm(away, axis=-1) - flocks.radius[which][:, None] - flocks.radius[large]
    share = flocks.size[large] / flocks.size.max()
    found: NDArray[np.float64] = (share * np.maximum(gap, LEAST_GAP) ** -2.0) @ LIKENESS[flocks.colour[large]]
    return found
