"""Units and descriptions of varied keys and measures, from their declarations, for axes and table columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from components.store.fields import by_key
from sandbox.design.scene import Scene
from sandbox.mods.load.assembly import assembled
from sandbox.simulation import Simulation
from systems.engine.app import App
from systems.engine.measures import ANISOTROPY, POPULATION
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase

Meaning = tuple[str, str]  # unit and description; "" if there is none
MEASURES: Mapping[str, Meaning] = {
    "polarization": ("", "how much all that moves goes the same way, from 0 to 1"),
    "milling": ("", "how much all that moves circles around its middle, from 0 to 1"),
    "mean_speed": ("u/s", "mean speed of all that moves"),
    "entities": ("", "how many live"),
    "births": ("", "births since the world began"),
    "deaths": ("", "deaths since the world began"),
    "meals": ("", "bites since the world began"),
    "catches": ("", "catches since the world began"),
    "mean_energy": ("", "mean energy of those who have any"),
    "food": ("", "what there is to eat"),
    "flocks": ("", "how many flocks there are: groups whose members are near to each other"),
    "nearest_neighbour": ("u", "mean distance of flocking animals to the nearest other one"),
    "correlation_length": ("u", "how far apart flocking animals still turn away from the mean velocity together"),
    "shortest_width": ("u", "width of the flock along its shortest axis"),
    "middle_width": ("u", "width of the flock along its middle axis"),
    "longest_width": ("u", "width of the flock along its longest axis"),
    "width_ahead": ("u", "width of the flock along its mean velocity"),
}


def meanings(scene: Scene, keys: Iterable[str], measures: Iterable[str]) -> dict[str, Meaning]:
    """Return the unit and description of each of these keys (see `boids run --set`) and measures."""
    app = assembled(scene.loaded).app
    return {**{key: _of_key(app, key) for key in keys}, **{name: _of_measure(app, name) for name in measures}}


def listed_measures(simulation: Simulation) -> Iterator[tuple[str, float, Meaning]]:
    """Yield each measure of a world: its name, its present value, and its unit and description."""
    app = assembled(simulation.scene.loaded).app
    for system in simulation.pipeline.systems:
        if system.phase is Phase.MEASURE:
            for name, value in simulation.measures([system.name]).items():
                unit, words = _of_measure(app, name)
                is_ours = name in MEASURES or name.startswith((POPULATION, ANISOTROPY))
                yield name, value, (unit, words if is_ours else system.about)


def about_measure(pipeline: Pipeline, system: str, name: str) -> str:
    """Return what a measure of a system is, a sentence; "" if it is not known."""
    if name in MEASURES:
        return MEASURES[name][1]
    return pipeline.by_name[system].about if system in pipeline.by_name else ""


def _of_measure(app: App, name: str) -> Meaning:
    if name in MEASURES:
        return MEASURES[name]
    if name.startswith(POPULATION):
        return "", f"how many live of {name.removeprefix(POPULATION)}"
    if name.startswith(ANISOTROPY):
        return (
            "",
            f"how rare neighbour {name.removeprefix(ANISOTROPY)} of flocking animals is ahead, from 0 to 1",
        )
    chart = next((chart for chart in app.charts if name in chart.measures), None)
    return (chart.unit, f"{chart.title}: {chart.measures[name]}") if chart else ("", "")


def _of_key(app: App, key: str) -> Meaning:
    owner, name = key.split(".")[-2:] if "." in key else ("", key)
    if key.startswith("spawn."):
        return "", f"how many of {owner} are there at first"
    if key.startswith("world."):
        owner = Settings.__name__
    fields = [field for kind in app.components for field in kind.fields.values()]
    fields += [field for kind in app.resources if kind is Settings for field in kind.fields.values()]
    parameters = {f"{kind.name}.{field.name}": field for kind in app.systems for field in kind.parameters.values()}
    field = {**parameters, **by_key(fields)}.get(f"{owner}.{name}")
    if field is None:
        return "", "whether it is on" if key in {kind.name for kind in app.systems} else ""
    return field.unit, field.help
