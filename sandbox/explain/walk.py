"""Explains a tick of one entity step by step: what it sees, what each rule and system gives, the sum, the move.

Each step has a title, sentences with the numbers in them, and the numbers themselves. The rules of flocking and the
first and last steps have their own sentences; every other system, also of a mod, is described by the first paragraph of
its docstring.
"""

from __future__ import annotations

from dataclasses import dataclass

from components.flock import Flocker
from components.store.world import World
from sandbox.explain.bearings import NOTHING, Vector, asks, size, strength
from sandbox.explain.explanation import FLOCKING, Explanation, explain, moves, row_of
from sandbox.explain.flocking_words import ABOUT, Asked
from sandbox.explain.move_words import move_sentences
from sandbox.explain.sight_words import sight_sentences
from sandbox.explain.surroundings import Surroundings, surroundings
from sandbox.language import translate
from sandbox.simulation import Simulation
from systems.engine.system import Phase, System
from systems.flocking.neighbours import RULE_NAMES

SIGHT, REST, SUM, MOVE, STILL = "the sight", "the rest", "the sum", "the move", "no move"  # no system is called so
TITLES = {SIGHT: "Whom it sees", REST: "The rest", SUM: "The sum", MOVE: "The move", STILL: "It stands"}
PLAIN = ("Position", "Look")  # not described, because their effect is obvious


@dataclass(frozen=True)
class Number:
    """A line in a step's table: a vector and its length, or only a length."""

    label: str
    size: float
    unit: str
    vector: Vector | None = None
    rule: str = ""  # the rule or system whose colour the line has


@dataclass(frozen=True)
class Step:
    """One step of the walk.

    Attributes:
        name: SIGHT, a rule of flocking, a system, REST, SUM, MOVE, or STILL for entities that never move.
        vector: its acceleration, u/s²; None if the step is not about one.
    """

    name: str
    title: str
    sentences: tuple[str, ...]
    numbers: tuple[Number, ...] = ()
    vector: Vector | None = None


@dataclass(frozen=True, eq=False)
class Walk:
    """All steps of one entity's next tick.

    Attributes:
        serial, prefab: the entity.
        why, around: the data of the steps; None for entities that never move.
    """

    serial: int
    prefab: str
    steps: tuple[Step, ...]
    why: Explanation | None = None
    around: Surroundings | None = None

    @property
    def strongest(self) -> float:
        """The largest acceleration of a rule, a system or the sum, u/s²; 1 if there is none."""
        given = [*self.why.rules.values(), self.why.acceleration] if self.why else []
        return max(map(strength, given), default=0.0) or 1.0

    def step(self, name: str) -> int:
        """Return the index of the step with this name, 0 if there is none."""
        return next((k for k, step in enumerate(self.steps) if step.name == name), 0)


def walk(simulation: Simulation, serial: int) -> Walk:
    """Walk through the next tick of an entity; the world stays as it is.

    Raises:
        ValueError: there is no entity of that serial.
    """
    world = simulation.world
    row = row_of(world, serial)
    prefab = list(world.prefabs)[int(world.table.prefab[row])]
    if not moves(world, row):
        return Walk(serial, prefab, (_still(world, row),))
    why = explain(simulation, serial)
    around = surroundings(world, why)
    steering = [s for s in simulation.pipeline.systems if s.phase is Phase.STEER]
    heading = (float(around.heading[0]), float(around.heading[1]))
    steps = [Step(SIGHT, TITLES[SIGHT], sight_sentences(world, row, around))]
    if world.table.has(row, Flocker):
        steps += [_rule_step(world, row, rule, why, around) for rule in RULE_NAMES]
    idle: list[System] = []
    for system in steering:
        if system.name == FLOCKING:
            continue
        vector = why.rules.get(system.name, (0.0, 0.0))
        if strength(vector) < NOTHING:
            idle.append(system)
            continue
        told = (translate(system.about), translate("Now: {asks}.", asks=asks(vector, heading)))
        steps.append(Step(system.name, title(system.name), told, (_number(system.name, vector),), vector))
    if idle:
        steps.append(_rest(idle))
    steps.append(_sum(why, heading))
    steps.append(_move(simulation, row, why))
    return Walk(serial, prefab, tuple(steps), why, around)


