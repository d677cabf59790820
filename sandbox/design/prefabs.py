"""Makes prefabs from the tables of files: components by name, perhaps extending another prefab."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from components.store.fields import Stored
from components.store.prefab import Prefab
from sandbox.design.scene_schema import prefabs_schema
from sandbox.toml.schemas import refuse
from sandbox.toml.source import DEEPEST, TomlSource
from systems.engine.app import App

Tables = Mapping[str, Mapping[str, Any]]
ABOUT = ("extends", "help")


class Brought(dict[str, Prefab]):
    """A resource of the world: the prefabs of its mods, as the mods define them."""


@cache
def built_in_source() -> TomlSource:
    """Return the file of the built-in prefabs, read once; callers must not change it."""
    return TomlSource("prefabs.toml", (files("sandbox") / "prefabs.toml").read_bytes())


def brought_sources(app: App) -> list[TomlSource]:
    """Return the parsed prefab texts of mods.

    Raises:
        SceneError: a text is not TOML, or has anything but prefabs.
    """
    sources = []
    for text in app.prefabs:
        source = TomlSource("add_prefabs", text.encode())
        if not isinstance(source.data.get("prefabs"), dict) or len(source.data) > 1:
            source.mistake((), "must have tables [prefabs.NAME] and nothing else")
        source.refuse_mistakes()
        sources.append(source)
    return sources


def brought_names(app: App) -> tuple[str, ...]:
    """Return the names of the mods' prefabs; raises what `brought_sources` raises."""
    return tuple(dict.fromkeys(name for source in brought_sources(app) for name in source.data["prefabs"]))


def installed_names(app: App) -> tuple[str, ...]:
    """Return the names of all installed prefabs; raises what `brought_sources` raises."""
    return tuple(dict.fromkeys([*built_in_source().data["prefabs"], *brought_names(app)]))


def installed_prefabs(app: App, names: Iterable[str] | None = None) -> dict[str, Prefab]:
    """Make the prefabs of an app: the built-in ones, then those of its mods, which may extend earlier ones.

    Args:
        names: the names of all prefabs of a scene, in order; None stands for those of the app alone.
    Raises:
        SceneError: a prefab of a mod is invalid.
    """
    known = tuple(names) if names is not None else installed_names(app)
    made: dict[str, Prefab] = {}
    for source in (built_in_source(), *brought_sources(app)):
        tables = source.data["prefabs"]
        read = prefabs_schema(app, known).read(source, ("prefabs",), tables)
        made |= made_prefabs(source, app, tables, read, made)
        source.refuse_mistakes()
    return made


def made_prefabs(
    source: TomlSource, app: App, names: Iterable[str], tables: Tables, built_in: Mapping[str, Prefab]
) -> dict[str, Prefab]:
    """Make the prefabs called `names`: from `tables`, with every field at its value or default, else the built-in ones.

    Cycles of `extends` are noted as mistakes. A prefab that extends its own name extends the built-in one.
    """
    made: dict[str, Prefab] = {}
    for name in names:
        if name in tables or name not in built_in:
            made[name] = Prefab(
                name, _components(source, app, name, tables, built_in), tables.get(name, {}).get("help", "")
            )
        else:
            made[name] = built_in[name]
    return made


def component_defaults(app: App, component: str) -> dict[str, Stored]:
    """Return the default of every field of a component that all worlds have; deep ones are only told if given."""
    declared = next(c for c in app.components if c.__name__ == component).fields.values()
    return {field.name: field.default for field in declared if field.in_files and not field.deep}


def _components(
    source: TomlSource, app: App, name: str, tables: Tables, built_in: Mapping[str, Prefab]
) -> dict[str, dict[str, Stored]]:
    chain = [name]
    components: dict[str, dict[str, Stored]] = {}
    while (other := tables.get(chain[-1], {}).get("extends")) is not None:
        path = ("prefabs", chain[-1], "extends")
        if other in built_in and (other == chain[-1] or other not in tables):
            components = {key: dict(fields) for key, fields in built_in[other].components.items()}
            break
        if other == chain[-1]:
            refuse(source, path, "is itself, and no prefab of this name is built in or of a mod that is on")
            break
        if other in chain:
            circle = " -> ".join([*chain[chain.index(other) :], other])
            refuse(source, path, f"circular dependency: {circle}")
            break
        if len(chain) == DEEPEST:
            refuse(source, path, f"a prefab can extend a chain of at most {DEEPEST - 1} others")
            break
        chain.append(other)
    for own in reversed(chain):
        for key, fields in tables.get(own, {}).items():
            if key not in ABOUT:
                components[key] = {**(components.get(key) or component_defaults(app, key)), **fields}
    return components
