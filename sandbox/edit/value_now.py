"""Reads the value of a key of `--set`, and which values a command set for it; `setting.py` sets it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from components.store.fields import Field
from components.store.world import World
from sandbox.design.presets import KEYS, QUANTITIES, factors_now, mean_and_mixed
from sandbox.edit import Command, SetEnabled, SetField, SetParameter, SetPrefabs, SetResource
from sandbox.edit.command import find, find_field, find_prefab, find_system
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings

WORLD = "world."


def value_now(world: World, key: str) -> float:
    """Return the value of a key of `--set` or of a quantity of all animals; the mean of several, NaN if no number.

    Raises:
        ValueError: the key is unknown; the message has the nearest known one.
    """
    owner, _, name = key.rpartition(".")
    kind: type[Any] = Settings
    if key in QUANTITIES:
        return mean_and_mixed(factors_now(world, key))[0]
    if key.startswith(WORLD):
        find("setting", name, kind.fields)
        return _number(getattr(world.resource(Settings), name))
    if (prefab_and_field := _field(key)) is not None:
        return _mean(world, *prefab_and_field)
    if owner:
        system = find_system(world, owner)
        return _number(getattr(system, find(f"parameter of system {owner}", name, system.parameters).name))
    known = {**QUANTITIES, **world.resource(Pipeline).by_name}
    return float(getattr(find("system or quantity", key, known), "enabled", math.nan))


def values_set(world: World, command: Command, key: str) -> Iterator[float]:
    """Yield the values that a command set for a key; none if it set something else."""
    if key in QUANTITIES:
        if any(True for field in KEYS[key] for _ in values_set(world, command, field)):
            yield value_now(world, key)
    elif isinstance(command, SetPrefabs):
        for prefab, field, value in command.values:
            if key in (field, f"{prefab}.{field}"):
                yield _number(value)
    elif isinstance(command, SetField):
        named = [command.key, *([f"{command.prefab}.{command.key}"] if command.prefab else ())]
        if key in named or (not command.prefab and not command.serials and key.endswith(f".{command.key}")):
            yield _number(command.value)
    elif isinstance(command, SetParameter):
        if key == f"{command.system}.{command.name}":
            yield _number(command.value)
    elif isinstance(command, SetEnabled):
        if key == command.system:
            yield _number(command.enabled)
    elif isinstance(command, SetResource) and key == command.key.replace("Settings.", WORLD):
        yield _number(command.value)


def _field(key: str) -> tuple[str, str] | None:
    """Return the prefab ("" for any) and field of a key, or None if it does not name a field."""
    parts = key.rsplit(".", 2)
    if len(parts) < 2 or not parts[-2][:1].isupper():
        return None
    return (parts[0] if len(parts) == 3 else ""), ".".join(parts[-2:])


def _mean(world: World, prefab: str, key: str) -> float:
    """Return the mean over living entities; if none of the prefab lives, the value of the prefab."""
    field: Field = find_field(world, key)
    table, column = world.table, field.columns()[0]
    rows = table.rows(table.components[field.owner])
    if prefab:
        values = find_prefab(world, prefab).values()
        rows = rows[table.prefab[rows] == world.prefab_index(prefab)]
        if not len(rows):
            return _number(values.get(column, field.default))
    return float(np.mean(table.columns[column][rows], dtype=np.float64)) if len(rows) else math.nan


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else math.nan