def title(name: str) -> str:
    """Return a system's name as people read it: "Obstacle avoidance"."""
    return name.replace("_", " ").capitalize()


def _number(name: str, vector: Vector) -> Number:
    return Number(title(name), strength(vector), "u/s²", vector, name)


def _rule_step(world: World, row: int, rule: str, why: Explanation, around: Surroundings) -> Step:
    vector = why.rules.get(rule)
    asked = Asked(world, row, rule, vector or (0.0, 0.0), around)
    if vector is None:
        told: tuple[str, ...] = (translate("The system flocking is switched off, and so is this rule."),)
    else:
        told = ABOUT[rule](asked)
    numbers = (_number(rule, asked.vector),) if strength(asked.vector) >= NOTHING else ()
    return Step(rule, title(rule), told, numbers, asked.vector)


def _rest(idle: list[System]) -> Step:
    told = [
        f"{translate(title(system.name))}{'' if system.enabled else translate(' (switched off)')}: "
        f"{translate(system.about)}"
        for system in idle
    ]
    return Step(REST, TITLES[REST], ("These add nothing now:", *told))


def _sum(why: Explanation, heading: Vector) -> Step:
    given = {name: vector for name, vector in why.rules.items() if strength(vector) >= NOTHING}
    numbers = [_number(name, vector) for name, vector in given.items()]
    numbers.append(Number("Sum", strength(why.acceleration), "u/s²", why.acceleration, SUM))
    if strength(why.acceleration) < NOTHING:
        reason = "All that steers it cancels out: it goes on as before."
        if not given:
            reason = "Nothing steers it: it goes on as before."
        return Step(SUM, TITLES[SUM], (translate(reason),), tuple(numbers), why.acceleration)
    told = [translate("All together ask for {asks}.", asks=asks(why.acceleration, heading))]
    if len(given) > 1:
        first = max(given, key=lambda name: strength(given[name]))
        told.append(translate("{rule} is the strongest of them.", rule=translate(title(first))))
        alone = sum(map(strength, given.values()))
        if strength(why.acceleration) < 0.5 * alone:
            words = "Much of it cancels out: added up without regard to direction it would be {size} u/s²."
            told.append(translate(words, size=size(alone)))
    elif given:
        told.append(translate("It comes from {rule} alone.", rule=translate(title(next(iter(given))).lower())))
    return Step(SUM, TITLES[SUM], tuple(told), tuple(numbers), why.acceleration)


def _move(simulation: Simulation, row: int, why: Explanation) -> Step:
    after, moving = why.after, [s for s in simulation.pipeline.systems if s.phase is Phase.MOVE]
    others = {system.name: system.about for system in moving if system.name != "movement"}
    told = move_sentences(simulation.world, row, why, others)
    numbers = (
        Number("Velocity before", strength(why.velocity), "u/s", why.velocity),
        Number("Velocity after", strength(after.velocity), "u/s", after.velocity),
        Number("Place before", 0.0, "u", why.position),
        Number("Place after", 0.0, "u", after.position),
    )
    return Step(MOVE, TITLES[MOVE], told, numbers)


def _still(world: World, row: int) -> Step:
    table = world.table
    told = ["It does not move, so nothing steers it. Its effect on others:"]
    for component in table.bit_of:
        if component.__name__ not in PLAIN and table.has(row, component):
            told.append(f"{translate(component.__name__)}: {translate(' '.join((component.__doc__ or '').split()))}")
    if len(told) == 1:
        told = ["It does not move, and does nothing to others."]
    return Step(STILL, TITLES[STILL], tuple(told))
