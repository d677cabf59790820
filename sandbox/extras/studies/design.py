"""Designs: makes the points of a study, each with a value for every varied key."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np

from sandbox.extras.studies.study import Study, Value

Point = dict[str, Value]


def points_of(study: Study) -> Iterator[Point]:
    """Yield the points of a design in order: a value for each varied key."""
    keys = [*study.vary]
    if study.kind == "list":
        yield from map(dict, study.points)
    elif study.kind == "grid":
        for values in product(*(study.vary[key].values for key in keys)):
            yield dict(zip(keys, values, strict=True))
    else:
        for shares in _shares(study):
            yield {key: study.vary[key].at(float(share)) for key, share in zip(keys, shares, strict=True)}


def count_of(study: Study) -> int:
    """Return the number of points."""
    if study.kind == "list":
        return len(study.points)
    if study.kind == "grid":
        return math.prod(len(levels.values) for levels in study.vary.values())
    return study.samples


def _shares(study: Study) -> Iterator[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Yield points of the unit cube, the same for the same seed.

    Latin hypercube: McKay, Beckman, Conover (1979). Sobol: with Owen's scrambling, and a power of two of points drawn,
    because only then they are balanced.
    """
    from scipy.stats import qmc

    size, rng = len(study.vary), np.random.default_rng(study.seed)
    if study.kind == "latin":
        yield from qmc.LatinHypercube(size, rng=rng).random(study.samples)
    else:
        drawn = qmc.Sobol(size, rng=rng).random_base2(max(math.ceil(math.log2(study.samples)), 0))
        yield from drawn[: study.samples]
