"""Divides rows among threads, so that the result does not depend on their number.

Where some rows take much longer than others, threads take over work of others instead (`dealing.py`).
"""

from __future__ import annotations

from inspect import signature

import numpy as np

from systems.engine.kernel import Function, inlined, kernel, parallel_kernel, prange

PORTIONS = 16  # processed in parallel


def for_each_row(function: Function) -> Function:
    """Make a kernel that runs a function of one row for many rows, on all threads; its first argument becomes `rows`.

        @for_each_row
        def _fall(row, motion, gravity):
            accelerate(motion[row], (ZERO, -gravity))

        _fall(rows, motion, f32(9.81))

    The function is `inlined`. It must write only to data of its own row.
    """
    return _looping(function, "rows, {given}", "len(rows)", "rows[k]")


def for_each_portion(function: Function) -> Function:
    """Make a kernel that runs a function for each of the PORTIONS, on all threads; it takes no argument `portion`.

        @for_each_portion
        def _count_old(portion, rows, life, counts):
            first, last = portion_of(portion, len(rows))
            for k in range(first, last):
                counts[portion] += life[rows[k]].age > OLD

        _count_old(rows, life, counts)

    The function is `inlined`. It must write only to data of its own portion.
    """
    return _looping(function, "{given}", "PORTIONS", "k")


def _looping(function: Function, arguments: str, count: str, each: str) -> Function:
    """Make a parallel kernel that calls a function in a loop.

    It is made from text, because the loop needs the function's own arguments: numba can't give what is in `*arguments`
    to other threads.
    """
    given = ", ".join([*signature(function).parameters][1:])
    head, call = f"def {function.__name__}({arguments.format(given=given)}):", f"one({each}, {given})"
    text = f"{head}\n    for k in prange({count}):\n        {call}\n"
    names = {"prange": prange, "PORTIONS": PORTIONS, "one": inlined(function), "__name__": function.__module__}
    exec(compile(text, f"<{function.__module__}.{function.__name__}>", "exec"), names)
    return parallel_kernel(names[function.__name__])


@inlined
def portion_of(portion, count):
    """Return the range (first, last) of `count` elements that belongs to a portion."""
    return count * portion // PORTIONS, count * (portion + 1) // PORTIONS


@kernel
def gathered(values, counts):
    """Concatenate the results of all portions: the first `counts[portion]` values of the range of each."""
    found, at = np.empty(counts.sum(), values.dtype), 0
    for portion in range(PORTIONS):
        first = portion_of(portion, len(values))[0]
        found[at : at + counts[portion]] = values[first : first + counts[portion]]
        at += counts[portion]
    return found
