"""Edits that a person could make, by chance: of every kind there is."""

from __future__ import annotations

import numpy as np

from components.store.fields import AMOUNT_SCALE, Field, Kind
from sandbox.commands import (
    Clear,
    Command,
    Despawn,
    Erase,
    Move,
    NewPrefab,
    Paste,
    RenamePrefab,
    SetField,
    SetParameter,
    SetWorld,
    Spawn,
    Switch,
    copy_of,
)
from sandbox.scene import Circle, Entry, Spread
from sandbox.simulation import Simulation
from systems.core.settings import BACKDROPS, EDGES, Settings


def random_edit(simulation: Simulation, rng: np.random.Generator) -> Command:
    """Some edit, of things that are there or of none."""
    return KINDS[int(rng.integers(len(KINDS)))](simulation, rng)


def _place(simulation: Simulation, rng: np.random.Generator) -> tuple[float, float]:
    settings = simulation.world.resource(Settings)
    return float(rng.uniform(0, settings.width)), float(rng.uniform(0, settings.height))


def _prefab(simulation: Simulation, rng: np.random.Generator) -> str:
    return str(rng.choice(list(simulation.world.prefabs)))


def _some(simulation: Simulation, rng: np.random.Generator) -> tuple[int, ...]:
    """Serials of some who live, and maybe of some who don't."""
    table = simulation.world.table
    living = table.serial[: table.size]
    chosen = rng.choice(living, int(rng.integers(1, 9))).tolist() if len(living) else []
    return (*chosen, *rng.integers(1, simulation.world.next_serial + 5, 2).tolist())


def spawn(simulation: Simulation, rng: np.random.Generator) -> Command:
    name, (x, y) = _prefab(simulation, rng), _place(simulation, rng)
    if "Wall" in simulation.world.prefabs[name].components:
        return Spawn(Entry(name, points=((x, y), (x + 50, y + 20), (x, y + 70)), closed=bool(rng.integers(2))))
    values = {"Look.size": Spread(6, 2)} if rng.random() < 0.5 else {}
    count = int(rng.integers(1, 13))
    if rng.random() < 0.3:
        return Spawn(Entry(name, count, values=values), tuple(_place(simulation, rng) for _ in range(count)))
    return Spawn(Entry(name, count, area=Circle(x, y, 40), values=values))


def despawn(simulation: Simulation, rng: np.random.Generator) -> Command:
    return Despawn(_some(simulation, rng))


def erase(simulation: Simulation, rng: np.random.Generator) -> Command:
    prefab = _prefab(simulation, rng) if rng.random() < 0.3 else None
    return Erase(*_place(simulation, rng), float(rng.uniform(5, 80)), prefab)


def clear(simulation: Simulation, rng: np.random.Generator) -> Command:
    return Clear(_prefab(simulation, rng) if rng.random() < 0.8 else None)


def move(simulation: Simulation, rng: np.random.Generator) -> Command:
    return Move(_some(simulation, rng), *rng.uniform(-300, 300, 2).tolist())


def paste(simulation: Simulation, rng: np.random.Generator) -> Command:
    return Paste(copy_of(simulation.world, _some(simulation, rng)), *rng.uniform(-300, 300, 2).tolist())


def set_field(simulation: Simulation, rng: np.random.Generator) -> Command:
    world = simulation.world
    fields = [f for c in world.table.components.values() for f in c.fields.values() if not f.transient]
    field = fields[int(rng.integers(len(fields)))]
    value = written(field, rng, list(world.prefabs))
    if rng.random() < 0.5:
        return SetField(field.key, value, serials=_some(simulation, rng))
    return SetField(field.key, value, prefab=_prefab(simulation, rng) if rng.random() < 0.6 else None)


def written(field: Field, rng: np.random.Generator, prefabs: list[str]) -> object:
    """A value of a field as a scene file writes it, no larger than a person would."""
    if field.kind is Kind.SWITCH:
        return bool(rng.integers(2))
    if field.kind is Kind.CHOICE:
        return str(rng.choice(field.choices))
    if field.kind is Kind.COLOUR:
        return f"#{rng.integers(1 << 24):06x}"
    if field.kind is Kind.PREFABS:
        return rng.choice(prefabs, int(rng.integers(0, 3))).tolist()
    scale = AMOUNT_SCALE if field.kind is Kind.AMOUNT else 1
    usual = abs(field.default) / scale + 1
    value = float(rng.uniform(max(field.low, -2 * usual), min(field.high, 2 * usual)))
    return round(value) if field.kind is Kind.INTEGER else value


def set_parameter(simulation: Simulation, rng: np.random.Generator) -> Command:
    return SetParameter("commit", "reorder_every", int(rng.integers(1, 9)))


def switch(simulation: Simulation, rng: np.random.Generator) -> Command:
    names = [system.name for system in simulation.pipeline.systems if not system.essential]
    return Switch(str(rng.choice(names)), bool(rng.random() < 0.7))


def set_world(simulation: Simulation, rng: np.random.Generator) -> Command:
    kinds = {
        "width": lambda: float(rng.uniform(200, 1200)),
        "height": lambda: float(rng.uniform(200, 900)),
        "edges": lambda: str(rng.choice(EDGES)),
        "margin": lambda: float(rng.uniform(0, 90)),
        "acceleration": lambda: float(rng.uniform(0, 90)),
        "tick_rate": lambda: int(rng.integers(30, 90)),
        "population_limit": lambda: int(rng.integers(300, 2000)),
        "backdrop": lambda: str(rng.choice(BACKDROPS)),
        "seed": lambda: int(rng.integers(1000)),
    }
    name = str(rng.choice(list(kinds)))
    return SetWorld(name, kinds[name]())


def new_prefab(simulation: Simulation, rng: np.random.Generator) -> Command:
    return NewPrefab(f"new {rng.integers(1000)}", _prefab(simulation, rng))


def rename_prefab(simulation: Simulation, rng: np.random.Generator) -> Command:
    return RenamePrefab(_prefab(simulation, rng), f"renamed {rng.integers(1000)}")


KINDS = (
    spawn,
    spawn,
    spawn,
    despawn,
    erase,
    clear,
    move,
    move,
    paste,
    paste,
    set_field,
    set_field,
    set_field,
    set_parameter,
    switch,
    set_world,
    set_world,
    new_prefab,
    rename_prefab,
)
