"""Adds mods to a running world, and replaces older versions of mods; values that a person set are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from components.store.fields import Field, older_field
from components.store.grids import Grid
from components.store.prefab import Prefab
from components.store.records import ComponentType, limits
from components.store.resources import Resource, as_stored
from components.store.table import MOST_COMPONENTS, MOST_PREFABS
from components.store.world import World
from sandbox.design.prefabs import Brought, brought_names
from sandbox.edit.command import Command
from sandbox.mods.find.load_order import dependency_first
from sandbox.mods.load.assembly import Assembly, assembled
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.loading import LoadedMod, LoadError
from sandbox.mods.run.host import ModHost
from sandbox.undo.history import History
from systems.engine.app import App
from systems.engine.pipeline import Pipeline
from systems.engine.system import System


@dataclass(frozen=True)
class UseMods(Command):
    """Add mods to a running world, or replace older versions of them. Can't be undone.

    Values of a changed component, resource or system parameter are kept by the names of the fields.

    Attributes:
        mods: the loaded mods, in order.
    """

    mods: tuple[LoadedMod, ...]

    undoable: ClassVar[bool] = False

    def check(self, world: World) -> None:
        Upgrade(world, self.mods)

    def apply(self, world: World) -> None:
        Upgrade(world, self.mods).carry_out()

    def label(self, world: World) -> str:
        return "bring mods"


class Upgrade:
    """The changes that add these mods to a world; other mods of the world stay."""

    def __init__(self, world: World, mods: Iterable[LoadedMod]) -> None:
        """Check whether the mods can be added.

        Raises:
            ValueError: they can't.
        """
        self._world, self._host = world, world.resource(ModHost)
        coming = {mod.id: mod for mod in mods}
        all_of_them = {**self._host.mods, **coming}
        order = dependency_first({name: mod.manifest for name, mod in all_of_them.items()})
        try:
            self._assembly = assembled(all_of_them[name] for name in order)
        except LoadError as error:
            raise ValueError(str(error)) from None
        LoadedMods(self._assembly).fitting(world.table.axes)
        self._new = [name for name, mod in coming.items() if self._host.mods.get(name) is not mod]
        self._refuse_lost_components()
        names = {component.__name__ for component in self._assembly.app.components}
        if len({*world.table.components, *names}) > MOST_COMPONENTS:
            raise ValueError(f"together with earlier ones, there are more than {MOST_COMPONENTS} components: restart")
        if len({*world.prefabs, *brought_names(self._assembly.app)}) > MOST_PREFABS:
            raise ValueError(f"with these mods there are more than {MOST_PREFABS} prefabs")

    def carry_out(self) -> None:
        """Make the changes; must be called between two ticks."""
        world, assembly, host = self._world, self._assembly, self._host
        if any(mod in host.mods for mod in self._new):
            world.resource(History).forget()  # its steps hold values of the old versions
        older = dict(world.table.components)
        for mod in self._new:
            own = assembly.parts[mod]
            for component in own.components:
                if self._is_changed(component):
                    world.redeclare(component)
                world.table.declare(component)
            self._take_resources(own)
        as_brought = [name for name, prefab in world.resource(Brought).items() if world.prefabs.get(name) == prefab]
        world.prefabs.update({name: self._fitting(prefab, older) for name, prefab in world.prefabs.items()})
        self._take_systems(assembly)
        host.take(assembly)
        brought = world.resource(Brought)
        world.prefabs.update({name: brought[name] for name in as_brought if name in brought})
        host.off -= {*self._new}
        for mod in host.off:
            host.switch(mod, False)  # and new mods that depend on it

    def _refuse_lost_components(self) -> None:
        """Raise ValueError if a newer version lacks a component that entities have."""
        for mod in self._new:
            if mod not in self._host.parts:
                continue
            names = {component.__name__ for component in self._assembly.app.components}
            for component in self._host.parts[mod].components:
                having = len(self._world.table.rows(component))
                if component.__name__ not in names and having:
                    raise ValueError(
                        f"{mod} no longer has the component {component.__name__}, which {having} entities have: "
                        f"remove them first, or keep it"
                    )

    def _is_changed(self, component: ComponentType) -> bool:
        return self._world.table.components.get(component.__name__, component) is not component

    def _take_resources(self, own: App) -> None:
        """Add the resources of a mod; values of older versions are kept by name."""
        resources = self._world.resources
        for kind in own.resources:
            declared = [known for known in resources if issubclass(known, Resource)]
            older = next((known for known in declared if known.__name__ == kind.__name__), None)
            if older is kind:
                continue
            made = resources[kind] = kind()
            if older is not None:
                _take_values(made, resources.pop(older))

    def _fitting(self, prefab: Prefab, older: Mapping[str, ComponentType]) -> Prefab:
        """Return a prefab with exactly the present fields of its components; values are kept as in rows."""
        now, tables = {component.__name__: component for component in self._assembly.app.components}, {}
        for name, values in prefab.components.items():
            tables[name] = {
                key: _within(field, values[was.name])
                if (was := older_field(field, older[name].fields)) and was.name in values
                else field.default
                for key, field in (now[name].fields if name in now else {}).items()
                if field.in_files and (not field.deep or key in values)
            }
        tables = {name: values for name, values in tables.items() if name in now}
        return prefab if tables == prefab.components else Prefab(prefab.name, tables, prefab.help)

    def _take_systems(self, assembly: Assembly) -> None:
        """Replace the systems of new versions, with the parameters of the old ones; other systems stay as they are."""
        pipeline = self._world.resource(Pipeline)
        systems = dict(pipeline.by_name)
        for mod in self._new:
            for kind in assembly.parts[mod].systems:
                system = systems[kind.name] = kind()
                if (old := pipeline.by_name.get(kind.name)) is not None:
                    _take_parameters(system, old)
                    system.enabled = old.enabled or mod in self._host.off
        pipeline.replace(self._world, [systems[kind.name] for kind in assembly.app.systems])


def _take_parameters(system: System, old: System) -> None:
    """Copy the parameters that were changed in an older version of a system, if the new version still has them."""
    for name, field in system.parameters.items():
        was = older_field(field, old.parameters)
        if was and old.stored[was.name] != was.default:
            setattr(system, name, _within(field, old.stored[was.name]))


def _take_values(made: Resource, older: Resource) -> None:
    """Copy the values that were changed in an older version of a resource, if the new version still has them."""
    for field in made.fields.values():
        if was := older_field(field, older.fields):
            values = {now: older.stored[then] for now, then in zip(field.columns(), was.columns(), strict=True)}
            if any(value != as_stored(was, was.default) for value in values.values()):
                fitting = {key: _within(field, value) for key, value in values.items()}
                made.stored = {**made.stored, **fitting}


def _within(field: Field, value: Any) -> Any:
    if isinstance(value, str):
        return value[: int(field.high)]
    if field.each is not None:
        return tuple(_within(field.each, entry) for entry in value[: int(field.high)])
    bounds = limits(field, MOST_PREFABS)
    if isinstance(value, Grid):
        return Grid(field.cell_size, value.amounts.clip(bounds.low, bounds.high), field.plane)
    return type(value)(np.clip(value, bounds.low, bounds.high))
