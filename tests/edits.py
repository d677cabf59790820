"""Edits that a person could make, by chance: of every kind there is."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from components.store.fields import AMOUNT_SCALE, Field, Kind
from components.store.world import World
from sandbox.design.presets import QUANTITIES, values_at
from sandbox.design.scene import Circle, Entry
from sandbox.edit import (
    Clear,
    Command,
    Despawn,
    Erase,
    Move,
    NewPrefab,
    Paste,
    RenamePrefab,
    SetEnabled,
    SetField,
    SetParameter,
    SetPrefabs,
    SetSetting,
    SetTables,
    Spawn,
    copy_of,
)
from sandbox.simulation import Simulation
from sandbox.toml.schemas import Spread
from systems.engine.settings import BACKDROPS, EDGES, Settings


def do(simulation: Simulation, *commands: Command, joins: bool = False) -> str:
    """Carry out commands while the world stands; all but the first join it if asked. Returns the digest."""
    for n, command in enumerate(commands):
        simulation.submit(command, joins=joins and n > 0)
        simulation.settle_commands()
    return simulation.digest()


def random_edit(simulation: Simulation, rng: np.random.Generator) -> Command:
    """Some edit, of things that are there or of none."""
    return KINDS[int(rng.integers(len(KINDS)))](simulation, rng)


def impossible_edit(simulation: Simulation, rng: np.random.Generator) -> Command:
    """Some edit with one value that most likely can't be.

    Raises:
        ValueError: it is refused already when it is made.
    """
    edit = random_edit(simulation, rng)
    names = [field.name for field in fields(edit)]
    within = isinstance(edit, Spawn) and rng.random() < 0.7
    changed: Any = edit.entry if isinstance(edit, Spawn) and within else edit
    names = [field.name for field in fields(changed)]
    odd = replace(changed, **{names[int(rng.integers(len(names)))]: ODD[int(rng.integers(len(ODD)))]})
    return Spawn(odd) if within else odd


ODD: tuple[Any, ...] = (
    float("nan"), float("inf"), -float("inf"), -0.0, -1, 0, 2, 1e30, 10**400, None, True, "", "nobody", "#ff0000",
    (), [[1]], {}, {"Look.size": float("nan")}, {"Look.colour": "#ff0000"}, {"Look.size": Spread(5, -1)},
    {"Look.colour": Spread(5, 1)}, {"Look.size": Spread(-0.0, 0.0)}, {"Energy.level": 1.5}, {"Velocity.x": 1.0},
    {"Perception.reach": 2}, (-0.0, -0.0), (float("nan"), 1), ((1, 1), (1, 1)), ("a",), (1.5,), np.array([1.0]),
)  # fmt: skip


@dataclass(frozen=True)
class Fails(Command):
    """Changes one thing of every kind, and then fails."""

    error: type[Exception] = RuntimeError

    def check(self, world: World) -> None:
        pass

    def label(self, world: World) -> str:
        return "fail"

    def apply(self, world: World) -> None:
        world.table.write("Look.size", slice(world.table.size), 3)
        world.resource(Settings).margin = 7
        first = next(iter(world.prefabs.values()))
        world.prefabs["ours"] = replace(first, name="ours")
        world.prefabs[first.name] = replace(first, help="another")
        world.spawn(first.name, 5)
        world.despawn(world.table.serial[: world.table.size][:2])
        world.seed = 99
        raise self.error("oh dear")


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
    spreads = ({}, {"Look.size": Spread(6, 2)}, {"Look.size": Spread(-0.0, 0.0), "Motion.max_speed": Spread(90, 40)})
    values = spreads[int(rng.integers(3))]
    count = int(rng.integers(1, 13))
    if rng.random() < 0.3:
        return Spawn(Entry(name, count, values=values), tuple(_place(simulation, rng) for _ in range(count)))
    if rng.random() < 0.2:
        return Spawn(Entry(name, count, at=(-0.0, y), velocity=(-0.0, -0.0), values=values))
    return Spawn(Entry(name, count, area=Circle(x, y, 40), values=values))


def despawn(simulation: Simulation, rng: np.random.Generator) -> Command:
    return Despawn(_some(simulation, rng))


def erase(simulation: Simulation, rng: np.random.Generator) -> Command:
    prefab = _prefab(simulation, rng) if rng.random() < 0.3 else None
    return Erase(*_place(simulation, rng), float(rng.uniform(5, 80)), prefab)


def clear(simulation: Simulation, rng: np.random.Generator) -> Command:
    return Clear(_prefab(simulation, rng) if rng.random() < 0.8 else None)


def move(simulation: Simulation, rng: np.random.Generator) -> Command:
    dx, dy = rng.uniform(-300, 300, 2).tolist()
    return Move(_some(simulation, rng), dx if rng.random() < 0.9 else -0.0, dy)


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
        return str(rng.choice([*field.choices]))
    if field.kind is Kind.COLOUR:
        return f"#{rng.integers(1 << 24):06x}"
    if field.kind is Kind.PREFABS:
        return rng.choice(prefabs, int(rng.integers(0, 3))).tolist()
    scale = AMOUNT_SCALE if field.kind is Kind.AMOUNT else 1
    usual = abs(field.default) / scale + 1
    value = float(rng.uniform(max(field.low, -2 * usual), min(field.high, 2 * usual)))
    if field.kind is Kind.INTEGER:
        return round(value)
    return -0.0 if rng.random() < 0.2 else value


def set_parameter(simulation: Simulation, rng: np.random.Generator) -> Command:
    return SetParameter("commit", "reorder_every", int(rng.integers(1, 9)))


def switch(simulation: Simulation, rng: np.random.Generator) -> Command:
    names = [system.name for system in simulation.pipeline.systems if not system.essential]
    return SetEnabled(str(rng.choice(names)), bool(rng.random() < 0.7))


def set_world(simulation: Simulation, rng: np.random.Generator) -> Command:
    kinds = {
        "width": lambda: float(rng.uniform(200, 1200)),
        "height": lambda: float(rng.uniform(200, 900)),
        "depth": lambda: float(rng.choice([0.0, rng.uniform(100, 700)])),
        "edges": lambda: str(rng.choice(EDGES)),
        "margin": lambda: float(rng.choice([-0.0, 0.0, rng.uniform(0, 90)])),
        "acceleration": lambda: float(rng.choice([-0.0, 0.0, rng.uniform(0, 90)])),
        "tick_rate": lambda: int(rng.integers(30, 90)),
        "population_limit": lambda: int(rng.integers(300, 2000)),
        "backdrop": lambda: str(rng.choice(BACKDROPS)),
        "trails": lambda: bool(rng.integers(2)),
        "seed": lambda: int(rng.integers(1000)),
    }
    name = "depth" if rng.random() < 0.3 else str(rng.choice(list(kinds)))
    return SetSetting(name, kinds[name]())


def new_prefab(simulation: Simulation, rng: np.random.Generator) -> Command:
    return NewPrefab(f"new {rng.integers(1000)}", _prefab(simulation, rng))


def rename_prefab(simulation: Simulation, rng: np.random.Generator) -> Command:
    return RenamePrefab(_prefab(simulation, rng), f"renamed {rng.integers(1000)}")


def set_prefabs(simulation: Simulation, rng: np.random.Generator) -> Command:
    factors = {name: float(rng.choice([0, 0.5, 1, rng.uniform(0, 4)])) for name in QUANTITIES if rng.random() < 0.5}
    return SetPrefabs(values_at(simulation.world, factors), "everybody")


def set_labels(simulation: Simulation, rng: np.random.Generator) -> Command:
    names = rng.choice(["Feeding ground", "ä ö", "# 3"], int(rng.integers(4)), replace=False).tolist()
    return SetTables("labels", {name: {"x": float(rng.uniform(0, 400)), "colour": "#00ff7f"} for name in names})


def set_presets(simulation: Simulation, rng: np.random.Generator) -> Command:
    names = rng.choice(["tight", "loose", "# 3"], int(rng.integers(4)), replace=False).tolist()
    tables = {name: {str(rng.choice(list(QUANTITIES))): float(rng.uniform(0, 4))} for name in names}
    return SetTables("presets", tables)


def set_pictures(simulation: Simulation, rng: np.random.Generator) -> Command:
    names = rng.choice(["pond", "a map"], int(rng.integers(3)), replace=False).tolist()
    return SetTables("pictures", {name: {"file": f"{name}.png", "light": float(rng.uniform(0, 1))} for name in names})


KINDS = (
    spawn, spawn, spawn, despawn, erase, clear, move, move, paste, paste, set_field, set_field, set_field,
    set_parameter, set_prefabs, set_labels, set_presets, set_pictures, switch, set_world, set_world, new_prefab,
    rename_prefab,
)  # fmt: skip
