"""Rules that involve several fields; scenes, commands and snapshots all apply them.

A field checks its own value. These rules combine the edges of the world with the components and the reach of
entities.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from components.flock import EVERYONE
from components.store.fields import Field
from components.store.records import Limits, limits
from components.store.world import World
from sandbox.design.prefabs import Brought
from systems.engine.settings import Settings

REACH = "Perception.reach"
NO_MEAN_PLACE = 'a mean position is undefined if edges = "wrap": choose other edges or another reach'
NO_DEPTH = "this world is flat: give [world] size a third number"
NO_MOVING_OBSTACLE = "an obstacle or wall can't move: leave out Velocity, or the Obstacle or Wall"


class Broken(NamedTuple):
    """A broken rule: the key of the field, or "" for the set of components, and a sentence that says what is right."""

    key: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.key} = 'everyone': {self.sentence}" if self.key else self.sentence


def broken_rule(edges: str, components: Collection[str], values: Mapping[str, Any]) -> Broken | None:
    """Return the rule that an entity with these components and stored values breaks in a world with these edges."""
    if "Velocity" in components and not {"Obstacle", "Wall"}.isdisjoint(components):
        return Broken("", NO_MOVING_OBSTACLE)
    if edges == "wrap" and values.get(REACH) == EVERYONE:
        return Broken(REACH, NO_MEAN_PLACE)
    return None


def refuse_broken(edges: str, components: Collection[str], values: Mapping[str, Any]) -> None:
    """Raise ValueError if an entity with these components and stored values would break a rule."""
    if broken := broken_rule(edges, components, values):
        raise ValueError(str(broken))


def limits_in(world: World, field: Field) -> Limits:
    """Return the limits of a field's column in a world: on a torus, reach can't be "everyone", the last choice."""
    found = limits(field, len(world.prefabs))
    if field.key == REACH and world.resource(Settings).torus:
        return replace(found, high=found.high - 1, must=NO_MEAN_PLACE)
    return found


def check_world(world: World, edges: str | None = None) -> None:
    """Check the prefabs and all entities; a prefab that is unchanged since its mod added it counts only when in use.

    Args:
        edges: check for these future edges instead of the world's.
    Raises:
        ValueError: a rule is broken; the message says which, and by which prefab, or by an entity.
    """
    edges = edges or world.resource(Settings).edges
    brought = world.resource(Brought)
    for name, prefab in world.prefabs.items():
        if brought.get(name) != prefab and (broken := broken_rule(edges, prefab.components, prefab.values())):
            raise ValueError(f"prefab {name!r}: {broken}")
    table = world.table
    for presence in np.unique(table.presence[: table.size]).tolist():
        own = {component.__name__ for component, bit in table.bit_of.items() if presence >> bit & 1}
        rows = np.flatnonzero(table.presence[: table.size] == presence)
        someone_sees_all = "Perception" in own and (table.columns[REACH][rows] == EVERYONE).any()
        values = {REACH: EVERYONE} if someone_sees_all else {}
        if broken := broken_rule(edges, own, values):
            raise ValueError(f"an entity: {broken}")
