"""Values of all animals as factors of the scene's values, and presets: sets of factors saved with a scene."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from components.store.declare import number
from components.store.fields import Field, declared
from components.store.prefab import Prefab
from components.store.world import World
from sandbox.design.kept_tables import KeptTables
from sandbox.design.scene import Scene

Factors = Mapping[str, float]
MOST = 1000.0
SEVERAL = 0.005  # factors that are nearer to each other than this count as one


class Quantities:
    """The quantities that can be changed for all animals at once; 1 means the scene's value."""

    separation: float = number(1, "", 0, MOST, "factor of how hard they keep apart")
    alignment: float = number(1, "", 0, MOST, "factor of how fast they take on each other's course")
    cohesion: float = number(1, "", 0, MOST, "factor of how hard they gather")
    sight: float = number(1, "", 0, MOST, "factor of how far they see")
    speed: float = number(1, "", 0, MOST, "factor of how fast they are")
    size: float = number(1, "", 0, MOST, "factor of how large they are drawn")


QUANTITIES: Mapping[str, Field] = declared(Quantities)
KEYS = {
    "separation": ("Flocker.separation_strength",),
    "alignment": ("Flocker.alignment_strength",),
    "cohesion": ("Flocker.cohesion_strength",),
    "sight": ("Perception.radius",),
    "speed": ("Motion.max_speed", "Motion.min_speed", "Motion.max_acceleration"),  # or they could not turn any more
    "size": ("Look.size",),
}
"""The fields that each quantity scales; its present factor is read from the first one."""


class Presets(KeptTables):
    """The presets of a world: factors by the preset's name."""

    table, help = "presets", "presets of the window's tab Everybody, by name"
    about = "factors; what is left out is 1"
    fields = QUANTITIES

    @classmethod
    def now(cls, world: World) -> dict[str, dict[str, float]]:
        """Return the presets for a file that has the prefabs' present values, so that 1 means the present value."""
        if not (kept := world.resource(cls).kept):
            return {}
        now = {quantity: mean_and_mixed(factors_now(world, quantity))[0] for quantity in QUANTITIES}
        found = {name: {q: _over(own.get(q, 1.0), now[q]) for q in QUANTITIES} for name, own in kept.items()}
        return {name: {q: factor for q, factor in own.items() if factor != 1} for name, own in found.items()}


class Usual:
    """What a factor of 1 means where the file of a scene has 0, because it was saved with a factor of 0."""

    separation: float = number(0, "", 0, 1e6, "`Flocker.separation_strength` at 100 %")
    alignment: float = number(0, "", 0, 1e6, "`Flocker.alignment_strength` at 100 %")
    cohesion: float = number(0, "", 0, 1e6, "`Flocker.cohesion_strength` at 100 %")
    sight: float = number(0, "u", 0, 1e6, "`Perception.radius` at 100 %")
    size: float = number(0, "u", 0, 1e6, "`Look.size` at 100 %")


class Everybody(KeptTables):
    """The values of a factor of 1 by prefab, for those quantities whose value in the scene is 0."""

    table, help = "everybody", "what 100 % is in the window's tab Everybody, by prefab, where the scene has 0"
    about = "what 100 % is; 0: nothing"
    fields = declared(Usual)

    @classmethod
    def now(cls, world: World) -> dict[str, dict[str, float]]:
        """Return the tables for a file that has the prefabs' present values."""
        found = {
            now.name: {
                quantity: base
                for quantity in cls.fields
                if _has(now, key := KEYS[quantity][0])
                and _value(world, now, key) == 0
                and (base := _base(world, before, quantity, key))
            }
            for before, now in zip(world.resource(Scene).usual_prefabs.values(), world.prefabs.values())
        }
        return {name: own for name, own in found.items() if own}


def factors_now(world: World, quantity: str) -> list[float]:
    """Return present value over the scene's value of a quantity, for each prefab of living animals.

    Prefabs are left out if the scene's value is 0, and it was not saved at a factor of 0.
    """
    key = KEYS[quantity][0]
    able = ((before, now) for before, now in _animals(world) if _has(now, key))
    return [_value(world, now, key) / base for before, now in able if (base := _base(world, before, quantity, key))]


def mean_and_mixed(factors: list[float]) -> tuple[float, bool]:
    """Return the mean of some factors (1 if there are none), and whether they differ."""
    if not factors:
        return 1.0, False
    mixed = max(factors) - min(factors) > SEVERAL
    return (float(np.mean(factors)) if mixed else factors[0]), mixed


def values_at(world: World, factors: Factors) -> tuple[tuple[str, str, float], ...]:
    """Return prefab, field and new value of each field whose value these factors of the scene's values would change.

    Values are clamped to the bounds of their field.
    """
    found = []
    for before, now in _animals(world):
        for quantity, factor in factors.items():
            for key in (key for key in KEYS[quantity] if _has(now, key)):
                own = world.table.field(key)
                value = min(max(_base(world, before, quantity, key) * factor, own.low), own.high)
                if value != _value(world, now, key):
                    found.append((now.name, key, value))
    return tuple(found)


def _over(factor: float, now: float) -> float:
    return factor if now in (0, 1) else min(float(f"{factor / now:.4g}"), MOST)


def _animals(world: World) -> list[tuple[Prefab, Prefab]]:
    """Pair the scene's prefabs with their present versions: those of living animals, and those changed already.

    All are included if no animal lives. Prefabs added since the scene was opened are left out.
    """
    pairs = list(zip(world.resource(Scene).usual_prefabs.values(), world.prefabs.values()))
    counts = world.population.tolist()
    living = {n for n, (_, now) in enumerate(pairs) if counts[n] and "Velocity" in now.components}
    return [(a, b) for n, (a, b) in enumerate(pairs) if not living or n in living or a.components != b.components]


def _has(prefab: Prefab, key: str) -> bool:
    return {"Velocity", key.split(".")[0]} <= prefab.components.keys()


def _base(world: World, before: Prefab, quantity: str, key: str) -> float:
    """Return what a factor of 1 means for a prefab of the scene."""
    kept = world.resource(Everybody).kept.get(before.name, {})
    return _value(world, before, key) or kept.get(quantity, 0.0)


def _value(world: World, prefab: Prefab, key: str) -> float:
    return float(prefab.values().get(key, world.table.field(key).default))
