"""Explains why an entity turns: its neighbours, the acceleration from each rule and system, and the resulting move.

No system has code for this. The accelerations are set to zero, one STEER system runs, and the entity's row is read;
flocking runs once per rule, with the other strengths at zero. Then all STEER systems run, and after them the MOVE
systems, and the row is read after each. So the numbers are those of the next tick; afterwards the world is restored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from components.flock import Flocker
from components.motion import Motion, Position, Velocity
from components.store.savepoint import Savepoint
from components.store.world import World
from sandbox.explain.rehearsal import before_rehearsal, in_tick, one_by_one, rehearsal
from sandbox.explain.ways import Vector
from sandbox.simulation import Simulation
from systems.engine.system import Phase, System
from systems.flocking.neighbours import RULE_NAMES, rule_neighbours
from systems.steer.attraction import goal_of

FLOCKING, GOALS = "flocking", "goals"


@dataclass(frozen=True)
class Moved:
    """Position and velocity after a MOVE system, u and u/s."""

    position: Vector
    velocity: Vector


@dataclass(frozen=True)
class Explanation:
    """The next tick of one entity.

    Attributes:
        serial: the entity.
        position, velocity: at the start of the tick, u and u/s.
        neighbours: serials of the neighbours of any of its rules, ascending.
        rules: acceleration by rule of flocking and by name of each other STEER system that is enabled, u/s².
        acceleration: their sum as the tick computes it, before Motion.max_acceleration, u/s².
        counted: serials of the neighbours by rule of flocking, ascending; under "goals" the goal that it seeks, if any.
        moves: by name of each MOVE system that changed it, in order, position and velocity after it.
        after: position and velocity at the end of the tick, if the entity survives it.
    """

    serial: int
    position: Vector
    velocity: Vector
    neighbours: list[int]
    rules: dict[str, Vector]
    acceleration: Vector
    counted: dict[str, list[int]]
    moves: dict[str, Moved]
    after: Moved

    def as_json(self) -> dict[str, Any]:
        """Return what steers it, as plain lists and numbers."""
        names = ("serial", "position", "velocity", "neighbours", "rules", "acceleration")
        return {name: getattr(self, name) for name in names}


def row_of(world: World, serial: int) -> int:
    """Return the row of an entity.

    Raises:
        ValueError: there is no entity of that serial.
    """
    row = world.table.row_of(serial)
    if row < 0:
        last = world.next_serial - 1
        gone = ", some have died" if world.table.size < last else ""
        known = f"serials go from 1 to {last}{gone}" if last else "the world is empty"
        raise ValueError(f"there is no entity {serial}; {known}")
    return row


def moves(world: World, row: int) -> bool:
    """Return whether the entity in a row can move at all."""
    return world.table.has(row, Position, Velocity, Motion)


def explain(simulation: Simulation, serial: int) -> Explanation:
    """Explain the next tick of one entity, without commands that may wait; the world stays as it is.

    Raises:
        ValueError: there is no entity of that serial, or it does not move.
    """
    world = simulation.world
    row = row_of(world, serial)
    if not moves(world, row):
        raise ValueError(f"entity {serial} does not move: it has no {Motion.__name__}")
    running = [s for s in in_tick(world) if s.enabled]
    before = [s for s in running if s.phase in (Phase.COMMANDS, Phase.SENSE)]
    steering = [s for s in running if s.phase is Phase.STEER]
    moving = [s for s in running if s.phase is Phase.MOVE]
    begin = _moved(world, row)
    with rehearsal(world) as kept:
        for system in before:
            system.perform(world)
        counted = {rule: rule_neighbours(world, row, rule).tolist() for rule in RULE_NAMES}
        seen = sorted({serial for found in counted.values() for serial in found})
        goal = goal_of(world, row)
        rules = _rules(world, steering, row, kept)
        total = _acceleration(world, steering, row)
        steps = _moves(world, moving, row)
        after = _moved(world, row)
    if goal and GOALS in rules:
        counted[GOALS] = [goal]
    return Explanation(serial, begin.position, begin.velocity, seen, rules, total, counted, steps, after)


def _rules(world: World, steering: list[System], row: int, before: Savepoint) -> dict[str, Vector]:
    """Return the acceleration from each rule and system alone."""
    rules: dict[str, Vector] = {}
    sensed = before_rehearsal(world, before)
    for system in steering:
        if system.name == FLOCKING:
            rules |= _flocking_rules(world, system, row)
        else:
            alone = _acceleration(world, [system], row)
            rules |= {system.name: alone} if system.enabled else {}  # a mod's system may just have been stopped
        sensed.restore(world)
        world.begin_tick()
    return rules


def _flocking_rules(world: World, flocking: System, row: int) -> dict[str, Vector]:
    """Return the acceleration from each rule of flocking; afterwards all strengths are zero.

    The strengths of all other entities are set to zero, too: they don't affect this one, and it makes flocking fast.
    """
    table = world.table
    if not table.has(row, Flocker):
        return dict.fromkeys(RULE_NAMES, (0.0,) * len(table.axes))
    keys = {rule: f"{Flocker.__name__}.{rule}_strength" for rule in RULE_NAMES}
    own = {rule: table.columns[key][row] for rule, key in keys.items()}
    for key in keys.values():
        table.write(key, slice(table.size), 0)
    found = {}
    for rule, key in keys.items():
        table.write(key, row, own[rule])
        found[rule] = _acceleration(world, [flocking], row)
        table.write(key, row, 0)
    return found


def _acceleration(world: World, systems: list[System], row: int) -> Vector:
    for axis in world.table.axes:
        world.table.write(f"Motion.acceleration.{axis}", slice(world.table.size), 0)
    for system in systems:
        system.perform(world)
    return _vector(world, "Motion.acceleration", row)


def _moves(world: World, moving: list[System], row: int) -> dict[str, Moved]:
    """Run the MOVE systems; return position and velocity after each one that changed the row."""
    found: dict[str, Moved] = {}
    here = _moved(world, row)
    for system in one_by_one(world, moving):
        now = _moved(world, row)
        if now != here:
            found[system.name] = here = now
    return found


def _moved(world: World, row: int) -> Moved:
    return Moved(_vector(world, "Position", row), _vector(world, "Velocity", row))


def _vector(world: World, key: str, row: int) -> Vector:
    return tuple(float(column[row]) for column in world.table.vectors(key))
