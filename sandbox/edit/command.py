"""What a command is, and what several of them check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from components.store.fields import Field, Kind, did_you_mean
from components.store.world import Prefab, World
from sandbox.serials import Serials
from systems.engine.pipeline import Pipeline, System

T = TypeVar("T")
Rows = NDArray[np.int64]
NO_SERIALS = Serials()


class Command(Protocol):
    """An edit, as data: `check` raises ValueError with what would be right, `apply` then can't fail.

    What `apply` changes is noticed by comparing the world with a savepoint, and can be undone. Columns are written
    through `EntityTable.write`, or it says so by `EntityTable.changed`.

    Attributes:
        step: it is a step that can be undone.
    """

    step: ClassVar[bool] = True

    def check(self, world: World) -> None:
        """Raises ValueError when it can't be carried out."""

    def apply(self, world: World) -> None:
        """Carry it out; rows stay where they are, structure changes once it is done."""

    def label(self, world: World) -> str:
        """What it does, in a few words for a menu; how many it places or removes is added."""

    @property
    def handles(self) -> Serials:
        """Those whom a person takes in hand one by one with it; whom it makes are so anyhow."""
        return NO_SERIALS


def find_field(world: World, key: str) -> Field:
    """The declaration of "Component.field".

    Raises:
        ValueError: naming the nearest known one.
    """
    fields = (f for component in world.table.components.values() for f in component.fields.values())
    known: dict[str, Field] = {field.key: field for field in fields if field.in_files}
    return find("field", key, known)


def find_system(world: World, name: str) -> System:
    """An installed system by its name.

    Raises:
        ValueError: naming the nearest known one.
    """
    return find("system", name, world.resource(Pipeline).by_name)


def find_prefab(world: World, name: str) -> Prefab:
    """A prefab by its name.

    Raises:
        ValueError: naming the nearest known one.
    """
    return find("prefab", name, world.prefabs)


def find(what: str, name: object, known: Mapping[str, T]) -> T:
    """What is known by a name.

    Raises:
        ValueError: naming the nearest known one.
    """
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"there is no {what} {name!r}{did_you_mean(name, known) if isinstance(name, str) else ''}")
    return known[name]


def read_switch(what: str, on: object) -> bool:
    """True or false; `what` it is for.

    Raises:
        ValueError: naming that and the value.
    """
    return bool(read(what, on, _ON.parse))


_ON = Field(Kind.SWITCH, False)


def read(what: str, value: Any, parse: Callable[[Any], Any]) -> Any:
    """A value as it is stored; `what` it is for.

    Raises:
        ValueError: naming that, the value, and what would be right.
    """
    try:
        return parse(value)
    except ValueError as error:
        raise ValueError(f"{what} = {value!r}: {error}") from None
