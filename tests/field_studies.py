"""What field studies measure in flocks: how long velocities are correlated, where neighbours are, how near, what shape.

All pairs, numpy. Places and velocities are (n, 3), m and m/s.
"""

from __future__ import annotations

import numpy as np

INTERIOR = 0.35  # the centrality below which a bird counts as inside (Hildenbrandt et al. 2010)


def distances(place: np.ndarray) -> np.ndarray:
    """(n, n), infinite from each to itself."""
    square = np.square(place).sum(axis=1)
    found = np.sqrt(np.maximum(square[:, None] + square[None] - 2 * place @ place.T, 0))
    np.fill_diagonal(found, np.inf)
    return found


def polarization(velocity: np.ndarray) -> float:
    return float(np.linalg.norm((velocity / np.linalg.norm(velocity, axis=1, keepdims=True)).mean(axis=0)))


def correlation_share(place: np.ndarray, velocity: np.ndarray, bins: int = 40) -> float:
    """The distance at which fluctuations of the velocity are no longer correlated, over the size of the flock.

    The size is the largest distance between two birds (Cavagna et al. 2010).
    """
    apart = distances(place)
    own = velocity - velocity.mean(axis=0)
    upper = np.triu_indices(len(place), 1)
    apart, alike = apart[upper], (own @ own.T)[upper]
    size = apart.max()
    edges = np.linspace(0, size, bins + 1)
    index = np.minimum(np.digitize(apart, edges) - 1, bins - 1)
    counts, sums = np.bincount(index, minlength=bins), np.bincount(index, alike, bins)
    with np.errstate(invalid="ignore"):
        mean = sums / counts
    middle = (edges[1:] + edges[:-1]) / 2
    known = counts > 0
    mean, middle = mean[known], middle[known]
    below = int(np.argmax(mean < 0))
    if below == 0:
        return 0.0 if mean[0] < 0 else 1.0
    step = mean[below - 1] / (mean[below - 1] - mean[below])
    return float((middle[below - 1] + step * (middle[below] - middle[below - 1])) / size)


def interior(place: np.ndarray, neighbours: int = 50) -> np.ndarray:
    """Which birds have others on all sides: the mean direction to the nearest 50 is short."""
    nearest = np.argsort(distances(place), axis=1)[:, :neighbours]
    to = place[nearest] - place[:, None]
    to /= np.linalg.norm(to, axis=2, keepdims=True)
    return np.linalg.norm(to.mean(axis=1), axis=1) < INTERIOR


def anisotropy(place: np.ndarray, velocity: np.ndarray, most: int = 20) -> np.ndarray:
    """gamma of the first, second, ... neighbour of the birds inside, (most,): 1/3 if neighbours are on all sides alike.

    It is the squared cosine between the mean velocity and the direction in which neighbours are most seldom (Ballerini
    et al. 2008).
    """
    inside = interior(place)
    nearest = np.argsort(distances(place), axis=1)[inside, :most]
    to = place[nearest] - place[inside][:, None]
    to /= np.linalg.norm(to, axis=2, keepdims=True)
    ahead = velocity.mean(axis=0) / np.linalg.norm(velocity.mean(axis=0))
    found = []
    for n in range(most):
        _, vectors = np.linalg.eigh(to[:, n].T @ to[:, n] / len(to))
        found.append((vectors[:, 0] @ ahead) ** 2)
    return np.array(found)


def isotropic_from(gamma: np.ndarray) -> float:
    """The number of the neighbour at which gamma comes down to 1/3, between two neighbours interpolated."""
    below = int(np.argmax(gamma <= 1 / 3))
    if below == 0:
        return 1.0 if gamma[0] <= 1 / 3 else float(len(gamma))
    return below + (gamma[below - 1] - 1 / 3) / (gamma[below - 1] - gamma[below])


def nearest_neighbour(place: np.ndarray) -> float:
    """The mean distance to the nearest, of the birds inside, m."""
    return float(distances(place).min(axis=1)[interior(place)].mean())


def widths(place: np.ndarray) -> np.ndarray:
    """The three widths of the flock along its own axes, ascending, m: standard deviations."""
    return np.sqrt(np.linalg.eigvalsh(np.cov(place.T)))
