"""Inheritance: the young copy the values of their parents, with small changes if the parent's mutation is above 0."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.life import Life
from components.motion import Motion, Velocity
from components.store.fields import Kind
from components.store.records import ComponentType, by_type, fields_of, item_of, limits, starts
from components.store.table import MOST_PREFABS, EntityTable
from systems.engine.kernel import kernel
from systems.exact.angles import direction
from systems.exact.random import random_unit
from systems.exact.vector import put, read, rotated
from systems.space.bounds import FASTEST, within

f32 = np.float32
TURN = 201  # stream of random numbers


@by_type
def _items(component: ComponentType) -> tuple[list[tuple[str, str, Any]], list[str], list[str]]:
    """The items of a component's records that are not copied as they are.

    Returns:
        those that get another item's value or their default, as (item, other item or "", default); those that are set
        to 0; those that are halved.
    """
    fields = fields_of(component)
    first_of = {item_of(key): item_of(first) for key, first in starts(component)}
    anew = [
        (item_of(key), first_of.get(item_of(key), ""), f.default) for f in fields if f.transient for key in f.columns
    ]
    zero, half = (
        [item_of(key) for field in fields if field.inherits == how and not field.transient for key in field.columns]
        for how in ("zero", "half")
    )
    return anew, zero, half


def young_of(
    table: EntityTable,
    parents: NDArray[np.int64],
    components: tuple[ComponentType, ...],
    seed: int,
    tick: int,
    serials: NDArray[np.int64],
) -> dict[str, NDArray[np.void]]:
    """The records of the young, as plain bytes, (n,), by name of component.

    Values are inherited as each field's `inherits` declares; the heading is random. Parents lose what the young get of
    halved amounts.

    Args:
        components: the components of these parents, the same for all.
        serials: int64 (n,), of the young.
    """
    young = {kind.__name__: table.plain[kind.__name__][parents] for kind in components}

    def records_of(kind: ComponentType) -> NDArray[np.void]:
        return young[kind.__name__].view(kind.record)

    for component in components:
        anew, zero, half = _items(component)
        if not (anew or zero or half):
            continue
        own = records_of(component)
        for item, first, default in anew:
            own[item] = own[first] if first else default
        for item in zero:
            own[item] = 0
        for item in half:
            own[item] //= 2
            table.records(component)[item][parents] -= own[item]
        if half:
            table.changed(component.__name__)
    if Velocity in components:
        _turn(records_of(Velocity), seed, tick, serials, f32(FASTEST))
    if Life in components and (records_of(Life)["mutation"] > 0).any():
        _mutate_all({kind: records_of(kind) for kind in components}, seed, tick, serials)
    return young


def _mutate_all(young: dict[ComponentType, NDArray[np.void]], seed: int, tick: int, serials: NDArray[np.int64]) -> None:
    mutation = young[Life]["mutation"].copy()
    for component, records in young.items():
        for field in fields_of(component):
            if field.kind is Kind.NUMBER and field.inherits == "mutate" and not field.transient:
                stream, bounds = zlib.crc32(field.key.encode()), limits(field, MOST_PREFABS)
                _mutate(records[item_of(field.key)], mutation, seed, tick, serials, stream, bounds.low, bounds.high)
    if (motion := young.get(Motion)) is not None:
        mutates = mutation > 0
        motion["min_speed"][mutates] = np.minimum(motion["min_speed"], motion["max_speed"])[mutates]


@kernel
def _turn(velocity, seed, tick, serials, most):
    """Rotate each velocity by a random angle."""
    for k in range(len(serials)):
        turn = direction(random_unit(seed, tick, serials[k], TURN))
        put(velocity[k], within(rotated(read(velocity[k]), turn), most))


@kernel
def _mutate(values, mutation, seed, tick, serials, stream, low, high):
    """Multiply each value by 1 + mutation * s, with a random s in [-1, 1), and clip it to its bounds."""
    for k in range(len(serials)):
        if mutation[k] > 0:
            share = 1.0 + mutation[k] * (2.0 * random_unit(seed, tick, serials[k], stream) - 1.0)
            values[k] = min(max(f32(values[k] * share), low), high)
