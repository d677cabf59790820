"""Random scenes, all of them valid: every component, in any company, with any values that are allowed."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from random import Random
from typing import Any

from components.store.fields import AMOUNT_SCALE, DEEP, FLAT, Field, Kind
from components.store.records import ComponentType
from sandbox.parts import BUILT_IN
from systems.engine.app import installed
from systems.engine.settings import EDGES

COMPONENTS: dict[str, ComponentType] = {c.__name__: c for c in installed(BUILT_IN).components}
PLACED = ("Position", "Velocity")  # a [[spawn]] says where and how fast
SHAPES = ("Obstacle", "Wall")
MOST = 120  # entities of a scene


def random_scene(seed: int, axes: str = FLAT) -> str:
    """The text of a scene."""
    rng = Random(seed)
    edges, size = rng.choice(EDGES), [_size(rng) for _ in axes]
    lines = ["format = 1", f"seed = {rng.randrange(10**9)}", "", "[world]", f"size = {size}", f'edges = "{edges}"']
    lines += [f"tick_rate = {rng.choice([1, 7, 20, 60, 60, 1000])}", f"population_limit = {MOST}"]
    lines += [f"turn = {{ margin = {rng.choice([0, 4, 50, 1e6])}, acceleration = {rng.choice([0, 12, 1e6])} }}"]
    names = [f"animal{n}" for n in range(rng.randint(1, 3))] + [f"thing{n}" for n in range(rng.randint(0, 3))]
    for name in names:
        lines += ["", f"[prefabs.{name}]", *_components(rng, name, names, edges, axes)]
    for name in names:
        for _ in range(rng.randint(1, 2)):
            lines += ["", "[[spawn]]", f'prefab = "{name}"', *_placed(rng, size, name.startswith("animal"))]
    for _ in range(rng.choice([0, 0, 1, 3])):
        lines += ["", "[[spawn]]", 'prefab = "obstacle"', f"at = {_place(rng, size)}"]
        radius = rng.choice([1e-3, 5, 30, min(0.2 * min(size), 1e5), rng.uniform(1, 80)])
        pillar = f", pillar = {_text(rng.random() < 0.3)}" if axes == DEEP else ""
        lines += [f"Obstacle = {{ radius = {radius}{pillar} }}"]
    for _ in range(rng.choice([0, 0, 1, 2])):
        corners = [[rng.uniform(0, side) for side in size[:2]] for _ in range(rng.randint(2, 4))]
        corners += [_place(rng, size[:2])]
        lines += ["", "[[spawn]]", 'prefab = "wall"', f"points = {corners}", f"closed = {_text(rng.random() < 0.5)}"]
        lines += [f"Wall = {{ thickness = {rng.choice([0.1, 2, 20])} }}"]
    return "\n".join(lines) + "\n"


def _size(rng: Random) -> float:
    return rng.choice([rng.uniform(100, 1000), rng.uniform(100, 1000), 10 ** rng.uniform(0, 6), 1.0, 1e6])


def _place(rng: Random, size: list[float]) -> list[float]:
    """Mostly within the world, also on its edges, and beyond."""
    places = [[rng.uniform(0, side), rng.uniform(0, side), 0.0, side, rng.uniform(-0.5, 1.5) * side] for side in size]
    return [min(max(rng.choice(choices), -1e6), 1e6) for choices in places]


def _components(rng: Random, name: str, names: list[str], edges: str, axes: str) -> Iterable[str]:
    others = [c for c in COMPONENTS if c not in (*PLACED, *SHAPES, "Motion")]
    has = ["Position", *rng.sample(others, rng.randint(1, len(others)))]
    has += ["Velocity", "Motion"] if name.startswith("animal") else rng.choice([[], ["Motion"], ["Obstacle"]])
    for component in has:
        fields = () if component in PLACED else COMPONENTS[component].fields.values()
        said = [field for field in fields if field.in_files and (axes == DEEP or not field.deep) and rng.random() < 0.7]
        values = {field.name: _value(rng, field, names) for field in said}
        if edges == "wrap" and values.get("reach") == "everyone":
            del values["reach"]
        yield f"{component} = {{ {', '.join(f'{key} = {_text(value)}' for key, value in values.items())} }}"


def _value(rng: Random, field: Field, names: list[str]) -> Any:
    """What a file may say of a field: what is usual, as little or as much as is allowed, or anything between."""
    if field.kind is Kind.SWITCH:
        return rng.random() < 0.5
    if field.kind is Kind.CHOICE:
        return rng.choice([*field.choices])
    if field.kind is Kind.COLOUR:
        return f"#{rng.randrange(1 << 24):06x}"
    if field.kind is Kind.PREFABS:
        return rng.sample(names, rng.randint(0, len(names)))
    usual = field.default / AMOUNT_SCALE if field.kind is Kind.AMOUNT else field.default
    low = math.nextafter(0, 1e-3) + 1e-3 if field.above_low else field.low
    between = rng.choice([rng.uniform(low, field.high), rng.uniform(0, 3) * (usual or 1)])
    value = min(max(rng.choice([usual, usual, low, field.high, between, between]), low), field.high)
    return round(value) if field.kind is Kind.INTEGER else value


def _placed(rng: Random, size: list[float], moves: bool) -> Iterable[str]:
    count = rng.choice([1, 2, 12])
    yield f"count = {count}"
    if rng.random() < 0.6:
        yield f"at = {_place(rng, size)}"
    elif len(size) > 2 and rng.random() < 0.5:
        x, y, z = (rng.uniform(0, side) for side in size)
        radius = min(rng.uniform(0, min(size)), 1e6 - max(x, y, z))
        yield rng.choice([f"area = {{ ball = {[x, y, z, radius]} }}", f"area = {{ circle = {[x, y, radius]} }}"])
    if moves and rng.random() < 0.5:
        yield f"velocity = {[rng.choice([0.0, 40.0, -1e4, 1e4, rng.uniform(-200, 200)]) for _ in size]}"


def _text(value: Any) -> str:
    return json.dumps(value)
