"""Changing the words that stand in the world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from components.store.world import World
from sandbox.design.format import labels_shape
from sandbox.design.labels import Labels
from sandbox.edit.command import Command
from sandbox.edit.entries import as_in_files
from sandbox.toml.value_source import ValueSource


@dataclass(frozen=True)
class SetLabels(Command):
    """Have these labels, their values as a scene file writes them by their words, and no others."""

    labels: Mapping[str, Mapping[str, Any]]

    def check(self, world: World) -> None:
        self._read()

    def apply(self, world: World) -> None:
        world.resource(Labels).kept = self._read()

    def label(self, world: World) -> str:
        before, now = world.resource(Labels).kept.keys(), self.labels.keys()
        words = next(iter((now - before) or (before - now) or now), "")
        return f"label {words}".strip()

    def _read(self) -> dict[str, dict[str, Any]]:
        source = ValueSource({"labels": as_in_files(self.labels)})
        read: dict[str, dict[str, Any]] = labels_shape().read(source, ("labels",), source.data["labels"])
        source.refuse_mistakes()
        return read
