"""Makes a study file for a scene, as a starting point."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from components.store.fields import Field, Kind
from sandbox.design.scene import Scene
from sandbox.meanings import MEASURES
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.simulation import Simulation
from systems.engine.measures import ANISOTROPY, POPULATION

FIELDS = ("Predator.strength", "Flocker.cohesion_strength", "Perception.radius", "Motion.max_speed")
CHANGE = {"Prey", "Life", "Energy"}  # with one of these components, the number of entities may change
MOST_VARIED, MOST_COLUMNS = 2, 4


def template(name: str, scene: Scene) -> str:
    """Return the text of a study that varies up to two fields of a scene; it can be run without changes.

    Fields and measures of the scene's mods come first.
    """
    with Simulation(scene) as simulation:
        there = simulation.populations()
        tick_rate = scene.settings.tick_rate
        measured = [name for name, value in simulation.measures().items() if math.isfinite(value)]
        table, ours = simulation.world.table, LoadedMods().assembly.app.components
        brought = [component for component in table.components.values() if component not in ours]
        theirs = [field for each in brought for field in each.fields.values() if field.kind is Kind.NUMBER]
        fields = [*_varied(scene, there, theirs)] or [*_varied(scene, there, map(table.field, FIELDS))]
    varied = [f'"{key}" = [{value / 2:g}, {value:g}, {2 * value:g}]' for key, value in fields[:MOST_VARIED]]
    of_mods = [name for name in measured if name not in MEASURES and not name.startswith((POPULATION, ANISOTROPY))]
    change = [prefab for prefab in there if not CHANGE.isdisjoint(scene.prefabs[prefab].components)]
    columns = of_mods + [f"{POPULATION}{prefab}" for prefab in change] + ["polarization"] * ("polarization" in measured)
    columns = (columns or [f"{POPULATION}{prefab}" for prefab in there])[:MOST_COLUMNS]
    listed = ", ".join(f'"{column}"' for column in columns)
    summary = ", ".join(f'"{column}" = ["mean", "last"]' for column in columns)
    lines = [
        "format = 1",
        f'scene = "{name}"',
        f"ticks = {20 * tick_rate}",
        "seeds = 4                     # runs per combination",
        "",
        "[vary]                        # fields, parameters, world.width, spawn.PREFAB.count, ...",
        *varied,
        "",
        "[measure]                     # boids measures SCENE lists what can be measured",
        f"every = {tick_rate}                    # ticks",
        f"columns = [{listed}]",
        f"summary = {{ {summary} }}",
        f"after = {5 * tick_rate}                   # earlier ticks are not in the summary",
    ]
    return "\n".join(lines) + "\n"


def _varied(scene: Scene, there: Iterable[str], fields: Iterable[Field]) -> Iterator[tuple[str, float]]:
    """Yield the key and value of fields of these prefabs that may be half and twice as large, each of one prefab."""
    for field in fields:
        for prefab in there:
            components = scene.prefabs[prefab].components
            value = float(components.get(field.owner, {}).get(field.name, field.default))
            if field.owner in components and value and field.low < value / 2 and 2 * value <= field.high:
                yield f"{prefab}.{field.key}", value
                break
