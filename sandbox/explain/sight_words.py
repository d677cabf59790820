"""The first step in words: whom it sees, and whom of them it counts."""

from __future__ import annotations

import numpy as np

from components.flock import EVERYONE, TOPOLOGICAL, Flocker, Perception
from components.store.world import World
from sandbox.explain.bearings import count, listed, size
from sandbox.explain.surroundings import Surroundings

KINDS = 4  # named; the rest are "others"


def sight_sentences(world: World, row: int, around: Surroundings) -> tuple[str, ...]:
    """How far it sees, who is in view, whom its rules count, and who is missed."""
    table = world.table
    if not table.has(row, Perception):
        return ("It has no Perception: it sees nobody, and steers by other things.",)
    perception = table.records(Perception)[row]
    told = [f"It sees {size(around.radius)} u far{_round(around)}."]
    seen = around.in_view & around.movers
    told.append(f"In view: {_by_kind(world, around.rows[seen])}." if seen.any() else "Nobody is in view.")
    blind = (around.distance < around.radius) & ~around.in_view & around.movers
    if not table.has(row, Flocker):
        told.append("It does not flock: the three rules of flocking ask nothing of it.")
    else:
        told.append(_counted(world, row, around, int(perception["reach"]), int(perception["neighbours"])))
    if blind.any():
        number = int(blind.sum())
        told.append(f"{count(number, 'more is', 'more are')} as near, but behind it, where it is blind.")
    return tuple(told)


def _round(around: Surroundings) -> str:
    if around.fov >= 360:
        return ", all round"
    if not around.heading.any():
        return ", all round, for it is at rest"
    return f" and {size(around.fov)}° round"


def _counted(world: World, row: int, around: Surroundings, reach: int, most: int) -> str:
    number = int(around.neighbours.sum())
    if reach == EVERYONE:
        return f"Its flock is {count(number, 'other')}: it knows where all of them are and go, in view or not."
    if number == 0:
        return "Its rules count nobody: nobody of its flock is in view."
    named = count(number, "neighbour")
    if reach == TOPOLOGICAL:
        nearest = f"the {most} nearest" if number >= most else "no more are near"
        return f"Its rules count {named}: {nearest} of its kind."
    same = around.rows[around.neighbours]
    alike = bool((world.table.prefab[same] == world.table.prefab[row]).all())
    return f"Its rules count {named}{', all of its kind' if alike else ', of several kinds'}."


def _by_kind(world: World, rows: np.ndarray) -> str:
    """ "12 starling, 1 hawk": by prefab, the most first."""
    names = list(world.prefabs)
    numbers = np.bincount(world.table.prefab[rows], minlength=len(names))
    order = [k for k in np.argsort(-numbers, kind="stable").tolist() if numbers[k]]
    told = [f"{names[k]} ({numbers[k]})" for k in order[:KINDS]]
    if others := sum(int(numbers[k]) for k in order[KINDS:]):
        told.append(count(others, "other"))
    return listed(told)
