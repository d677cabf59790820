"""How fast a number is dragged, and how finely it is then told."""

from __future__ import annotations

import math

import numpy as np

from sandbox.language import said

FLOAT = float(np.finfo(np.float32).max)
SHARE = 0.01  # of the number that it changes by with a pixel
SLOWEST = 0.25  # share of the usual size below which it is dragged no slower
PLAIN, ROUGH = "%.6g", "%.1f"
LARGE = 1e6  # from here on without an exponent


def speed(value: float, usual: float) -> float:
    """How much a pixel changes a number of which `usual` is a usual size."""
    return SHARE * max(abs(value), SLOWEST * usual)


def while_dragged(value: float, usual: float, unit: str) -> str:
    """The format of a number that is being dragged: it moves in steps that can be told apart, and no finer."""
    decimals = max(0, -math.floor(math.log10(speed(value, usual))))
    return f"%.{min(decimals, 6)}f{unit}"


def at_rest(value: float, unit: str, rough: bool = False) -> str:
    """The format of a number that nobody drags: all that was typed; `rough`: one decimal."""
    return f"{ROUGH if rough else PLAIN if abs(value) < LARGE else '%.0f'}{unit}"


def between(low: float, high: float) -> str:
    """The format of several numbers that differ: it tells both ends, briefly."""
    form = "%.0f" if max(abs(low), abs(high)) >= 100 else "%.3g"
    return said("{low} to {high}", low=form, high=form % high)


def as_typed(value: float) -> float:
    """A float32 of Dear ImGui's as a person wrote it: 0.1, not 0.10000000149."""
    return float(str(np.float32(value)))
