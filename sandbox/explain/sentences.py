"""The sentences of Explain: a template for each row of its table, filled with the numbers of the row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sandbox.explain.ways import Pose, Vector, turns, way
from sandbox.explain.wording import length, size
from sandbox.language import translate

Value = float | Vector | str
NOTHING = 0.05  # u/s²: less is reported as nothing

SENTENCES = {
    "sight": "It sees {radius} u far and {fov}° round. In view: {seen}.",
    "no sight": "It has no Perception: it sees nobody, and steers by other things.",
    "blind": "As near, but behind it, where it is blind: {blind}.",
    "metric": "Its rules count: {counted}.",
    "topological": "Its rules count at most the {most} nearest: {counted}.",
    "everyone": "Its rules count its whole flock, in view or not: {counted}.",
    "no flocking": "It does not flock: the three rules of flocking ask nothing of it.",
    "separation": "Of {neighbours} within {radius} u, the nearest is {nearest} u away: keeping apart asks for {given}.",
    "alignment": "The mean velocity of {neighbours} is {mean} u/s {mean_way}: taking it on asks for {given}.",
    "cohesion": "The middle of {neighbours} is {middle} u away, {middle_way}: steering there asks for {given}.",
    "top speed": "It wants to go that way at its max speed of {top} u/s.",
    "limit": "This is clipped to the limit of the rule, {limit} u/s².",
    "no strength": "Its strength is 0: it asks for nothing.",
    "nobody near": "None of those that it counts is nearer than {radius} u: it asks for nothing.",
    "nobody": "There is nobody else of its flock: it asks for nothing.",
    "off": "The system flocking is disabled, and so is this rule.",
    "goal": "It steers to {goal}, {offset} u away, {offset_way}.",
    "system": "Now: {given}.",
    "sum": "All together ask for {given}.",
    "parts": "{largest} asks for most. In one direction, all would ask for {alone} u/s².",
    "most": "Most of this comes from {most}: {part} u/s² that way, all together {total} u/s².",
    "held": "Most of this comes from {most}: {part} u/s² that way, of which the others leave {total} u/s².",
    "largest": "The largest part of this comes from {most}: {part} u/s² that way, all together {total} u/s².",
    "no sum": "Nothing steers it: it goes on as before.",
    "max_acceleration": "Its max acceleration clips {asked} u/s² to {allowed} u/s².",
    "drag": "Drag takes {dragged} u/s.",
    "max_speed": "{free} u/s would be too fast: its max speed is {clamped}.",
    "min_speed": "{free} u/s would be too slow: its min speed is {clamped}.",
    "turn": "It {turns} in this tick of 1/{rate} s: {before} u/s before, {after} u/s after.",
    "way": "It goes {offset} u {offset_way}.",
}


@dataclass(frozen=True)
class Statement:
    """A statement of the table.

    Attributes:
        name: a key of SENTENCES.
        vector: the acceleration that it gives, u/s²; None if it is not about one.
        made_of: what it was made of: numbers, vectors and words, by their names in the sentence.
    """

    name: str
    vector: Vector | None = None
    made_of: Mapping[str, Value] = field(default_factory=dict)

    def sentence(self, pose: Pose) -> str:
        """Return the row in words; `pose`: that of the entity."""
        words = {"given": asks(self.vector, pose)} if self.vector else {}
        for name, value in self.made_of.items():
            if isinstance(value, tuple):
                words |= {name: size(length(value)), f"{name}_way": way(value, pose)}
            else:
                words[name] = value if isinstance(value, str) else size(value)
        return translate(SENTENCES[self.name], **words)


def asks(vector: Vector, pose: Pose) -> str:
    """Describe an acceleration: "84 u/s² to the upper left, which turns it left"."""
    if length(vector) < NOTHING:
        return translate("nothing")
    words = {"size": size(length(vector)), "way": way(vector, pose), "turns": turns(vector, pose)}
    return translate("{size} u/s² {way}, which {turns}", **words)
