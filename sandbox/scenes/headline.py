"""Reads quickly what a list of scenes shows of each file, without checking it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import read_toml


class Headline(NamedTuple):
    """What a list shows of a scene.

    Attributes:
        population: the number of entities that it begins with.
        deep: whether its world has depth.
    """

    name: str
    description: str = ""
    population: int = 0
    deep: bool = False


def headline(path: Path) -> Headline:
    """Return the headline of a scene file; if it can't be read, only the file's name."""
    try:
        data = read_toml(path).data
    except SceneError:
        return Headline(path.stem)
    spawns, world = data.get("spawn"), data.get("world")
    population = sum(map(_population, spawns)) if isinstance(spawns, list) else 0
    size = world.get("size") if isinstance(world, dict) else None
    deep = isinstance(size, list) and len(size) == 3
    return Headline(str(data.get("name", path.stem)), str(data.get("description", "")).strip(), population, deep)


def _population(spawn: Any) -> int:
    """Return the number of entities that a `[[spawn]]` table makes: `count`, or one per segment of a wall."""
    if not isinstance(spawn, dict):
        return 0
    points, count = spawn.get("points"), spawn.get("count", 1)
    if isinstance(points, list) and points:
        return len(points) - (not spawn.get("closed", False))
    return count if isinstance(count, int) else 0
