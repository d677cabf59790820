"""A study: what is varied, run and measured."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sandbox.condition import Condition
from sandbox.design.scene import MOST_SEED
from sandbox.past.physics import PHYSICS

Value = bool | int | float | str
ASIDE = ("text", "table", "scene_name", "meanings")  # nothing follows from these
STATISTICS = ("mean", "sd", "min", "max", "first", "last")


@dataclass(frozen=True)
class Levels:
    """What a thing that is varied may be: these values, or any between two where a design draws."""

    values: tuple[Value, ...] = ()
    low: float = 0.0
    high: float = 0.0
    whole: bool = False

    @property
    def is_range(self) -> bool:
        """Whether a design may draw any value between two."""
        return self.low < self.high

    def at(self, share: float) -> Value:
        """The value at a share of the way, 0 to below 1."""
        if not self.is_range:
            return self.values[int(share * len(self.values))]
        if self.whole:
            return min(math.floor(self.low + share * (self.high - self.low + 1)), int(self.high))
        return self.low + share * (self.high - self.low)


@dataclass(frozen=True)
class Study:
    """What a study file says.

    Attributes:
        scene: the text of the scene file; `scene_name`: what the study file calls it.
        mods: id and SHA-256 of each mod in the worlds, in order.
        ticks: how long a run is.
        seed: seeds of runs are derived from it, unless they are given.
        seeds: how many runs each point of the design has, or the seeds of these.
        vary: by key: see `sandbox.edit.setting`, and `spawn.PREFAB.count`.
        kind, samples: of the design: "grid", or how many points are drawn for "latin" or "sobol".
        points: those of a "list".
        every: a row of the series after so many ticks.
        columns: measures.
        summary: by column, which of STATISTICS stand in the table of runs.
        after, until: what is measured in later ticks is in the summary, until this one if it is not 0.
        stop: ends a run early.
        text: the file; `table`: that of a list of points.
        meanings: by key and column, its unit and what it is.
    """

    scene_name: str
    scene: str
    ticks: int
    mods: tuple[tuple[str, str], ...] = ()
    seed: int = 0
    seeds: int | tuple[int, ...] = 1
    vary: Mapping[str, Levels] = field(default_factory=dict)
    kind: str = "grid"
    samples: int = 0
    points: tuple[Mapping[str, Value], ...] = ()
    every: int = 60
    columns: tuple[str, ...] = ()
    summary: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    after: int = 0
    until: int = 0
    stop: Condition | None = None
    text: str = ""
    table: str = ""
    meanings: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def repeats(self) -> int:
        """How many runs each point has."""
        return self.seeds if isinstance(self.seeds, int) else len(self.seeds)

    @property
    def summaries(self) -> tuple[tuple[str, str], ...]:
        """Column and statistic of each number that sums up a run."""
        return tuple((column, name) for column, names in self.summary.items() for name in names)

    def seed_of(self, run: int, points: int) -> int:
        """The seed of a run; `points`: how many the design has."""
        if not isinstance(self.seeds, int):
            return self.seeds[run // points]
        return int(np.random.SeedSequence([self.seed, run]).generate_state(1, np.uint64)[0]) % (MOST_SEED + 1)

    @property
    def identity(self) -> str:
        """SHA-256 of all that its results follow from: two studies with the same one have the same results."""
        return _hash({name: value for name, value in vars(self).items() if name not in ASIDE})

    def key(self, values: Mapping[str, Value], seed: int) -> str:
        """SHA-256 of all that one run follows from."""
        same = ("scene", "mods", "ticks", "every", "columns", "summary", "after", "until", "stop")
        return _hash({"values": values, "seed": seed, **{name: getattr(self, name) for name in same}})


def _hash(said: Mapping[str, Any]) -> str:
    """What is empty is left out: where files may say more one day, those that do not stay what they are."""
    said = {"physics": PHYSICS, **{name: value for name, value in said.items() if value}}
    return hashlib.sha256(json.dumps(said, default=_plain, sort_keys=True).encode()).hexdigest()


def _plain(thing: Any) -> Any:
    return dict(thing) if isinstance(thing, Mapping) else vars(thing)
