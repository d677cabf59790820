"""Divides rows among threads, in parts that do not depend on the number of threads.

The other way is to take over the work of threads that are slower (`dealing.py`).
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from systems.engine.kernel import Function, inlined, kernel, parallel_kernel, prange

PARTS = 16  # processed in parallel
one: Any = None  # in a loop below: the function that it calls, which `_looping` gives it


def for_each_row(function: Function) -> Function:
    """Make a kernel that runs a function of one row for many rows, on all threads; its first argument becomes `rows`.

        @for_each_row
        def _fall(row, motion, gravity):
            accelerate(motion[row], (ZERO, -gravity))

        _fall(rows, motion, f32(9.81))

    The function is `inlined`. It must write only to data of its own row.
    """
    return _looping(_each_row, function)


def for_each_part(function: Function) -> Function:
    """Make a kernel that runs a function for each of the PARTS, on all threads; it takes no argument `part`.

        @for_each_part
        def _count_old(part, rows, life, counts):
            first, last = part_of(part, len(rows))
            for k in range(first, last):
                counts[part] += life[rows[k]].age > OLD

        _count_old(rows, life, counts)

    The function is `inlined`. It must write only to data of its own part.
    """
    return _looping(_each_part, function)


def _each_row(rows, *given):
    for k in prange(len(rows)):
        one(rows[k], *given)


def _each_part(*given):
    for part in prange(PARTS):
        one(part, *given)


def _looping(loop: Any, function: Function) -> Function:
    """Make a parallel kernel of a loop, in which `one` is the function, with the function's name."""
    names = {"prange": prange, "PARTS": PARTS, "one": inlined(function), "__name__": function.__module__}
    code = loop.__code__.replace(co_name=function.__name__, co_qualname=function.__qualname__)
    made = FunctionType(code, names, function.__name__)
    made.__doc__ = function.__doc__
    return parallel_kernel(made)


@inlined
def part_of(part, count):
    """Return the range (first, last) of `count` elements that belongs to a part."""
    return count * part // PARTS, count * (part + 1) // PARTS


@kernel
def gathered(values, counts):
    """Concatenate the results of all parts: each has put `counts[part]` values at the beginning of its own range."""
    found, at = np.empty(counts.sum(), values.dtype), 0
    for part in range(PARTS):
        first = part_of(part, len(values))[0]
        found[at : at + counts[part]] = values[first : first + counts[part]]
        at += counts[part]
    return found
