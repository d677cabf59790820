"""The protocol of commands, and checks that several of them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from components.store.fields import FLAT, Field, Kind, by_key
from components.store.prefab import Prefab
from components.store.words import did_you_mean
from components.store.world import World
from sandbox.design.field_rules import NO_DEPTH
from sandbox.serials import NO_SERIALS, Serials
from systems.engine.pipeline import Pipeline
from systems.engine.system import System

T = TypeVar("T")
Rows = NDArray[np.int64]
MOST_LISTED = 24  # names in a message


class Command(Protocol):
    """An edit as data. After `check` has accepted it, `apply` should not fail.

    A command does not implement undo: the world is compared with a savepoint to find what `apply` changed. So `apply`
    must write columns by `EntityTable.write`, or report them by `EntityTable.changed`.

    Attributes:
        undoable: whether it is an undo step.
    """

    undoable: ClassVar[bool] = True

    def check(self, world: World) -> None:
        """Raise ValueError if it can't be carried out, with what would be right; the default accepts everything."""
        return

    def apply(self, world: World) -> None:
        """Carry it out. Rows do not move meanwhile: structural changes (births, deaths ...) come after it."""

    def label(self, world: World) -> str:
        """Return a few words for a menu; the caller adds the number of entities that it makes or removes."""

    @property
    def edits_alone(self) -> Serials:
        """The existing entities that it edits individually; those that it makes are always counted as such."""
        return NO_SERIALS


def find_field(world: World, key: str) -> Field:
    """Return the declaration of "Component.field".

    Raises:
        ValueError: it is unknown (the message names the nearest known one), or only worlds with depth have it.
    """
    fields = (f for component in world.table.components.values() for f in component.fields.values())
    found = find("field", key, by_key(field for field in fields if field.settable and field.kind is not Kind.VECTOR))
    if found.deep and world.table.axes == FLAT:
        raise ValueError(f"{key}: {NO_DEPTH}")
    return found


def find_system(world: World, name: str) -> System:
    """Return an installed system by its name.

    Raises:
        ValueError: it is unknown; the message names the nearest known one.
    """
    return find("system", name, world.resource(Pipeline).by_name)


def find_prefab(world: World, name: str) -> Prefab:
    """Return a prefab by its name.

    Raises:
        ValueError: it is unknown; the message names the nearest known one.
    """
    return find("prefab", name, world.prefabs)


def find(what: str, name: object, known: Mapping[str, T]) -> T:
    """Return the value of a name in `known`; messages call it a `what`.

    Raises:
        ValueError: it is unknown; the message names the nearest known one.
    """
    if not isinstance(name, str) or name not in known:
        near = did_you_mean(name, known) if isinstance(name, str) else ""
        rest = len(known) - MOST_LISTED
        some = ", ".join(islice(known, MOST_LISTED)) + (f" and {rest} more" if rest > 0 else "")
        listed = f": there are {some}" if known else ""
        raise ValueError(f"there is no {what} {name!r}{near or listed}")
    return known[name]


def read_switch(what: str, on: object) -> bool:
    """Check a switch and return True or False.

    Raises:
        ValueError: it is neither; the message names `what` it is for, and the value.
    """
    return bool(read(what, on, _ON.parse))


_ON = Field(Kind.SWITCH, False)


def refuse_depth(world: World, what: str, value: float | None) -> None:
    """Check that a number along the depth is not given in a flat world, unless it is 0 or None.

    Raises:
        ValueError: it is; the message names `what` it is.
    """
    if value and world.table.axes == FLAT:
        raise ValueError(f"{what} = {value!r}: this world is flat")


def read(what: str, value: Any, parse: Callable[[Any], Any]) -> Any:
    """Return a value parsed by `parse`.

    Raises:
        ValueError: it is invalid; the message names `what` it is for, the value, and what would be right.
    """
    try:
        return parse(value)
    except ValueError as error:
        raise ValueError(f"{what} = {value!r}: {error}") from None
