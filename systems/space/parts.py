"""Work on many rows in parts that do not depend on the number of threads, and what each part finds."""

from __future__ import annotations

from typing import Any

import numpy as np

from systems.engine.kernel import inlined, kernel

PARTS = 16  # made side by side


@inlined
def part_of(part: Any, count: Any) -> Any:
    """The stretch of `count` that belongs to a part."""
    return count * part // PARTS, count * (part + 1) // PARTS


@inlined
def is_any(counts: Any) -> Any:
    """Whether some part found something."""
    found = False
    for count in counts:
        found = found or count > 0
    return found


@kernel
def gathered(values: Any, counts: Any) -> Any:
    """What all parts found, in order: each has put `counts[part]` values at the beginning of its own stretch."""
    found, at = np.empty(counts.sum(), values.dtype), 0
    for part in range(PARTS):
        first = part_of(part, len(values))[0]
        found[at : at + counts[part]] = values[first : first + counts[part]]
        at += counts[part]
    return found
