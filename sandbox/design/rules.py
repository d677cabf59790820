"""Rules across fields, the same for scenes, commands and snapshots.

A field checks its own value; these rules are about several: the edges of the world, what somebody is made of and
whom it sees.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from components.flock import EVERYONE
from components.store.fields import Field
from components.store.limits import Limits, limits
from components.store.world import World
from sandbox.design.prefabs import Brought
from systems.engine.settings import Settings

REACH = "Perception.reach"
NO_MEAN_PLACE = 'a mean position is undefined if edges = "wrap": choose other edges or another reach'
NO_MOVING_OBSTACLE = "an obstacle or wall can't move: leave out Velocity, or the Obstacle or Wall"


class Broken(NamedTuple):
    """A rule that somebody breaks: the key of the field, "" for the components themselves, and what would be right."""

    key: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.key} = 'everyone': {self.sentence}" if self.key else self.sentence


def broken_rule(edges: str, components: Collection[str], values: Mapping[str, Any]) -> Broken | None:
    """The rule that somebody with these components and stored values breaks in a world with these edges."""
    if "Velocity" in components and not {"Obstacle", "Wall"}.isdisjoint(components):
        return Broken("", NO_MOVING_OBSTACLE)
    if edges == "wrap" and values.get(REACH) == EVERYONE:
        return Broken(REACH, NO_MEAN_PLACE)
    return None


def refuse_broken(edges: str, components: Collection[str], values: Mapping[str, Any]) -> None:
    """Raises ValueError where somebody with these components and stored values breaks a rule."""
    if broken := broken_rule(edges, components, values):
        raise ValueError(str(broken))


def limits_in(world: World, field: Field) -> Limits:
    """What a column of this field may hold in a world: on a torus nobody's reach is everyone, the last choice."""
    found = limits(field, len(world.prefabs))
    if field.key == REACH and world.resource(Settings).torus:
        return replace(found, high=found.high - 1, must=NO_MEAN_PLACE)
    return found


def check_world(world: World, edges: str | None = None) -> None:
    """Check the prefabs and everybody who lives; a prefab just as a mod brought it counts once somebody is of it.

    Args:
        edges: those of the world are to become these.
    Raises:
        ValueError: who breaks which rule.
    """
    edges = edges or world.resource(Settings).edges
    brought = world.resource(Brought)
    for name, prefab in world.prefabs.items():
        if brought.get(name) != prefab and (broken := broken_rule(edges, prefab.components, prefab.values())):
            raise ValueError(f"prefab {name!r}: {broken}")
    table = world.table
    for presence in np.unique(table.presence[: table.size]).tolist():
        own = {component.__name__ for component, bit in table.bit_of.items() if presence >> bit & 1}
        members = np.flatnonzero(table.presence[: table.size] == presence)
        someone_sees_all = "Perception" in own and (table.columns[REACH][members] == EVERYONE).any()
        values = {REACH: EVERYONE} if someone_sees_all else {}
        if broken := broken_rule(edges, own, values):
            raise ValueError(f"an entity: {broken}")
