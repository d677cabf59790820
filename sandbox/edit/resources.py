"""Commands that set values of the world: fields of declared resources, including the settings, the seed, the hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from components.store.fields import DEEP, FLAT, Field, Stored, by_key, declared
from components.store.resources import Resource, read_field
from components.store.world import World
from sandbox.design.borders import bring_inside
from sandbox.design.depth import DEPTH, follow_depth
from sandbox.design.field_rules import check_world
from sandbox.design.origins import Origins
from sandbox.design.scene_schema import Keys
from sandbox.edit.command import Command, find, read, refuse_depth
from sandbox.render.backdrop import Backdrop
from sandbox.undo.history import ModSwitches
from systems.engine.hand import Hand
from systems.engine.settings import Settings

SEED = declared(Keys)["seed"]
DEPTH_KEY = "Settings.depth"
BACKDROP_KEY = "Settings.backdrop"
SPACE = ("Settings.width", "Settings.height", DEPTH_KEY, "Settings.edges")  # when these change, entities may be outside


@dataclass(frozen=True)
class SetResource(Command):
    """Set a field ("Settings.edges") of a declared resource to a value as a scene file writes it.

    If this changes the size or edges of the world, what has a Position outside it is moved inside. A depth gives a flat
    world a third dimension, along which then lies what moves, and 0 takes it away. Another backdrop comes whole:
    what Backdrop changed of the one before is forgotten.
    """

    key: str
    value: Any

    def check(self, world: World) -> None:
        self._stored(world)
        if self.key == DEPTH_KEY:
            if self.value:
                read(_written(self.key), self.value, DEPTH.parse)
            world.resource(ModSwitches).refuse_axes(DEEP if self.value else FLAT)
        if self.key == "Settings.edges":
            read(_written(self.key), self.value, lambda edges: check_world(world, edges))

    def apply(self, world: World) -> None:
        _, kind = self._found(world)
        stored, resource = self._stored(world), world.resource(kind)
        before, resource.stored = resource.stored, {**resource.stored, **stored}
        if (name := kind.__name__) != Settings.__name__:
            origins = world.resource(Origins)
            origins.resources = {**origins.resources, name: {**origins.resources.get(name, {}), **stored}}
        if self.key == BACKDROP_KEY and resource.stored != before:
            _forget_changes_of_backdrop(world)
        follow_depth(world)
        if self.key in SPACE:
            bring_inside(world)

    def label(self, world: World) -> str:
        return f"set {self.key.split('.', 1)[1].replace('_', ' ')}"

    def _stored(self, world: World) -> Mapping[str, Stored]:
        field, _ = self._found(world)
        names = {name: index for index, name in enumerate(world.prefabs)}
        key = _written(self.key)
        stored: Mapping[str, Stored] = read(key, self.value, lambda value: read_field(field, value, names))
        return stored

    def _found(self, world: World) -> tuple[Field, type[Resource]]:
        fields = (field for kind in world.declared.values() for field in kind.fields.values() if not field.transient)
        field = find("field", _written(self.key), {_written(key): field for key, field in by_key(fields).items()})
        return field, world.declared[field.owner]


def _forget_changes_of_backdrop(world: World) -> None:
    world.resource(Backdrop).stored = Backdrop().stored  # type: ignore[attr-defined]
    origins = world.resource(Origins)
    origins.resources = {name: own for name, own in origins.resources.items() if name != Backdrop.__name__}


def _written(key: str) -> str:
    """Return a key as people write it: the settings are the table `[world]` of a scene file."""
    prefix = f"{Settings.__name__}."
    return f"world.{key.removeprefix(prefix)}" if str(key).startswith(prefix) else key


@dataclass(frozen=True)
class SetSeed(Command):
    """Set the seed of all random numbers from now on."""

    seed: int

    def check(self, world: World) -> None:
        read("seed", self.seed, SEED.parse)

    def apply(self, world: World) -> None:
        world.seed = SEED.parse(self.seed)

    def label(self, world: World) -> str:
        return "set seed"


def SetSetting(name: str, value: Any) -> Command:  # noqa: N802
    """Make the command that sets one of the Settings or the seed."""
    return SetSeed(value) if name == "seed" else SetResource(f"Settings.{name}", value)


@dataclass(frozen=True)
class SetHand(Command):
    """Put the hand into the world, or take it out; it is no undo step, because the hand is taken out again anyway.

    Attributes:
        x, y, z: its place, u; z only in a world with depth.
        strength: how hard it pulls, u/s²; below 0 it scares away, and 0 takes the hand out.
        radius: how far away it is felt, u.
    """

    x: float
    y: float
    strength: float
    radius: float = 200.0
    z: float = 0.0

    undoable: ClassVar[bool] = False

    def check(self, world: World) -> None:
        Hand(self.x, self.y, self.strength, self.radius, self.z)
        refuse_depth(world, "z", self.z)

    def apply(self, world: World) -> None:
        world.resources[Hand] = Hand(self.x, self.y, self.strength, self.radius, self.z) if self.strength else Hand()

    def label(self, world: World) -> str:
        return "scare with the hand" if self.strength < 0 else "pull with the hand"
