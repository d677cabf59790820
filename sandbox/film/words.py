"""Times, sizes and cameras of films, as people type them."""

from __future__ import annotations

import re
from fractions import Fraction

from sandbox.film.views import Fixed, Follow, Recorded, View

MOST_SIDE = 8192  # pixels
LEAST_ZOOM, MOST_ZOOM = 0.01, 64.0  # pixels per u
NUMBER = r"-?\d{1,9}(?:\.\d{1,9})?"


def read_time(option: str, text: str, tick_rate: int) -> Fraction:
    """A time in ticks, from seconds ("12.5s") or a tick ("750").

    Raises:
        ValueError: it is neither.
    """
    found = re.fullmatch(r"(\d{1,9})|(\d{1,9}(?:\.\d{1,9})?) ?s", text, re.ASCII)
    if found is None:
        raise ValueError(f"{option} {text}: must be seconds, like 12.5s, or a tick, like 750")
    return Fraction(found[1]) if found[1] else Fraction(found[2]) * tick_rate


def read_moment(option: str, text: str, tick_rate: int, first: int, last: int | None) -> Fraction:
    """A time, in ticks, of what begins with one tick and ends with another; `last`: None for what runs on.

    Raises:
        ValueError: it is none, or not within.
    """
    tick = read_time(option, text, tick_rate)
    if tick < first:
        raise ValueError(f"{option} {text}: must be {seconds(first, tick_rate)} or later, where it begins")
    if last is not None and tick > last:
        raise ValueError(f"{option} {text}: must be at most {seconds(last, tick_rate)}, where it ends")
    return tick


def seconds(ticks: Fraction | int, tick_rate: int) -> str:
    """A time as `read_time` reads it: "12.5s"."""
    return f"{float(Fraction(ticks) / tick_rate):g}s"


def read_size(text: str) -> tuple[int, int]:
    """Width and height, pixels.

    Raises:
        ValueError: there are no two numbers, or they are too small or large.
    """
    found = re.fullmatch(r"(\d{1,9})x(\d{1,9})", text, re.ASCII)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(1 <= side <= MOST_SIDE for side in size):
        raise ValueError(f"--size {text}: must be WIDTHxHEIGHT, each 1 to {MOST_SIDE:,} pixels, like 1280x720")
    return size


def read_view(text: str) -> View:
    """Where a camera looks: "fit", "recorded", "follow:SERIAL" or "x,y,zoom".

    Raises:
        ValueError: it is none of these.
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
