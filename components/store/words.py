"""Words in messages: numbers as people write them, and the known name that somebody may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST_WRITTEN_OUT = 1e21


def plain(number: float) -> str:
    """A number as people write it: "1,000,000"."""
    whole = abs(number) < MOST_WRITTEN_OUT and number == int(number)
    return f"{int(number):,}" if whole else f"{number:,.10g}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The words "; did you mean 'boid'?", or none where nothing is near."""
    close = nearest(word, list(known))
    return f"; did you mean {close!r}?" if close else ""


def nearest(word: str, known: tuple[str, ...] | list[str]) -> str | None:
    """The known name most like `word`, or None when none is close."""
    lowered = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), list(lowered), n=1, cutoff=0.6)
    return lowered[close[0]] if close else None
