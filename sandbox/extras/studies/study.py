"""A study as data: what is varied, run and measured."""

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
from sandbox.physics import PHYSICS

Value = bool | int | float | str
ASIDE = ("text", "table", "scene_name", "meanings")  # don't influence the results
STATISTICS = ("mean", "sd", "min", "max", "first", "last")


@dataclass(frozen=True)
class Levels:
    """The values of a varied key: a list, or a range from which a design draws."""

    values: tuple[Value, ...] = ()
    low: float = 0.0
    high: float = 0.0
    whole: bool = False

    @property
    def is_range(self) -> bool:
        """Whether these are a range."""
        return self.low < self.high

    def at(self, share: float) -> Value:
        """Return the value at a share of the list or range, 0 to below 1."""
        if not self.is_range:
            return self.values[int(share * len(self.values))]
        if self.whole:
            return min(math.floor(self.low + share * (self.high - self.low + 1)), int(self.high))
        return self.low + share * (self.high - self.low)


@dataclass(frozen=True)
class Study:
    """The contents of a study file, with all that it refers to.

    Attributes:
        scene_name: the scene's name in the study file.
        scene: the text of the scene file.
        ticks: the length of a run.
        mods: id and SHA-256 of each mod in the worlds, in order.
        seed: the seed from which those of runs are derived, unless `seeds` lists them.
        seeds: the number of runs for each point of the design, or their seeds.
        vary: the values by key; keys are those of `sandbox.edit.setting`, and `spawn.PREFAB.count`.
        kind: the kind of the design: "grid", "latin", "sobol" or "list".
        samples: the number of points drawn for "latin" or "sobol".
        points: the points of a "list".
        every: ticks between two measurements.
        columns: the measures.
        summary: by column, which of STATISTICS are in the table of runs.
        after, until: the summary has measurements after the first of these ticks, up to the second unless it is 0.
        stop: the condition that ends a run early.
        text: the text of the study file.
        table: the text of the list of points.
        meanings: by key and column, unit and description.
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
    def keys(self) -> tuple[str, ...]:
        """The varied keys."""
        return tuple(self.points[0] if self.points else self.vary)

    @property
    def repeats(self) -> int:
        """The number of runs of each point."""
        return self.seeds if isinstance(self.seeds, int) else len(self.seeds)

    @property
    def summaries(self) -> tuple[tuple[str, str], ...]:
        """Column and statistic of each number of a run's summary."""
        return tuple((column, name) for column, names in self.summary.items() for name in names)

    def seed_of(self, run: int, points: int) -> int:
        """Return the seed of a run; `points`: the number of points of the design."""
        if not isinstance(self.seeds, int):
            return self.seeds[run // points]
        return int(np.random.SeedSequence([self.seed, run]).generate_state(1, np.uint64)[0]) % (MOST_SEED + 1)

    @property
    def identity(self) -> str:
        """SHA-256 of all that determines the results: studies with equal identities have the same results."""
        return _hash({name: value for name, value in vars(self).items() if name not in ASIDE})

    def key(self, values: Mapping[str, Value], seed: int) -> str:
        """Return the SHA-256 of all that determines one run."""
        same = ("scene", "mods", "ticks", "every", "columns", "summary", "after", "until", "stop")
        return _hash({"values": values, "seed": seed, **{name: getattr(self, name) for name in same}})


def _hash(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(
        json.dumps({"physics": PHYSICS, **content}, default=_plain, sort_keys=True).encode()
    ).hexdigest()


def _plain(thing: Any) -> Any:
    return dict(thing) if isinstance(thing, Mapping) else vars(thing)
