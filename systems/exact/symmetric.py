"""The eigenvalues and eigenvectors of small symmetric matrices, from + - * / sqrt only: the same bits everywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence

Numbers = tuple[float, ...]
SWEEPS = 16  # each leaves less off the diagonal than the square of what was there before: five are usually enough


def eigen(matrix: Sequence[Sequence[float]]) -> list[tuple[float, Numbers]]:
    """Return the eigenvalues of a symmetric matrix, ascending, each with its unit eigenvector (Jacobi's rotations)."""
    a = [[*row] for row in matrix]
    every = range(len(a))
    vectors = [[float(i == j) for j in every] for i in every]  # the columns
    for _ in range(SWEEPS):
        for p in every:
            for q in range(p + 1, len(a)):
                if a[p][q] != 0.0:
                    c, s = _rotation(a[p][p], a[p][q], a[q][q])
                    for rows in (a, vectors):
                        for row in rows:
                            row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
                    a[p], a[q] = (
                        [c * x - s * y for x, y in zip(a[p], a[q], strict=True)],
                        [s * x + c * y for x, y in zip(a[p], a[q], strict=True)],
                    )
                    a[p][q] = a[q][p] = 0.0
    return sorted((a[k][k], tuple(row[k] for row in vectors)) for k in every)


def _rotation(first: float, between: float, second: float) -> tuple[float, float]:
    """Return cosine and sine of the rotation that makes the element `between` two of the diagonal 0."""
    theta = (second - first) / (2.0 * between)
    t = 1.0 / (abs(theta) + math.sqrt(theta * theta + 1.0))
    t = t if theta >= 0.0 else -t
    c = 1.0 / math.sqrt(t * t + 1.0)
    return c, t * c
