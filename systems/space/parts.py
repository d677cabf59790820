"""Divides rows into parts that are processed in parallel; the parts don't depend on the number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np

from systems.engine.kernel import Function, inlined, kernel, looping

PARTS = 16  # processed in parallel


def for_each_part(function: Function) -> Function:
    """Make a kernel that runs a function for each of the PARTS, on all threads; it takes no argument `part`.

        @for_each_part
        def _count(part, rows, age, counts):
            first, last = part_of(part, len(rows))
            ...

        _count(rows, age, counts)

    The function is `inlined`. It must write only to data of its own part.
    """
    return looping(function, "({given}):\n    for part in prange(PARTS):\n        one(part, {given})\n", PARTS=PARTS)


def found_by_parts(function: Function) -> Function:
    """Make a kernel like `for_each_part`, from a function that returns an integer; the kernel returns the sum."""
    loop = "    for part in prange(PARTS):\n        found += one(part, {given})\n"
    return looping(function, f"({{given}}):\n    found = 0\n{loop}    return found\n", PARTS=PARTS)


@inlined
def part_of(part: Any, count: Any) -> Any:
    """Return the range (first, last) of `count` elements that belongs to a part."""
    return count * part // PARTS, count * (part + 1) // PARTS


@kernel
def gathered(values: Any, counts: Any) -> Any:
    """Concatenate the results of all parts: each has put `counts[part]` values at the beginning of its own range."""
    found, at = np.empty(counts.sum(), values.dtype), 0
    for part in range(PARTS):
        first = part_of(part, len(values))[0]
        found[at : at + counts[part]] = values[first : first + counts[part]]
        at += counts[part]
    return found
