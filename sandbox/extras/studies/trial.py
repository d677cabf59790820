"""Checks whether values can be set and measures computed in the worlds of a scene, before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from components.store.words import did_you_mean
from sandbox.edit.setting import commands_to_set
from sandbox.extras.studies.study import Value
from sandbox.extras.studies.world import SPAWN, with_count
from sandbox.record import measured
from sandbox.simulation import Simulation


def wrong_values(simulation: Simulation, values: Mapping[str, Value]) -> str:
    """Return why these values can't be set in worlds of the scene, or would have no effect; empty if they can."""
    there = {entry.prefab for entry in simulation.scene.entries}
    try:
        for key, value in values.items():
            if key.startswith(SPAWN):
                with_count(simulation.scene, key, value)
                continue
            for command in commands_to_set(key, value):
                command.check(simulation.world)
            prefab, *rest = key.split(".")
            if len(rest) == 2 and rest[0][:1].isupper() and prefab not in there:
                return f"{key}: nobody in the scene is a {prefab}{did_you_mean(prefab, there)}"
    except ValueError as error:
        return str(error)
    return ""


def unknown_measures(simulation: Simulation, names: Iterable[str]) -> dict[str, str]:
    """Return, by name, why measures can't be computed; measures that can are left out."""
    found = {}
    for name in names:
        try:
            measured(simulation, [name])
        except ValueError as error:
            found[name] = str(error)
    return found
