"""Parses the times of options."""

from __future__ import annotations

import re
from fractions import Fraction

SECONDS = 10  # simulated, of a scene or snapshot, which have no end


def read_moment(option: str, text: str, tick_rate: int, first: int, last: int | None) -> Fraction:
    """Return a time in ticks, from seconds ("12.5s") or a tick ("750"), that must be from `first` to `last`.

    Args:
        last: None if there is no end.
    Raises:
        ValueError: the text is not a time, or the time is out of range.
    """
    found = re.fullmatch(r"(\d{1,9})|(\d{1,9}(?:\.\d{1,9})?) ?s", text, re.ASCII)
    if found is None:
        raise ValueError(f"{option} {text}: must be seconds, like 12.5s, or a tick, like 750")
    tick = Fraction(found[1]) if found[1] else Fraction(found[2]) * tick_rate
    if tick < first:
        raise ValueError(f"{option} {text}: must be {seconds(first, tick_rate)} or later, where it begins")
    if last is not None and tick > last:
        raise ValueError(f"{option} {text}: must be at most {seconds(last, tick_rate)}, where it ends")
    return tick


def seconds(ticks: Fraction | int, tick_rate: int) -> str:
    """Return a time in the format that `read_moment` reads: "12.5s"."""
    return f"{float(Fraction(ticks) / tick_rate):g}s"


def read_span(
    what: str, rate: int, ends: tuple[int, int], begin: str | None, end: str | None
) -> tuple[Fraction, Fraction]:
    """Return the first tick of a film or page, from `--from`, and the tick before which it ends, from `--to`.

    Args:
        what: of which messages speak, like "the film".
        rate: ticks per second.
        ends: the first and last tick of the recording; equal ones for a scene or snapshot, which have no end: without
            `--to` it takes SECONDS of these.
    """
    bounds = (ends[0], ends[1] if ends[1] > ends[0] else None)
    first = Fraction(ends[0]) if begin is None else read_moment("--from", begin, rate, *bounds)
    if end is not None:
        last = read_moment("--to", end, rate, *bounds)
    else:
        last = first + SECONDS * rate if bounds[1] is None else Fraction(bounds[1])
    if last <= first:
        raise ValueError(f"{what} would end before it begins: --to must be later than {seconds(first, rate)}")
    return first, last
