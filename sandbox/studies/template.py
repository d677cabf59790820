"""Makes a study file for a scene, as a starting point."""

from __future__ import annotations

from sandbox.design.scene import Scene
from sandbox.simulation import Simulation

FIELDS = ("Predator.strength", "Flocker.cohesion_strength", "Perception.radius", "Motion.max_speed")
CHANGE = {"Prey", "Life", "Energy"}  # with one of these components, the number of entities may change


def template(name: str, scene: Scene) -> str:
    """Return the text of a study that varies up to two fields of a scene; it can be run without changes."""
    with Simulation(scene) as simulation:
        there = simulation.populations()
        tick_rate = scene.settings.tick_rate
        measures = simulation.measures({"order"})
    varied: list[str] = []
    for field in FIELDS:
        component, _, key = field.partition(".")
        for prefab in there:
            value = scene.prefabs[prefab].components.get(component, {}).get(key)
            if value and len(varied) < 2:
                varied.append(f'"{prefab}.{field}" = [{value / 2:g}, {value:g}, {2 * value:g}]')
                break
    change = [prefab for prefab in there if not CHANGE.isdisjoint(scene.prefabs[prefab].components)]
    columns = [f"population.{prefab}" for prefab in change] + ["polarization"] * ("polarization" in measures)
    columns = columns or [f"population.{prefab}" for prefab in there]
    listed = ", ".join(f'"{column}"' for column in columns[:4])
    summary = ", ".join(f'"{column}" = ["mean", "last"]' for column in columns[:4])
    lines = [
        "format = 1",
        f'scene = "{name}"',
        f"ticks = {20 * tick_rate}",
        "seeds = 4                     # runs per combination",
        "",
        "[vary]                        # fields, parameters, world.width, spawn.PREFAB.count, ...",
        *varied,
        "",
        "[measure]",
        f"every = {tick_rate}                    # ticks",
        f"columns = [{listed}]",
        f"summary = {{ {summary} }}",
        f"after = {5 * tick_rate}                   # earlier ticks are not in the summary",
    ]
    return "\n".join(lines) + "\n"
