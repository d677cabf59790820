"""Text for messages: formatted numbers, and suggestions for misspelt names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST_WRITTEN_OUT = 1e21


def plain(number: float) -> str:
    """Format a number for people: "1,000,000"."""
    whole = abs(number) < MOST_WRITTEN_OUT and number == int(number)
    return f"{int(number):,}" if whole else f"{number:,.10g}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'boid'?", or "" if no known name is similar."""
    close = nearest(word, list(known))
    return f"; did you mean {close!r}?" if close else ""


def nearest(word: str, known: tuple[str, ...] | list[str]) -> str | None:
    """Return the known name that is most similar to `word` or begins with it, or None if none does."""
    lowered = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), list(lowered), n=1, cutoff=0.6)
    close = close or [name for name in lowered if len(word) > 2 and name.startswith(word.lower())]
    return lowered[close[0]] if close else None
