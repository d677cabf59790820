"""What a list of scenes shows of each: a quick look at its file, which is not checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from sandbox.toml.mistakes import SceneError
from sandbox.toml.source import read_toml


class Headline(NamedTuple):
    """The first things to know about a scene; `entities`: how many it begins with."""

    name: str
    description: str = ""
    entities: int = 0


def headline(path: Path) -> Headline:
    """The headline of a scene or lesson file; of one that can't be read its name alone."""
    try:
        data = read_toml(path).data
    except SceneError:
        return Headline(path.stem)
    spawns = data.get("spawn")
    entities = sum(map(_entities, spawns)) if isinstance(spawns, list) else 0
    return Headline(
        str(data.get("name", data.get("title", path.stem))), str(data.get("description", "")).strip(), entities
    )


def _entities(spawn: Any) -> int:
    """How many entities a `[[spawn]]` table makes: `count`, or one for each segment of a wall."""
    if not isinstance(spawn, dict):
        return 0
    points, count = spawn.get("points"), spawn.get("count", 1)
    if isinstance(points, list) and points:
        return len(points) - (not spawn.get("closed", False))
    return count if isinstance(count, int) else 0
