"""Explains a tick of one entity step by step: what it sees, what each rule and system gives, the sum, the move.

Each step has a title, sentences, and the numbers in them. A system is described by the first paragraph of its
docstring, also that of a mod.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from components.flock import DESIRED, Flocker, Perception
from components.motion import Motion
from components.store.world import World
from sandbox.explain.explanation import FLOCKING, GOALS, Explanation, explain, moves, row_of
from sandbox.explain.sentences import NOTHING, Statement, Value
from sandbox.explain.surroundings import Mask, Surroundings, surroundings
from sandbox.explain.ways import STRAIGHT, Pose, Vector, turned
from sandbox.explain.wording import count, length, listed, told_apart
from sandbox.language import translate
from sandbox.simulation import Simulation
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.flocking.neighbours import RULE_NAMES
from systems.space.torus import minimum_images

SIGHT, REST, SUM, MOVE, STILL = "the sight", "the rest", "the sum", "the move", "no move"  # no system is called so
TITLES = {SIGHT: "Whom it sees", REST: "The rest", SUM: "The sum", MOVE: "The move", STILL: "It stands"}
PLAIN = ("Position", "Look")  # not described, because their effect is obvious
KINDS = 4  # prefabs that are named; the rest are "others"
LIMITED = 0.999  # of the limit: a rule that gives this much has reached it
SOME = 0.005  # of a speed: smaller changes are not reported


@dataclass(frozen=True)
class Number:
    """A line in a step's table of numbers: a vector."""

    label: str
    vector: Vector
    unit: str


@dataclass(frozen=True)
class WalkStep:
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
        answer: how it turns and what does most of that, in sentences; "" for entities that never move.
        why, around: the data of the steps; None for entities that never move.
    """

    serial: int
    prefab: str
    steps: tuple[WalkStep, ...]
    answer: str = ""
    why: Explanation | None = None
    around: Surroundings | None = None

    @property
    def largest(self) -> float:
        """The largest acceleration of a rule, a system or the sum, u/s²; 1 if there is none."""
        given = [*self.why.rules.values(), self.why.acceleration] if self.why else []
        return max(map(length, given), default=0.0) or 1.0

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
    steering = [s for s in simulation.pipeline.systems if s.phase is Phase.STEER and s.name != FLOCKING]
    pose = around.pose
    rules = RULE_NAMES if world.table.has(row, Flocker) else ()
    steps = [WalkStep(SIGHT, TITLES[SIGHT], _told(_sight(world, row, around), pose))]
    for rule in rules:
        steps.append(_step(rule, _told(_rule(world, row, rule, why, around), pose), why))
    idle = [s for s in steering if length(why.rules.get(s.name, ())) < NOTHING]
    for system in steering:
        if system not in idle:
            sought = _sought(world, around) if system.name == GOALS else []
            now = _told([*sought, Statement("system", why.rules[system.name])], pose)
            steps.append(_step(system.name, (translate(system.about), *now), why))
    if idle:
        steps.append(_rest(idle))
    given = {name: vector for name, vector in why.rules.items() if length(vector) >= NOTHING}
    numbers = (*(_number(name, vector) for name, vector in given.items()), Number("Sum", why.acceleration, "u/s²"))
    steps.append(WalkStep(SUM, TITLES[SUM], _told(_sum(why, given), pose), numbers, why.acceleration))
    steps.append(_move(simulation, row, why, pose))
    answer = " ".join(_told(_answer(world, row, why, given, pose), pose))
    return Walk(serial, prefab, tuple(steps), answer, why, around)


def title(name: str) -> str:
    """Return a system's name as people read it: "Obstacle avoidance"."""
    return name.replace("_", " ").capitalize()


def _told(rows: list[Statement], pose: Pose) -> tuple[str, ...]:
    return tuple(row.sentence(pose) for row in rows)


def _number(name: str, vector: Vector) -> Number:
    return Number(title(name), vector, "u/s²")


def _step(name: str, sentences: tuple[str, ...], why: Explanation) -> WalkStep:
    """Return the step of a rule or system."""
    vector = why.rules.get(name, (0.0,) * len(why.position))
    numbers = (_number(name, vector),) if length(vector) >= NOTHING else ()
    return WalkStep(name, title(name), sentences, numbers, vector)


