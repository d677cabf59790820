"""Sets up the world of a run, and checks beforehand whether that is possible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from components.store.words import did_you_mean
from sandbox.design.scene import Scene
from sandbox.edit.setting import commands_to_set
from sandbox.extras.studies.study import Value
from sandbox.record import measured
from sandbox.simulation import Simulation

WORLD, SPAWN, COUNT = "world.", "spawn.", ".count"


def simulation_of(scene: Scene, values: Mapping[str, Value], seed: int) -> Simulation:
    """Make a world of a scene, and set these values in it.

    Numbers of entities and `world` settings are set before entities are spawned, all others as `boids run --set` does.

    Raises:
        ValueError: a value can't be set; the message says what would be right.
    """
    counts = {key: value for key, value in values.items() if key.startswith(SPAWN)}
    for key, value in counts.items():
        scene = with_count(scene, key, value)
    simulation = Simulation(scene, seed, populate=False)
    try:
        _set(simulation, {key: value for key, value in values.items() if key.startswith(WORLD)})
        simulation.populate()
        _set(simulation, {key: value for key, value in values.items() if not key.startswith((WORLD, SPAWN))})
    except ValueError:
        simulation.close()
        raise
    return simulation


def _set(simulation: Simulation, values: Mapping[str, Value]) -> None:
    for key, value in values.items():
        for command in commands_to_set(key, value):
            simulation.submit(command)
            simulation.settle_commands()


def with_count(scene: Scene, key: str, value: Value) -> Scene:
    """Return the scene with another count for `spawn.PREFAB.count`; it must have exactly one group of the prefab."""
    prefab = key.removeprefix(SPAWN).removesuffix(COUNT)
    if not key.endswith(COUNT) or not prefab:
        raise ValueError(f"{key}: must be spawn.PREFAB.count")
    groups = [index for index, entry in enumerate(scene.entries) if entry.prefab == prefab and not entry.points]
    if len(groups) != 1:
        known = sorted({entry.prefab for entry in scene.entries})
        found = (
            f"the scene has {len(groups)} [[spawn]] of it, and must have one: write one with a count, without at"
            if groups
            else (f"the scene spawns none: it spawns {', '.join(known) or 'nothing'}")
        )
        raise ValueError(f"{key}: {found}")
    if type(value) is not int or not 0 <= value <= 2_000_000:
        raise ValueError(f"{key} = {value}: must be a whole number, 0 to 2,000,000")
    entries = [
        replace(entry, count=value) if index == groups[0] else entry for index, entry in enumerate(scene.entries)
    ]
    return replace(scene, entries=[entry for entry in entries if entry.population])


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
