"""The resource Backdrop: what a scene changes of the backdrop that `Settings.backdrop` names; no digest sees it.

Lists that are empty leave what the named backdrop has. All numbers are added to its own, each of which is from 0 to 1.
"""

from __future__ import annotations

from dataclasses import replace

from components.store.declare import colour, number, several
from components.store.resources import resource

MOST_COLOURS = 6


def _more(help: str) -> float:
    return number(0, "", -1, 1, f"{help}; below 0: less", drawn=True)  # type: ignore[no-any-return]


@resource
class Backdrop:
    """What is different from the named backdrop."""

    colours: tuple[int, ...] = several(
        colour("#808080", "one of the colours"),
        MOST_COLOURS,
        "from top to bottom; empty: those of the named backdrop",
        drawn=True,
    )
    glow_colour: tuple[int, ...] = several(
        colour("#ffffff", "of the light"),
        1,
        "of the sun or another light; empty: that of the named backdrop",
        drawn=True,
    )
    glow_at: tuple[float, ...] = replace(
        several(
            number(0.5, "", -2, 3, "share of the view"),
            2,
            "x and y, in shares of the view; empty: where the named backdrop has it",
            drawn=True,
        ),
        low=2,
    )
    brightness: float = _more("how much lighter it is")
    glow: float = _more("more light around the glow")
    clouds: float = _more("more clouds, nebulas or cloudy water")
    stars: float = _more("more stars")
    texture: float = _more("more grass, stones, waves or shafts of light")