def _sight(world: World, row: int, around: Surroundings) -> list[Statement]:
    """Return how far it sees, what is in view, whom its rules count, and what is in its blind angle."""
    table = world.table
    if not table.has(row, Perception):
        return [Statement("no sight")]
    perception = table.records(Perception)[row]
    seen = _by_kind(world, around, around.in_view & around.movers)
    fov = around.fov if around.heading.any() else 360.0
    rows = [Statement("sight", None, {"radius": around.radius, "fov": fov, "seen": seen})]
    if table.has(row, Flocker):
        reach = table.field("Perception.reach").show(perception["reach"])
        counted = _by_kind(world, around, around.neighbours)
        rows.append(Statement(reach, None, {"most": float(perception["neighbours"]), "counted": counted}))
    else:
        rows.append(Statement("no flocking"))
    blind = (around.distance < around.radius) & ~around.in_view & around.movers
    return rows + [Statement("blind", None, {"blind": _by_kind(world, around, blind)})] * bool(blind.any())


def _by_kind(world: World, around: Surroundings, some: Mask) -> str:
    """List some of the surrounding entities by prefab, most frequent first: "starling (12) and hawk (1)"."""
    names = list(world.prefabs)
    numbers = np.bincount(world.table.prefab[around.rows[some]], minlength=len(names))
    order = [k for k in np.argsort(-numbers, kind="stable").tolist() if numbers[k]]
    told = [f"{names[k]} ({numbers[k]})" for k in order[:KINDS]]
    if others := sum(int(numbers[k]) for k in order[KINDS:]):
        told.append(count(others, "other"))
    return listed(told) if told else translate("nobody")


def _rule(world: World, row: int, rule: str, why: Explanation, around: Surroundings) -> list[Statement]:
    """Return a rule of flocking with what it was made of, or why it gives nothing."""
    if rule not in why.rules:
        return [Statement("off")]
    vector, mine, radius = why.rules[rule], around.counted[rule], around.radii[rule]
    own: Any = {name: world.table.records(Flocker)[row][f"{rule}_{name}"] for name in ("strength", "limit", "steer")}
    if own["strength"] == 0:
        return [Statement("no strength")]
    if not mine.any():
        return [Statement("nobody")] if math.isinf(radius) else [Statement("nobody near", None, {"radius": radius})]
    mean, middle = (tuple(vectors[mine].mean(axis=0).tolist()) for vectors in (around.velocities, around.offsets))
    made_of: dict[str, Value] = {
        "neighbours": count(int(mine.sum()), "neighbour"),
        "radius": radius,
        "nearest": float(around.distance[mine].min()),
        "mean": mean,
        "middle": middle,
    }
    rows = [Statement(rule, vector, made_of)]
    if own["steer"] == DESIRED and length(vector) >= NOTHING:
        rows.append(Statement("top speed", None, {"top": float(world.table.records(Motion)[row]["max_speed"])}))
    if 0 < LIMITED * own["limit"] <= length(vector):
        rows.append(Statement("limit", None, {"limit": float(own["limit"])}))
    return rows


def _sought(world: World, around: Surroundings) -> list[Statement]:
    """Return which goal it seeks, and where that is."""
    names, rows = list(world.prefabs), list[Statement]()
    for k in np.flatnonzero(around.counted.get(GOALS, ())):
        goal = f"{names[world.table.prefab[around.rows[k]]]} {around.serials[k]}"
        rows.append(Statement("goal", None, {"goal": goal, "offset": tuple(around.offsets[k].tolist())}))
    return rows


def _rest(idle: list[System]) -> WalkStep:
    told = [
        f"{translate(title(system.name))}{'' if system.enabled else translate(' (disabled)')}: "
        f"{translate(system.about)}"
        for system in idle
    ]
    return WalkStep(REST, TITLES[REST], ("These add nothing now:", *told))


def _sum(why: Explanation, given: dict[str, Vector]) -> list[Statement]:
    if not given:
        return [Statement("no sum")]
    largest = translate(title(max(given, key=lambda name: length(given[name]))))
    parts = Statement("parts", None, {"largest": largest, "alone": sum(map(length, given.values()))})
    return [Statement("sum", why.acceleration), parts]


def _answer(world: World, row: int, why: Explanation, given: dict[str, Vector], pose: Pose) -> list[Statement]:
    """Return how it turns, and what does most of that; if nothing does, its limits, or what all ask for."""
    rate = world.resource(Settings).tick_rate
    most = _most(why, given, pose, rate)
    limits = _limits(world, row, why) if "movement" in why.moves else []
    return [_turn(why, pose, rate), *([most] if most else limits or _sum(why, given)[:1])]


