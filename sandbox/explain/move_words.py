"""Describes the last step in sentences: from the sum of accelerations to the move, with the limits that apply."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from components.motion import Motion
from components.store.world import World
from sandbox.explain.bearings import Vector, size, strength, way
from sandbox.explain.explanation import Explanation
from sandbox.language import translate
from systems.engine.settings import Settings
from systems.space.torus import minimum_images

SOME = 0.005  # of a speed: smaller changes are not reported
STRAIGHT = 0.05  # degrees


@dataclass(frozen=True)
class Limits:
    """The effect of Motion's limits on a sum of accelerations, in the order in which they apply.

    Attributes:
        asked, allowed: length of the sum before and after `max_acceleration`, u/s².
        dragged: speed lost to drag before the clamp, or after it if `drag_after_clamp` is on, u/s.
        free, clamped: speed before and after clamping to `min_speed` and `max_speed`, u/s.
    """

    asked: float
    allowed: float
    dragged: float
    free: float
    clamped: float


def limits(world: World, row: int, why: Explanation) -> Limits:
    """Repeat what the system `movement` computes, for the sentences; the tick's exact numbers are in `why`."""
    motion, dt = world.table.records(Motion)[row], 1.0 / world.resource(Settings).tick_rate
    asked, most = strength(why.acceleration), float(motion["max_acceleration"])
    share = min(1.0, most / asked) if most > 0 and asked > 0 else 1.0
    x, y = (v + a * share * dt for v, a in zip(why.velocity, why.acceleration, strict=True))
    late = bool(motion["drag_after_clamp"])
    kept = 1.0 / (1.0 + float(motion["drag"]) * dt)
    free = math.hypot(x, y) * (1.0 if late else kept)
    clamped = min(max(free, float(motion["min_speed"])), float(motion["max_speed"]))
    dragged = (clamped if late else math.hypot(x, y)) * (1.0 - kept)
    return Limits(asked, asked * share, dragged, free, clamped)


def move_sentences(world: World, row: int, why: Explanation, systems: Mapping[str, str]) -> tuple[str, ...]:
    """Describe the effect of each limit, how it turns, and where it goes.

    Args:
        systems: descriptions of the MOVE systems except `movement`, by name.
    """
    told = _limits(limits(world, row, why)) if "movement" in why.moves else []
    told.append(_turn(why.velocity, why.after.velocity))
    told += [
        f"{translate(name.replace('_', ' ').capitalize())}: {translate(systems[name])}"
        for name in why.moves
        if name in systems
    ]
    rate = world.resource(Settings).tick_rate
    way_there = _offset(world, why)
    if strength(way_there) > 0:
        told.append(
            translate(
                "In this tick of 1/{rate} s it goes {distance} u {way}.",
                rate=rate,
                distance=size(strength(way_there)),
                way=way(way_there),
            )
        )
    else:
        told.append(translate("It stays where it is."))
    return tuple(told)


def _limits(found: Limits) -> list[str]:
    told = []
    if found.allowed < found.asked * (1 - 1e-6):
        words = "Its max_acceleration clips {asked} u/s² to {allowed} u/s²."
        told.append(translate(words, asked=size(found.asked), allowed=size(found.allowed)))
    if abs(found.dragged) > SOME * max(found.free, 1e-9):
        told.append(translate("Drag takes {dragged} u/s.", dragged=size(found.dragged)))
    if found.clamped < found.free * (1 - 1e-6):
        words = "{free} u/s would be too fast: its max_speed is {clamped}."
        told.append(translate(words, free=size(found.free), clamped=size(found.clamped)))
    elif found.clamped > found.free * (1 + 1e-6) and found.clamped > 0:
        words = "{free} u/s would be too slow: its min_speed is {clamped}."
        told.append(translate(words, free=size(found.free), clamped=size(found.clamped)))
    return told


def _turn(before: Vector, after: Vector) -> str:
    was, now = strength(before), strength(after)
    if was == 0 and now == 0:
        return translate("It is at rest and stays so.")
    if was == 0:
        return translate("From rest it sets off {way} at {speed} u/s.", way=way(after), speed=size(now))
    if now == 0:
        return translate("It stops; it had {speed} u/s.", speed=size(was))
    angle = math.degrees(
        math.atan2(before[0] * after[1] - before[1] * after[0], before[0] * after[0] + before[1] * after[1])
    )
    turned = translate("goes straight on")
    if abs(angle) >= STRAIGHT:
        turned = translate("turns {angle}° left" if angle > 0 else "turns {angle}° right", angle=size(abs(angle)))
    if abs(now - was) <= SOME * was or size(now) == size(was):
        return translate("It {turned} and keeps its speed of {speed} u/s.", turned=turned, speed=size(now))
    changed = "It {turned} and speeds up from {was} to {now} u/s."
    if now < was:
        changed = "It {turned} and slows down from {was} to {now} u/s."
    return translate(changed, turned=turned, was=size(was), now=size(now))


def _offset(world: World, why: Explanation) -> Vector:
    """Return the offset from its place to the next one, by the shortest way on a torus."""
    x, y = minimum_images(np.subtract(why.after.position, why.position), world.resource(Settings).torus).tolist()
    return x, y
