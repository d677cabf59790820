"""Why does this one turn: whom it sees, and what each rule and system asks of it.

No system has code for this: the accelerations are set to zero, one STEER system runs, and the row is read; flocking
runs once per rule, the other strengths of that row at zero. So the numbers are those that the next tick will use.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from components.flock import Flocker
from components.motion import Motion, Position, Velocity
from components.store.world import World
from sandbox.simulation import Simulation
from systems.core.neighbours import RULES, neighbours
from systems.core.pipeline import Phase, System

Vector = tuple[float, float]


@dataclass(frozen=True)
class Explanation:
    """The steering of one entity at the start of a tick.

    Attributes:
        serial: whose.
        position, velocity: u and u/s.
        neighbours: serials of those whom any of its rules counts, ascending.
        rules: acceleration by rule of flocking and by name of each other STEER system, u/s².
        acceleration: their sum as the tick makes it, before Motion.max_acceleration, u/s².
    """

    serial: int
    position: Vector
    velocity: Vector
    neighbours: list[int]
    rules: dict[str, Vector]
    acceleration: Vector

    def as_json(self) -> dict[str, Any]:
        """Plain lists and numbers."""
        return asdict(self)


def explain(simulation: Simulation, serial: int) -> Explanation:
    """Explain the coming tick of one entity; the world stays as it is.

    Raises:
        ValueError: when there is no entity of that serial, or it does not move.
    """
    world = simulation.world
    row = int(world.table.rows_of(np.array([serial]))[0])
    if row < 0:
        raise ValueError(f"there is no entity {serial}; serials go from 1 to {world.next_serial - 1}, some have died")
    if row not in world.table.rows(Position, Velocity, Motion):
        raise ValueError(f"entity {serial} does not move: it has no {Motion.__name__}")
    columns = world.table.columns
    kept = {key: columns[key].copy() for key in columns if _is_scratch(key)}
    simulation.pipeline.run(world, [Phase.SENSE])
    steering = [s for s in simulation.pipeline.systems if s.phase is Phase.STEER and s.enabled]
    rules: dict[str, Vector] = {}
    for system in steering:
        if system.name == "flocking":
            rules |= {rule: _one_rule(world, system, row, rule) for rule in RULES}
        else:
            rules[system.name] = _acceleration(world, [system], row)
    total = _acceleration(world, steering, row)
    seen = {int(serial) for rule in RULES for serial in neighbours(world, row, rule)}
    for key, column in kept.items():
        columns[key][:] = column
    return Explanation(serial, _pair(world, "Position", row), _pair(world, "Velocity", row), sorted(seen), rules, total)


def _is_scratch(key: str) -> bool:
    return key.startswith(("Position.previous", "Motion.acceleration"))


def _pair(world: World, key: str, row: int) -> Vector:
    columns = world.table.columns
    return float(columns[f"{key}.x"][row]), float(columns[f"{key}.y"][row])


def _acceleration(world: World, systems: list[System], row: int) -> Vector:
    for axis in ("x", "y"):
        world.table.columns[f"Motion.acceleration.{axis}"][: world.table.size] = 0
    for system in systems:
        system.process(world)
    return _pair(world, "Motion.acceleration", row)


def _one_rule(world: World, flocking: System, row: int, rule: str) -> Vector:
    """What flocking gives with the strengths of the other rules at zero."""
    strengths = [world.table.columns[f"{Flocker.__name__}.{name}_strength"] for name in RULES if name != rule]
    kept = [column[row] for column in strengths]
    for column in strengths:
        column[row] = 0
    try:
        return _acceleration(world, [flocking], row)
    finally:
        for column, value in zip(strengths, kept, strict=True):
            column[row] = value
