"""Units and descriptions of varied keys and measures, from their declarations, for axes and table columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from components.store.fields import by_key
from sandbox.design.scene import Scene
from sandbox.mods.load.assembly import assembled
from systems.engine.app import App
from systems.engine.settings import Settings

Meaning = tuple[str, str]  # unit and description; "" if there is none
MEASURES: Mapping[str, Meaning] = {
    "polarization": ("", "0 to 1: how much all that moves goes the same way"),
    "milling": ("", "0 to 1: how much they circle around their middle"),
    "mean_speed": ("u/s", "mean speed"),
    "entities": ("", "how many live"),
    "births": ("", "births since the world began"),
    "deaths": ("", "deaths since the world began"),
    "meals": ("", "bites since the world began"),
    "catches": ("", "catches since the world began"),
    "mean_energy": ("", "mean energy of those who have any"),
    "food": ("", "what there is to eat"),
    "flocks": ("", "how many groups there are"),
    "nearest_neighbour": ("u", "mean distance to the nearest other"),
}


def meanings(scene: Scene, keys: Iterable[str], measures: Iterable[str]) -> dict[str, Meaning]:
    """Return the unit and description of each of these keys (see `boids run --set`) and measures."""
    app = assembled(scene.loaded).app
    charts = {name: (chart.unit, words) for chart in app.charts for name, words in chart.measures.items()}
    known = {**charts, **MEASURES}
    found = {key: _of_key(app, key) for key in keys}
    for name in measures:
        prefab = name.partition(".")[2]
        found[name] = known.get(name, ("", f"how many live of {prefab}" if prefab else ""))
    return found


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
