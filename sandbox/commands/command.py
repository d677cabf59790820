"""What a command is, and what several of them check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from components.flock import EVERYONE
from components.store.fields import Field, did_you_mean
from components.store.world import World
from sandbox.scene import NO_MEAN_PLACE
from systems.core.pipeline import Pipeline, System
from systems.core.settings import Settings

Rows = NDArray[np.int64]
NOBODY: Rows = np.zeros(0, np.int64)


class Command(Protocol):
    """An edit, as data: `check` raises ValueError with what would be right, `apply` then can't fail.

    What `apply` does to prefabs, the settings, systems and the seed, whom it makes and whom it ends is noticed, and
    can be undone. In which columns it writes it has to say.

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

    def edited(self, world: World) -> tuple[Rows, Sequence[str]]:
        """The rows and columns in which it may write: all places where something lives when it is carried out."""
        return NOBODY, ()

    @property
    def handles(self) -> tuple[int, ...]:
        """Serials of those whom a person takes in hand one by one with it; whom it makes are so anyhow."""
        return ()


def find_field(world: World, key: str) -> Field:
    """The declaration of "Component.field".

    Raises:
        ValueError: naming the nearest known one.
    """
    fields = (f for component in world.table.components.values() for f in component.fields.values())
    known = {field.key: field for field in fields if field.in_files}
    if key not in known:
        raise ValueError(f"there is no field {key!r}{did_you_mean(key, known)}")
    declared: Field = known[key]
    return declared


def find_system(world: World, name: str) -> System:
    """An installed system by its name.

    Raises:
        ValueError: naming the nearest known one.
    """
    systems = world.resource(Pipeline).by_name
    if name not in systems:
        raise ValueError(f"there is no system {name!r}{did_you_mean(name, systems)}")
    return systems[name]


def refuse_unknown_prefab(world: World, name: str) -> None:
    """Raises ValueError, naming the nearest known one."""
    if name not in world.prefabs:
        raise ValueError(f"there is no prefab {name!r}{did_you_mean(name, world.prefabs)}")


def refuse_unknown_parameter(system: System, name: str) -> None:
    """Raises ValueError, naming the nearest known one."""
    if name not in system.parameters:
        raise ValueError(f"system {system.name} has no parameter {name!r}{did_you_mean(name, system.parameters)}")


def read(what: str, value: Any, parse: Callable[[Any], Any]) -> Any:
    """A value as it is stored; `what` it is for.

    Raises:
        ValueError: naming that, the value, and what would be right.
    """
    try:
        return parse(value)
    except ValueError as error:
        raise ValueError(f"{what} = {value!r}: {error}") from None


def refuse_everyone(world: World, key: str, stored: object) -> None:
    """Raises ValueError where someone is to see everyone of a world that repeats."""
    if key == "Perception.reach" and stored == EVERYONE and world.resource(Settings).torus:
        raise ValueError(f"{key} = 'everyone': {NO_MEAN_PLACE}")


def living(world: World, serials: Iterable[int]) -> Rows:
    """The rows of those of these serials who live, each once."""
    return world.table.living(np.unique(np.fromiter(serials, np.int64)))
