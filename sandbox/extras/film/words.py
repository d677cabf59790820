"""Parses sizes and cameras of films from command-line options."""

from __future__ import annotations

import re

from sandbox.extras.film.cameras import Fixed, Follow, Recorded, View

MOST_SIDE = 8192  # pixels
LEAST_ZOOM, MOST_ZOOM = 0.01, 64.0  # pixels per u
NUMBER = r"-?\d{1,9}(?:\.\d{1,9})?"


def read_size(text: str) -> tuple[int, int]:
    """Return width and height in pixels, from "1280x720".

    Raises:
        ValueError: the text is not a size, or the size is out of range.
    """
    found = re.fullmatch(r"(\d{1,9})x(\d{1,9})", text, re.ASCII)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(1 <= side <= MOST_SIDE for side in size):
        raise ValueError(f"--size {text}: must be WIDTHxHEIGHT, each 1 to {MOST_SIDE:,} pixels, like 1280x720")
    return size


def read_view(text: str) -> View:
    """Return the view for "fit", "recorded", "follow:SERIAL" or "x,y,zoom".

    Raises:
        ValueError: the text is none of these.
    """
    if text == "fit":
        return View()
    if text == "recorded":
        return Recorded()
    if found := re.fullmatch(r"follow:(\d{1,18})", text, re.ASCII):
        return Follow(int(found[1]))
    if not re.fullmatch(rf"{NUMBER},{NUMBER},{NUMBER}", text, re.ASCII):
        raise ValueError(
            f"--camera {text}: must be fit, recorded, follow:SERIAL (follow:7)"
            " or x,y,zoom in u and pixels per u (640,360,2)"
        )
    x, y, zoom = map(float, text.split(","))
    if not LEAST_ZOOM <= zoom <= MOST_ZOOM:
        raise ValueError(f"--camera {text}: its zoom must be {LEAST_ZOOM:g} to {MOST_ZOOM:g} pixels per u")
    return Fixed(x, y, zoom)