def _most(why: Explanation, given: dict[str, Vector], pose: Pose, rate: float) -> Statement | None:
    """Return which rule or system does most of the turn, or if it goes straight on, of the change of speed, if any.

    What each does is the part of its acceleration along the turn as it really was, across the heading. The speed may
    also change by drag and limits, which are told instead where they do more.
    """
    given, before = dict(given), why.velocity
    for name, moved in why.moves.items():
        if name != "movement":  # that does what STEER systems have asked for
            given[name] = tuple((rate * np.subtract(moved.velocity, before)).tolist())
        before = moved.velocity
    change, speed = rate * np.subtract(why.after.velocity, why.velocity), rate * length(why.velocity)
    heading = rate * np.array(why.velocity) / (speed or 1.0)
    turn = change - (change @ heading) * heading
    for does, least in ((turn, math.radians(STRAIGHT)), (change, SOME)):
        size = float(np.linalg.norm(does))
        if size > max(least * speed, NOTHING):
            parts = {name: float(does @ np.array(vector)) / size for name, vector in given.items()}
            most, total = max(parts, key=lambda name: parts[name], default=""), sum(parts.values())
            by_limits = 0.0 if does is turn else max(size - total, 0.0)
            if parts.get(most, 0.0) <= by_limits:
                return None
            made_of: dict[str, Value] = {"most": translate(title(most)), "part": parts[most], "total": total}
            share = parts[most] / max(total, NOTHING)
            return Statement("held" if share > 1 + SOME else "most" if share > 0.5 else "largest", None, made_of)
    return None


def _move(simulation: Simulation, row: int, why: Explanation, pose: Pose) -> WalkStep:
    world, after = simulation.world, why.after
    settings = world.resource(Settings)
    rows = _limits(world, row, why) if "movement" in why.moves else []
    rows.append(_turn(why, pose, settings.tick_rate))
    offset = tuple(minimum_images(np.subtract(after.position, why.position), settings.torus).tolist())
    way = Statement("way", None, {"offset": offset})
    others = [s for s in simulation.pipeline.systems if s.name in why.moves and s.name != "movement"]
    told = [f"{translate(title(system.name))}: {translate(system.about)}" for system in others]
    numbers = (
        Number("Velocity before", why.velocity, "u/s"),
        Number("Velocity after", after.velocity, "u/s"),
        Number("Place before", why.position, "u"),
        Number("Place after", after.position, "u"),
    )
    return WalkStep(MOVE, TITLES[MOVE], (*_told(rows, pose), *told, way.sentence(pose)), numbers)


def _turn(why: Explanation, pose: Pose, rate: float) -> Statement:
    turns = turned(Pose(why.velocity, pose.up), why.after.velocity)
    speeds = {"before": length(why.velocity), "after": length(why.after.velocity)}
    return Statement("turn", None, {"turns": turns, "rate": float(rate), **speeds})


def _limits(world: World, row: int, why: Explanation) -> list[Statement]:
    """Return the limits of Motion that apply, as `movement` computes them; the tick's exact numbers are in `why`."""
    motion, dt = world.table.records(Motion)[row], 1.0 / world.resource(Settings).tick_rate
    asked, most = length(why.acceleration), float(motion["max_acceleration"])
    share = min(1.0, most / asked) if most > 0 and asked > 0 else 1.0
    speed = math.hypot(*(v + a * share * dt for v, a in zip(why.velocity, why.acceleration, strict=True)))
    late, left = bool(motion["drag_after_clamp"]), 1.0 / (1.0 + float(motion["drag"]) * dt)
    free = speed * (1.0 if late else left)
    clamped = min(max(free, float(motion["min_speed"])), float(motion["max_speed"]))
    dragged = (clamped if late else speed) * (1.0 - left)
    rows = [Statement("max_acceleration", None, {"asked": asked, "allowed": asked * share})] * (share < 1 - 1e-6)
    rows += [Statement("drag", None, {"dragged": dragged})] * (abs(dragged) > SOME * max(free, 1e-9))
    if abs(clamped - free) > 1e-6 * free and clamped > 0:
        shown = dict(zip(("free", "clamped"), told_apart(free, clamped), strict=True))
        rows.append(Statement("max_speed" if clamped < free else "min_speed", None, shown))
    return rows


def _still(world: World, row: int) -> WalkStep:
    table = world.table
    told = ["It does not move, so nothing steers it. Its effect on others:"]
    for component in table.bit_of:
        if component.__name__ not in PLAIN and table.has(row, component):
            told.append(f"{translate(component.__name__)}: {translate(' '.join((component.__doc__ or '').split()))}")
    if len(told) == 1:
        told = ["It does not move, and does nothing to others."]
    return WalkStep(STILL, TITLES[STILL], tuple(told))
