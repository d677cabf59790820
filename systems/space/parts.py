"""Work on many rows in parts that do not depend on the number of threads, and what each part finds."""

from __future__ import annotations

from typing import Any

import numpy as np

from systems.engine.kernel import Function, inlined, kernel, looping

PARTS = 16  # made side by side


def for_each_part(function: Function) -> Function:
    """Make of a function for one part a kernel that runs it for all PARTS, on all threads: it is given no `part`.

        @for_each_part
        def _count(part, rows, age, counts):
            first, last = part_of(part, len(rows))
            ...

        _count(rows, age, counts)

    The function is `inlined`. For each part it writes only into what belongs to that part.
    """
    return looping(function, "({given}):\n    for part in prange(PARTS):\n        one(part, {given})\n", PARTS=PARTS)


def found_by_parts(function: Function) -> Function:
    """The same for a function that returns how many it found, an integer; the kernel returns how many all parts did."""
    loop = "    for part in prange(PARTS):\n        found += one(part, {given})\n"
    return looping(function, f"({{given}}):\n    found = 0\n{loop}    return found\n", PARTS=PARTS)


@inlined
def part_of(part: Any, count: Any) -> Any:
    """The stretch of `count` that belongs to a part."""
    return count * part // PARTS, count * (part + 1) // PARTS


@kernel
def gathered(values: Any, counts: Any) -> Any:
    """What all parts found, in order: each has put `counts[part]` values at the beginning of its own stretch."""
    found, at = np.empty(counts.sum(), values.dtype), 0
    for part in range(PARTS):
        first = part_of(part, len(values))[0]
        found[at : at + counts[part]] = values[first : first + counts[part]]
        at += counts[part]
    return found
