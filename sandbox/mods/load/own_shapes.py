"""Checks the shapes that a mod brings for `Look.shape`, and makes them known."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from components.look import OUTLINES, SHAPES
from systems.engine.app import App

NAME = re.compile("[a-z][a-z0-9_-]{0,39}")
MOST_CORNERS = 14  # as many as the shader has room for


def bring_shapes(app: App, brought: App, parts: Mapping[str, App]) -> None:
    """Make the shapes of a mod known.

    Args:
        app: all parts before it; `parts`: those of each mod among them.
    Raises:
        ValueError: a shape is wrong, or there is one of its name; the message says what would be right.
    """
    shapes: list[tuple[Any, Any]] = [*brought.shapes]
    names = [name for name, _ in shapes]
    for index, (name, corners) in enumerate(shapes):
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise ValueError(f"add_shape got the name {name!r:.60}: must be lower-case letters and digits, like 'kite'")
        if name in names[:index] or (name in SHAPES and name not in OUTLINES) or name in dict(app.shapes):
            others = [f" in the mod {mod}" for mod, other in parts.items() if name in dict(other.shapes)]
            raise ValueError(f"there is already a shape {name!r}{''.join(others)}: rename yours")
        outline = _outline(corners)
        if outline is None:
            raise ValueError(
                f"the shape {name!r}: must be a list of 3 to {MOST_CORNERS} corners (x, y) from -1 to 1, "
                f"of which the first sees all others"
            )
        SHAPES.add(name)
        OUTLINES[name] = outline


def _outline(corners: Any) -> tuple[tuple[float, float], ...] | None:
    """Return the corners if they are valid, else None."""
    try:
        found = tuple((float(x), float(y)) for x, y in corners)
    except (TypeError, ValueError):
        return None
    if not 3 <= len(found) <= MOST_CORNERS or not all(abs(part) <= 1 for corner in found for part in corner):
        return None
    (x, y), *others = found
    turns = [(ax - x) * (by - y) - (bx - x) * (ay - y) for (ax, ay), (bx, by) in pairwise(others)]
    is_fan = all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)
    return found if is_fan and math.fsum(map(abs, turns)) > 1e-6 else None
