"""Numbers and lists in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from sandbox.language import translate


def size(value: float) -> str:
    """Format a number for people: "1,234", "84", "8.4", "0.84", "0.0084"."""
    value = abs(value)
    if value >= 9.95:
        return f"{value:,.0f}"
    return f"{value:.1f}".removesuffix(".0") if value >= 0.995 else f"{value:.2g}" if value >= 1e-4 else "0"


def told_apart(one: float, other: float) -> tuple[str, str]:
    """Format two numbers of one size with as many digits as tell them apart: "160.2", "160.0"."""
    if size(one) != size(other):
        return size(one), size(other)
    digits = next((digits for digits in range(1, 6) if f"{one:.{digits}f}" != f"{other:.{digits}f}"), 6)
    return f"{one:,.{digits}f}", f"{other:,.{digits}f}"


def length(vector: Sequence[float]) -> float:
    """Return the length of a vector."""
    return math.hypot(*vector)


def listed(words: Iterable[str]) -> str:
    """Join words: "a, b and c"."""
    *first, last = words
    return f"{', '.join(first)}{translate(' and ')}{last}" if first else last


def count(number: int, one: str) -> str:
    """Format a number with its noun: "1 neighbour", "3 neighbours"."""
    return translate(f"{{number:,}} {one}{'' if number == 1 else 's'}", number=number)
