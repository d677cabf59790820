"""Whether values can be set and measures be had in the worlds of a scene, before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self

from components.store.words import did_you_mean
from sandbox.design.scene import Scene
from sandbox.edit.setting import commands_to_set
from sandbox.record import measured
from sandbox.simulation import Simulation
from sandbox.studies.study import Value
from sandbox.studies.world import SPAWN, with_count


class Trial:
    """A world of the scene that commands are checked in."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._world = Simulation(scene)
        self._there = {entry.prefab for entry in scene.entries}

    def wrong(self, values: Mapping[str, Value]) -> str:
        """Why these values can't be set, or would change nobody; empty where they can."""
        try:
            for key, value in values.items():
                if key.startswith(SPAWN):
                    with_count(self._scene, key, value)
                    continue
                for command in commands_to_set(key, value):
                    command.check(self._world.world)
                prefab, *rest = key.split(".")
                if len(rest) == 2 and rest[0][:1].isupper() and prefab not in self._there:
                    return f"{key}: nobody in the scene is a {prefab}{did_you_mean(prefab, self._there)}"
        except ValueError as error:
            return str(error)
        return ""

    def unknown(self, columns: Iterable[str]) -> dict[str, str]:
        """By column that can't be measured, why."""
        found = {}
        for name in columns:
            try:
                measured(self._world, [name])
            except ValueError as error:
                found[name] = str(error)
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._world.close()
