"""Chooses colours for new flocks, so that flocks near each other are easy to distinguish."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from systems.space.torus import minimum_images
from systems.view.ramps import lab

PALETTE = np.array(
    [
        *(0xF0E442, 0x308DCF, 0xDF5300, 0x80DDFF, 0xEAA07B, 0x59B3F7),
        *(0xB4F6D8, 0xA6758F, 0xD2C200, 0xC390AB, 0xF47A32, 0x97D8BB),
    ],
    np.uint32,
)
"""0xRRGGBB: lighter and darker hues of Okabe and Ito (2008); colour-blind people can distinguish all of them too."""

LARGE = 64  # the largest flocks, whose colours others should differ from
VARIETY = 4
LEAST_GAP = 10.0  # u
ALIKE = 0.25  # distance in OKLab above which two colours don't count as similar
OTHERS = 50.0  # u: a colour of another meaning counts like a large flock this far away

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
        place, reach: the centre of each flock, (n, 2), and its radius, (n,), u.
        torus: width and height of a torus, u, or None.
    """

    colour: NDArray[np.int64]
    size: NDArray[np.int64]
    place: Places
    reach: Places
    torus: tuple[float, float] | None


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
    gap = np.hypot(away[..., 0], away[..., 1]) - flocks.reach[which][:, None] - flocks.reach[large]
    found: NDArray[np.float64] = np.maximum(gap, LEAST_GAP) ** -2.0 @ LIKENESS[flocks.colour[large]]
    return found
