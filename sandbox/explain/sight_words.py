"""Describes the first step in sentences: what an entity sees, and which neighbours it counts."""

from __future__ import annotations

import numpy as np

from components.flock import EVERYONE, TOPOLOGICAL, Flocker, Perception
from components.store.world import World
from sandbox.explain.bearings import count, listed, size
from sandbox.explain.surroundings import Surroundings
from sandbox.language import translate

KINDS = 4  # prefabs that are named; the rest are "others"


def sight_sentences(world: World, row: int, around: Surroundings) -> tuple[str, ...]:
    """Describe how far it sees, what is in view, which neighbours its rules count, and what is in its blind angle."""
    table = world.table
    if not table.has(row, Perception):
        return (translate("It has no Perception: it sees nobody, and steers by other things."),)
    perception = table.records(Perception)[row]
    told = [translate("It sees {radius} u far{around}.", radius=size(around.radius), around=_round(around))]
    seen = around.in_view & around.movers
    kinds = _by_kind(world, around.rows[seen]) if seen.any() else ""
    told.append(translate("In view: {kinds}.", kinds=kinds) if kinds else translate("Nobody is in view."))
    blind = (around.distance < around.radius) & ~around.in_view & around.movers
    if not table.has(row, Flocker):
        told.append(translate("It does not flock: the three rules of flocking ask nothing of it."))
    else:
        told.append(_counted(world, row, around, int(perception["reach"]), int(perception["neighbours"])))
    if blind.any():
        number = int(blind.sum())
        told.append(
            translate("{more} as near, but behind it, where it is blind.", more=count(number, "more is", "more are"))
        )
    return tuple(told)


def _round(around: Surroundings) -> str:
    if around.fov >= 360:
        return translate(", all round")
    if not around.heading.any():
        return translate(", all round, because it is at rest")
    return translate(" and {fov}° round", fov=size(around.fov))


def _counted(world: World, row: int, around: Surroundings, reach: int, most: int) -> str:
    number = int(around.neighbours.sum())
    if reach == EVERYONE:
        return translate(
            "Its flock is {others}: it knows where all of them are and go, in view or not.",
            others=count(number, "other"),
        )
    if number == 0:
        return translate("Its rules count nobody: nobody of its flock is in view.")
    named = count(number, "neighbour")
    if reach == TOPOLOGICAL:
        nearest = translate("the {most} nearest", most=most) if number >= most else translate("no more are near")
        return translate("Its rules count {named}: {nearest} of its kind.", named=named, nearest=nearest)
    same = around.rows[around.neighbours]
    alike = bool((world.table.prefab[same] == world.table.prefab[row]).all())
    told = "Its rules count {named}, all of its kind." if alike else "Its rules count {named}, of several kinds."
    return translate(told, named=named)


def _by_kind(world: World, rows: np.ndarray) -> str:
    """List entities by prefab, most frequent first: "starling (12) and hawk (1)"."""
    names = list(world.prefabs)
    numbers = np.bincount(world.table.prefab[rows], minlength=len(names))
    order = [k for k in np.argsort(-numbers, kind="stable").tolist() if numbers[k]]
    told = [f"{names[k]} ({numbers[k]})" for k in order[:KINDS]]
    if others := sum(int(numbers[k]) for k in order[KINDS:]):
        told.append(count(others, "other"))
    return listed(told)
