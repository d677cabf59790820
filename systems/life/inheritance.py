"""What the young have of their parents: all of it, a little different where the parent's mutation says so."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.fields import Kind
from components.store.limits import limits
from components.store.records import ComponentType, fields_of
from components.store.table import MOST_PREFABS, EntityTable
from systems.engine.kernel import kernel
from systems.exact.random import random_unit
from systems.exact.vector import direction
from systems.space.bounds import FASTEST

f32 = np.float32
Values = dict[str, NDArray[Any]]
TURN = 201  # stream of random numbers


def inherited(table: EntityTable, parents: NDArray[np.int64], components: list[ComponentType]) -> Values:
    """All values of these components but transient ones, by column, as the parents have them now, shape (n,)."""
    fields = [field for component in components for field in fields_of(component) if not field.transient]
    return {key: table.columns[key][parents] for field in fields for key in field.columns}


def make_young(
    values: Values, components: list[ComponentType], seed: int, tick: int, serials: NDArray[np.int64]
) -> None:
    """Make values of parents those of their young, as each field's `inherits` says, and give them another heading.

    Args:
        values: by column, shape (n,), as `inherited` gives them; changed in place.
        serials: int64 (n,), of the young.
    """
    fields = [field for component in components for field in fields_of(component) if field.key in values]
    for field in fields:
        if field.inherits == "zero":
            values[field.key][:] = 0
        elif field.inherits == "half":
            values[field.key] //= 2
    if "Velocity.x" in values:
        _turn(values["Velocity.x"], values["Velocity.y"], seed, tick, serials, f32(FASTEST))
    if "Life.mutation" in values and (mutates := values["Life.mutation"] > 0).any():
        for field in fields:
            if field.kind is Kind.NUMBER and field.inherits == "mutate":
                stream, bounds = zlib.crc32(field.key.encode()), limits(field, MOST_PREFABS)
                _mutate(
                    values[field.key], values["Life.mutation"], seed, tick, serials, stream, bounds.low, bounds.high
                )
        if "Motion.min_speed" in values:
            slowest, fastest = values["Motion.min_speed"], values["Motion.max_speed"]
            slowest[mutates] = np.minimum(slowest[mutates], fastest[mutates])


def halved(components: list[ComponentType]) -> list[str]:
    """The columns of which the young get half and the parent keeps the rest."""
    return [field.key for component in components for field in fields_of(component) if field.inherits == "half"]


@kernel
def _turn(vx, vy, seed, tick, serials, most):
    """Turn each velocity by an angle of chance."""
    for k in range(len(serials)):
        c, s = direction(random_unit(seed, tick, serials[k], TURN))
        x, y = vx[k] * c - vy[k] * s, vx[k] * s + vy[k] * c
        vx[k], vy[k] = min(max(x, -most), most), min(max(y, -most), most)


@kernel
def _mutate(values, mutation, seed, tick, serials, stream, low, high):
    """Multiply each value by 1 + mutation * s, s by chance in [-1, 1), and keep it within its bounds."""
    for k in range(len(serials)):
        if mutation[k] > 0:
            share = 1.0 + mutation[k] * (2.0 * random_unit(seed, tick, serials[k], stream) - 1.0)
            values[k] = min(max(f32(values[k] * share), low), high)
