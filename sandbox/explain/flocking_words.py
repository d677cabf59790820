"""Describes the three rules of flocking in sentences: what they count, what they give, or why they give nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from components.flock import DESIRED, Flocker
from components.motion import Motion
from components.store.world import World
from sandbox.explain.bearings import NOTHING, Vector, asks, count, size, strength, way
from sandbox.explain.surroundings import Floats, Surroundings
from sandbox.language import capitalised, translate

LIMITED = 0.999  # of the limit: a rule that gives this much has reached it


@dataclass(frozen=True)
class Asked:
    """A rule of one entity, and the acceleration that it gives, u/s²."""

    world: World
    row: int
    rule: str
    vector: Vector
    around: Surroundings

    @property
    def mine(self) -> np.ndarray:
        """The neighbours of this rule, bool (n,)."""
        return self.around.counted[self.rule]

    @property
    def neighbours(self) -> str:
        return translate("its {neighbours}", neighbours=count(int(self.mine.sum()), "neighbour"))

    @property
    def reach(self) -> float:
        return self.around.reach[self.rule]

    def field(self, name: str) -> Any:
        """Return one of the rule's own fields: "strength", "limit", "steer", "mixes"."""
        return self.world.table.columns[f"{Flocker.__name__}.{self.rule}_{name}"][self.row]

    def mean(self, values: Floats) -> Vector:
        """Return the mean over the rule's neighbours."""
        x, y = values[self.mine].mean(axis=0)
        return float(x), float(y)

    @property
    def gives(self) -> str:
        heading = self.around.heading
        return asks(self.vector, (float(heading[0]), float(heading[1])))

    @property
    def ending(self) -> tuple[str, ...]:
        """A sentence that the limit was reached, or nothing."""
        limit = float(self.field("limit"))
        if limit > 0 and strength(self.vector) >= LIMITED * limit:
            return (translate("This is clipped to the limit of the rule, {limit} u/s².", limit=size(limit)),)
        return ()

    @property
    def wished(self) -> str:
        """The desired speed, if the rule steers towards a desired velocity; "" if it only pushes."""
        if self.field("steer") != DESIRED:
            return ""
        top = float(self.world.table.columns[f"{Motion.__name__}.max_speed"][self.row])
        return translate("It wants to go that way at its top speed of {top} u/s: ", top=size(top))


def _nothing(asked: Asked, care: str, nobody: str) -> tuple[str, ...] | None:
    """Return why a rule gives nothing, or None if it gives something."""
    if float(asked.field("strength")) == 0:
        return (translate("Its strength is 0: {care}.", care=translate(care)),)
    if not asked.mine.any():
        who = "No visible neighbour" if asked.field("mixes") else "No visible neighbour of its kind"
        if np.isinf(asked.reach):
            who, where = "Nobody else", translate("of its flock")
        else:
            where = translate("nearer than {reach} u", reach=size(asked.reach))
        return (translate("{who} is {where}, so {nobody}.", who=translate(who), where=where, nobody=translate(nobody)),)
    return None


def _separation(asked: Asked) -> tuple[str, ...]:
    care = "it does not mind how near others come"
    if nothing := _nothing(asked, care, "there is nobody to keep apart from"):
        return nothing
    near = asked.around.distance[asked.mine]
    found = translate(
        "{neighbours} nearer than {reach} u", neighbours=count(len(near), "neighbour"), reach=size(asked.reach)
    )
    told = translate("The nearest is {distance} u away.", distance=size(float(near.min()))) if len(near) > 1 else ""
    if strength(asked.vector) < NOTHING:
        return (translate("It keeps apart from {found}, but the pushes cancel out.", found=found),)
    begin = translate("It steers away from {found}", found=found) + (f". {asked.wished}" if asked.wished else ": ")
    return tuple(sentence for sentence in (f"{begin}{asked.gives}.", told, *asked.ending) if sentence)


def _alignment(asked: Asked) -> tuple[str, ...]:
    care = "it does not care where others go"
    if nothing := _nothing(asked, care, "there is no direction to share"):
        return nothing
    mean = asked.mean(asked.around.velocities)
    one, who = asked.mine.sum() == 1, asked.neighbours
    heads = "{who} heads {way} at {speed} u/s." if one else "{who} head {way} at {speed} u/s on average."
    told = translate(heads, who=capitalised(who), way=way(mean), speed=size(strength(mean)))
    if strength(mean) < NOTHING:
        told = translate("{who} rests." if one else "{who} have a mean velocity of 0.", who=capitalised(who))
    if strength(asked.vector) < NOTHING:
        return (told, translate("It already goes with them, so there is nothing to change."))
    begin = asked.wished or translate("It takes on their velocity: ")
    return (told, f"{begin}{asked.gives}.", *asked.ending)


def _cohesion(asked: Asked) -> tuple[str, ...]:
    care = "it does not mind being alone"
    if nothing := _nothing(asked, care, "there is nobody to stay with"):
        return nothing
    off = asked.mean(asked.around.offsets)
    middle = "The middle of {who} is {distance} u away, {way}."
    if asked.mine.sum() == 1:
        middle = "Its one neighbour is {distance} u away, {way}."
    told = translate(middle, who=asked.neighbours, distance=size(strength(off)), way=way(off))
    if strength(asked.vector) < NOTHING:
        return (told, translate("It is in their middle already, so there is nothing to do."))
    begin = asked.wished or translate("It steers there: ")
    return (told, f"{begin}{asked.gives}.", *asked.ending)


ABOUT: dict[str, Callable[[Asked], tuple[str, ...]]] = {
    "separation": _separation,
    "alignment": _alignment,
    "cohesion": _cohesion,
}
