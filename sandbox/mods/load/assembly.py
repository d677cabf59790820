"""Assemblies: the built-in parts and those of mods, in order. A mod with invalid or conflicting parts is refused."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from inspect import isfunction
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from components.store.handles import Component
from components.store.resources import Resource
from components.store.table import MOST_COMPONENTS
from sandbox.design.prefabs import brought_names, installed_names, installed_prefabs
from sandbox.mods.find.fault import Fault, about
from sandbox.mods.find.packages import home_of
from sandbox.mods.load.loading import LoadedMod, LoadError
from sandbox.mods.load.own_shapes import bring_shapes
from sandbox.mods.load.window_parts import refuse_unknown_names, refuse_wrong_parts
from sandbox.parts import BUILT_IN
from sandbox.toml.mistakes import SceneError
from systems.commit import Commit
from systems.engine.app import App, installed
from systems.engine.events import Events
from systems.engine.run_order import AmbiguityError, refuse_unknown_fields, refuse_unknown_systems, resolve
from systems.engine.system import Phase, System


@dataclass(frozen=True, eq=False)
class Assembly:
    """The installed parts that worlds and windows use; immutable, and shared by all that use the same mods.

    Attributes:
        app: all parts, built-in ones and those of mods.
        parts: the parts of each mod by its id, in order.
        mods: the mods by id, in order.
        base: the assembly to which the last mod was added; the reference keeps it in the cache.
    """

    app: App
    parts: Mapping[str, App] = field(default_factory=dict)
    mods: Mapping[str, LoadedMod] = field(default_factory=dict)
    base: Assembly | None = None

    def with_mod(self, mod: LoadedMod) -> Assembly:
        """Return this assembly with another mod, installed last; parts that it adds again are ignored.

        Raises:
            LoadError: the mod can't be installed.
        """
        key = (BUILT_IN, *self.mods.values(), mod)
        if (known := _living.get(key)) is None:
            known = _living[key] = self._installed(mod)
        return known

    def _installed(self, mod: LoadedMod) -> Assembly:
        own = App()
        mod.install(own)
        with mod.guarded("install"):  # objects of the mod may raise anything when they are inspected
            try:
                _check_parts(self.app, own, self.parts)
                if mod.manifest.related <= {mod.id, *self.mods}:  # else unknown names may be of an absent mod
                    both = _both(self.app, own)
                    for system in own.systems:
                        with about(system):
                            refuse_unknown_systems([system], both.systems)
                    refuse_unknown_names(own, both)
            except SceneError as error:
                first = error.mistakes[0]
                place, sentence = f"{first.line}:{first.column}", first.sentence
                raise LoadError(Fault(mod.id, "", f"{first.file}:{place}: {sentence}", "install")) from error
        own.scenes = [mod.content.original(folder) for folder in own.scenes]  # a person may edit and save these
        own.components = [component for component in own.components if component not in self.app.components]
        own.resources = [resource for resource in own.resources if resource not in self.app.resources]
        return Assembly(_both(self.app, own), {**self.parts, mod.id: own}, {**self.mods, mod.id: mod}, self)


_living: WeakValueDictionary[tuple[Any, ...], Assembly] = WeakValueDictionary()  # a cache of those in use


def assembled(mods: Iterable[LoadedMod] = ()) -> Assembly:
    """Return the assembly of the built-in parts and these mods, in order.

    Raises:
        LoadError: a mod can't be installed.
    """
    assembly = Assembly(installed(BUILT_IN))
    for mod in mods:
        assembly = assembly.with_mod(mod)
    return assembly


def _both(one: App, other: App) -> App:
    app = App()
    app.include(one)
    app.include(other)
    return app


def _check_parts(app: App, own: App, parts: Mapping[str, App]) -> None:
    """Check the parts of a mod by themselves and against those in `app`.

    Raises:
        ValueError, TypeError: a part is invalid; the message says what would be right.
    """
    for component in map(_any, own.components):
        if not (isinstance(component, type) and issubclass(component, Component)):
            raise TypeError(f"add_component got {_shown(component)}: a component is a class with @component before it")
        if not component.__name__[:1].isupper():  # in files, lower-case keys beside components have other meanings
            raise ValueError(f"the component {component.__name__} must begin with a capital letter")
    for resource in map(_any, own.resources):
        if not (isinstance(resource, type) and issubclass(resource, Resource)):
            raise TypeError(f"add_resource got {_shown(resource)}: a resource is a class with @resource before it")
    for system in own.systems:
        with about(system):
            _refuse_wrong_system(system, {*app.components, *own.components})
    for folder in map(_any, own.scenes):
        if not isinstance(folder, Path):
            right = 'it takes a folder, Path(__file__).parent / "scenes"'
            raise TypeError(f"add_scenes got {_shown(folder)}: {right}")
    for text in map(_any, own.prefabs):
        if not isinstance(text, str):
            raise TypeError(f"add_prefabs got {_shown(text)}: it takes a text in TOML")
    for command in map(_any, own.commands):
        if not (isfunction(command) and (command.__doc__ or "").strip()):
            raise TypeError(f"add_command got {_shown(command)}: it takes a function whose docstring says what it does")
    refuse_wrong_parts(own)
    both = _both(app, own)
    _refuse_namesakes("component", {thing: thing.__name__ for thing in both.components})
    names = ["", *(component.__name__ for component in both.components)]
    for declared in (each for component in own.components for each in component.fields.values()):
        if declared.having not in names:
            raise ValueError(f"{declared.key}: having = {declared.having!r:.60}: must be the name of a component")
    _refuse_namesakes("resource", {thing: thing.__name__ for thing in both.resources if issubclass(thing, Resource)})
    _refuse_namesakes("system", {thing: thing.name for thing in both.systems})
    if len(both.components) > MOST_COMPONENTS:
        raise ValueError(
            f"with it there are {len(both.components)} components, and a world has room for {MOST_COMPONENTS}"
        )
    bring_shapes(app, own, parts)
    for system in own.systems:
        with about(system):
            refuse_unknown_fields([system], both.components)
    try:
        resolve(both.systems)
    except AmbiguityError as error:
        with about(next((system for system in error.systems if system in own.systems), None)):
            raise
    if own.prefabs:
        for name in brought_names(own):
            if name in installed_names(app):
                others = [f" in the mod {mod}" for mod, other in parts.items() if name in brought_names(other)]
                raise ValueError(f"there is already a prefab {name!r}{''.join(others)}: rename yours")
        installed_prefabs(both)


def _refuse_namesakes(kind: str, names: Mapping[Any, str]) -> None:
    first: dict[str, Any] = {}
    for thing, name in names.items():
        if name in first:
            here, there = home_of(thing), home_of(first[name])
            raise ValueError(f"two {kind}s are called {name}, this one of {here} and one of {there}: rename one")
        first[name] = thing


def _refuse_wrong_system(system: type[System], components: Collection[Any]) -> None:
    if not isinstance(getattr(system, "phase", None), Phase):
        raise ValueError(f"system {system.name} does not say its phase: phase = Phase.STEER")
    if system.essential:
        raise ValueError(f"system {system.name} is essential, which a system of a mod can't be")
    if system.process is not System.process or system.perform is not System.perform:
        raise TypeError(f"system {system.name} defines process or perform, which the program calls: define run")
    try:
        system()
    except TypeError as error:
        raise TypeError(f"system {system.name} can't be made, {system.__name__}(): {error}") from None
    if Events in system.reads and (system.phase < Phase.COMMIT or Commit.name in system.before):
        raise ValueError(
            f"system {system.name}: the births, deaths and catches of a tick are known once `{Commit.name}` has run: "
            f'declare phase = Phase.COMMIT, after = ("{Commit.name}",)'
        )
    for component in system.needs:
        if component not in components:
            raise ValueError(
                f"system {system.name}: needs {component.__name__}, which is not a component: call add_component"
            )


def _any(thing: object) -> Any:
    """Return the object as `Any`: whatever its declared type, a mod may have passed something else."""
    return thing


def _shown(thing: Any) -> str:
    return f"the {type(thing).__name__} {thing!r:.60}"
