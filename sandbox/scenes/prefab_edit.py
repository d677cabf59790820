"""Edits the `[prefabs.name]` tables of a text until they define the present prefabs.

Prefabs extend each other: in the file, a change in one is inherited by those that extend it, which did not happen in
the running world. So the text is read again after each round, and prefabs that differ are corrected, bases first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.scenes.design import Table, design_of, shown_component
from sandbox.scenes.reader import scene_of
from sandbox.toml.blocks import Blocks
from sandbox.toml.source import DEEPEST, TomlSource
from sandbox.toml.text import table


def change_prefabs(blocks: Blocks, wanted: Mapping[str, Table], mods: LoadedMods) -> None:
    """Edit the text so that it defines the prefabs in `wanted`; other built-in ones stay as they are.

    Raises:
        LookupError, TypeError, ValueError, TOMLKitError: the text is written in a way that can't be edited in place.
    """
    app = mods.assembly.app
    components = {component.__name__: component for component in app.components}
    unset = {name: shown_component(component) for name, component in components.items()}
    for _ in range(2 * DEEPEST):
        source = TomlSource("scene.toml", blocks.text(lambda block: block.path[:1] != ("spawn",)).encode())
        tables = source.data.get("prefabs", {})
        made = design_of(scene_of(source, mods), app).prefabs
        gone = tables.keys() - wanted.keys()
        wrong = {name for name in wanted if made.get(name) != wanted[name]}
        if not gone and not wrong:
            return
        for name in gone:
            blocks.delete(("prefabs", name))
        bases = {name: made[name] for name in made if name not in tables and name not in wrong}
        for name in (name for name in wanted if name in wrong):
            heir_of = tables.get(name, {}).get("extends")
            if heir_of in wrong and heir_of != name:
                continue
            if name not in tables:
                own = {name: made[name]} if name in made else {}
                _add(blocks, name, wanted[name], {**own, **bases}, unset)
            elif made[name].keys() - wanted[name].keys():
                blocks.delete(("prefabs", name))
                _add(blocks, name, wanted[name], {}, unset)
            else:
                _set_values(blocks, name, _difference(wanted[name], made[name], unset))


def _add(blocks: Blocks, name: str, wanted: Table, bases: Mapping[str, Table], unset: Mapping[str, Table]) -> None:
    """Insert a new table; it extends the built-in prefab that makes it shortest, or none."""
    fitting = {base: made for base, made in bases.items() if made.keys() <= wanted.keys()}
    told = [{"extends": base, **_difference(wanted, {**made, "help": ""}, unset)} for base, made in fitting.items()]
    told.append(_difference(wanted, {"help": ""}, unset))
    fewest = min(told, key=lambda table: sum(len(value) if isinstance(value, dict) else 0 for value in table.values()))
    behind = blocks.last(("prefabs",)) or blocks.last(("world",)) or blocks.blocks[0]
    blocks.insert(table(("prefabs", name), fewest), behind)


def _set_values(blocks: Blocks, name: str, told: Table) -> None:
    """Set in a prefab's table the values that differ."""
    for key, value in told.items():
        if isinstance(value, dict) and value:
            for field in value:
                blocks.set(("prefabs", name, key, field), value[field])
        elif value == "":
            blocks.delete(("prefabs", name, key))
        else:
            blocks.set(("prefabs", name, key), value)


def _difference(wanted: Table, made: Table, unset: Mapping[str, Table]) -> dict[str, Any]:
    """Return the part of `wanted` that differs from `made`, for the prefab's table."""
    told: dict[str, Any] = {"help": wanted["help"]} if wanted["help"] != made["help"] else {}
    for name, fields in wanted.items():
        if name != "help":
            known = made.get(name, unset[name])
            differs = {key: value for key, value in fields.items() if value != known[key]}
            if differs or name not in made:
                told[name] = differs
    return told
