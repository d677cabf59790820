"""Inheritance: the young copy the values of their parents, with small changes if the parent's mutation is above 0."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.life import Life
from components.motion import Motion, Velocity
from components.store.fields import Kind
from components.store.records import ComponentType, Form, by_type, item_of, limits
from components.store.table import MOST_PREFABS, EntityTable
from systems.engine.kernel import inlined, kernel
from systems.exact.angles import direction
from systems.exact.random import direction_like, random_unit
from systems.exact.vector import length, put, read, rotated, scaled
from systems.space.bounds import FASTEST, within

f32 = np.float32
TURN, UPWARD = 201, 206  # streams of random numbers


@by_type
def _items(form: Form) -> tuple[list[tuple[str, str, Any]], list[str], list[str]]:
    """The items of a component's records that are not copied as they are.

    Returns:
        those that get another item's value or their default, as (item, other item or "", default); those that are set
        to 0; those that are halved.
    """
    first_of = {item_of(key): item_of(first) for key, first in form.starts}
    items = [(item_of(key), field) for key, field in form.columns.items()]
    anew = [(item, first_of.get(item, ""), field.default) for item, field in items if field.transient]
    zero, half = (
        [item for item, field in items if field.inherits == how and not field.transient] for how in ("zero", "half")
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
        return young[kind.__name__].view(table.form(kind).record)

    for component in components:
        anew, zero, half = _items(table.form(component))
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
        _mutate_all(table, {kind: records_of(kind) for kind in components}, seed, tick, serials)
    return young


def _mutate_all(
    table: EntityTable, young: dict[ComponentType, NDArray[np.void]], seed: int, tick: int, serials: NDArray[np.int64]
) -> None:
    mutation = young[Life]["mutation"].copy()
    for component, records in young.items():
        for field in table.form(component).fields:
            if field.kind is Kind.NUMBER and field.inherits == "mutate" and not field.transient:
                stream, bounds = zlib.crc32(field.key.encode()), limits(field, MOST_PREFABS)
                _mutate(records[item_of(field.key)], mutation, seed, tick, serials, stream, bounds.low, bounds.high)
    if (motion := young.get(Motion)) is not None:
        mutates = mutation > 0
        motion["min_speed"][mutates] = np.minimum(motion["min_speed"], motion["max_speed"])[mutates]


@kernel
def _turn(velocity, seed, tick, serials, most):
    """Give each velocity a random direction."""
    for k in range(len(serials)):
        turn, upward = random_unit(seed, tick, serials[k], TURN), random_unit(seed, tick, serials[k], UPWARD)
        put(velocity[k], within(_turned(read(velocity[k]), turn, upward), most))


@inlined
def _turned(velocity, turn, upward):
    """Rotate a velocity in the plane by a turn; with depth, let it point anywhere."""
    if len(velocity) == 2:
        return rotated(velocity, direction(turn))
    return scaled(direction_like(velocity, turn, upward), length(velocity))


@kernel
def _mutate(values, mutation, seed, tick, serials, stream, low, high):
    """Multiply each value by 1 + mutation * s, with a random s in [-1, 1), and clip it to its bounds."""
    for k in range(len(serials)):
        if mutation[k] > 0:
            share = 1.0 + mutation[k] * (2.0 * random_unit(seed, tick, serials[k], stream) - 1.0)
            values[k] = min(max(f32(values[k] * share), low), high)
