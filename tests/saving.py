"""Worlds that a person edits, and what must be true when they are saved as a scene."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from difflib import ndiff

import numpy as np

from components.store.fields import Kind
from components.store.records import form_of
from sandbox.design.origins import Origins
from sandbox.design.scene import Entry
from sandbox.edit import Spawn
from sandbox.scenes.reader import scene_of
from sandbox.scenes.writer import scene_text
from sandbox.serials import Serials
from sandbox.simulation import Simulation
from sandbox.toml.source import TomlSource
from systems.engine.settings import Settings
from systems.engine.system import WHILE_PAUSED


def opened(text: str) -> Simulation:
    return Simulation(scene_of(TomlSource("meadow.toml", text.encode())))


def place(simulation: Simulation, entry: Entry) -> list[int]:
    """Place things as a person does; returns their serials."""
    first = simulation.world.next_serial
    simulation.submit(Spawn(entry))
    simulation.settle_commands()
    serials = list(range(first, simulation.world.next_serial))
    return serials


def edit(simulation: Simulation, serial: int, **columns: float) -> None:
    """Change one entity by hand: `edit(simulation, 7, Look_size=3)`."""
    world = simulation.world
    row = world.table.rows_of(np.array([serial]))[0]
    for name, value in columns.items():
        world.table.write(name.replace("_", ".", 1), row, value)
    origins = world.resource(Origins)
    origins.edited_alone = Serials([*origins.edited_alone, serial])
    simulation.pipeline.run(world, WHILE_PAUSED)


def erase(simulation: Simulation, *serials: int) -> None:
    """Take these away."""
    simulation.world.despawn(np.array(serials))


def rename(simulation: Simulation, name: str, to: str) -> None:
    """Give a prefab another name; it keeps its place."""
    world, origins = simulation.world, simulation.world.resource(Origins)
    prefabs = [replace(prefab, name=to) if prefab.name == name else prefab for prefab in world.prefabs.values()]
    world.prefabs = {prefab.name: prefab for prefab in prefabs}
    origins.entries = [
        (first, end, replace(entry, prefab=to) if entry.prefab == name else entry)
        for first, end, entry in origins.entries
    ]


def everyone(simulation: Simulation, serials: set[int] | None = None) -> Counter[tuple[object, ...]]:
    """Each entity as its prefab and all its values to the bit; without numbers that only this world knows."""
    world, names = simulation.world, list(simulation.world.prefabs)
    found: Counter[tuple[object, ...]] = Counter()
    for row, serial in enumerate(world.table.serial[: world.table.size].tolist()):
        if serials is None or serial in serials:
            presence = int(world.table.presence[row])
            has = [c for c in world.table.components.values() if presence >> world.table.bit_of[c] & 1]
            kept = [field for component in has for field in form_of(component).fields if not field.transient]
            values: list[object] = [names[world.table.prefab[row]], *(component.__name__ for component in has)]
            for field in (field for field in kept if field.key != "Wall.group"):
                stored = [world.table.columns[key][row] for key in field.columns()]
                is_set = field.kind is Kind.PREFABS
                values += [sorted(field.show(value, tuple(names))) if is_set else value.tobytes() for value in stored]
            found[tuple(map(str, values))] += 1
    return found


def check_it_lasts(simulation: Simulation) -> str:
    """Saved, opened and saved again it is the same; returns the text."""
    text, world = scene_text(simulation), simulation.world
    with opened(text) as again:
        assert scene_text(again) == text
        assert again.populations() == simulation.populations()
        assert everyone(simulation, {*world.resource(Origins).edited_alone}) <= everyone(again)
        assert again.world.resource(Settings) == world.resource(Settings)
        assert again.world.seed == world.seed
        for system in simulation.pipeline.systems:
            other = again.pipeline.by_name[system.name]
            assert other.enabled == system.enabled
            assert all(getattr(other, name) == getattr(system, name) for name in system.parameters)
    return text


def difference(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that went and those that came, each in order."""
    lines = list(ndiff(before.split("\n"), after.split("\n")))
    return [line[2:] for line in lines if line[:1] == "-"], [line[2:] for line in lines if line[:1] == "+" and line[2:]]
