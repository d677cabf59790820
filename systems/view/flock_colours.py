"""Colours that tell flocks apart, and which one a new flock gets."""

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
"""0xRRGGBB: hues of Okabe and Ito (2008), lighter and darker; any two differ for those who are colour-blind too."""

LARGE = 64  # flocks beside which colours are chosen: the largest
VARIETY = 4
LEAST_GAP = 10.0  # u
ALIKE = 0.25  # distance in OKLab from which two colours no longer count as similar

Places = NDArray[np.float64]


def _likeness() -> NDArray[np.float64]:
    """How much alike two colours of the palette look, (n, n): 1 is the same, 0 nothing alike."""
    at = lab(np.stack([PALETTE >> 16 & 255, PALETTE >> 8 & 255, PALETTE & 255], axis=1) / 255)
    apart = np.linalg.norm(at[:, None] - at[None], axis=2)
    found: NDArray[np.float64] = np.clip(1 - apart / ALIKE, 0, 1) ** 2
    return found


LIKENESS = _likeness()


class Flocks(NamedTuple):
    """Flocks of which some have colours.

    Attributes:
        colour: place of each in PALETTE, int64 (n,); -1: it has none yet.
        size: how many each has; those of 0 are none.
        place, reach: the middle of each, (n, 2), and how far it reaches, (n,), u.
        torus: width and height after which the world repeats, u; None: it does not.
    """

    colour: NDArray[np.int64]
    size: NDArray[np.int64]
    place: Places
    reach: Places
    torus: tuple[float, float] | None


def choose_colours(flocks: Flocks) -> None:
    """Give those a colour that have none, the largest first: unlike those of the large ones that are near."""
    colour, size = flocks.colour, flocks.size
    by_size = np.argsort(-size, kind="stable")
    by_size = by_size[size[by_size] > 0]
    large, small = np.split(by_size, [LARGE])
    for flock in large[colour[large] < 0]:
        colour[flock] = _crowded(flocks, np.array([flock]), large)[0].argmin()
    small = small[colour[small] < 0]
    if len(small):
        best = np.argsort(_crowded(flocks, small, large), axis=1)[:, :VARIETY]  # small ones side by side should differ
        colour[small] = best[np.arange(len(small)), small % VARIETY]


def _crowded(flocks: Flocks, which: NDArray[np.int64], large: NDArray[np.int64]) -> NDArray[np.float64]:
    """How near to each of these flocks colours are that look like those of the palette, (n, colours)."""
    large = large[flocks.colour[large] >= 0]
    away = minimum_images(flocks.place[which][:, None] - flocks.place[large], flocks.torus)
    gap = np.hypot(away[..., 0], away[..., 1]) - flocks.reach[which][:, None] - flocks.reach[large]
    found: NDArray[np.float64] = np.maximum(gap, LEAST_GAP) ** -2.0 @ LIKENESS[flocks.colour[large]]
    return found
