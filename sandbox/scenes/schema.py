"""The JSON Schema of scene files, made from the declarations: editors complete and check keys with it."""

from __future__ import annotations

from typing import Any

from sandbox.design.format import scene_shape
from systems.engine.app import App


def schema(app: App) -> dict[str, Any]:
    """A JSON Schema (2020-12). What depends on the rest of a scene (names of prefabs, sums) only reading checks."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "boids-sandbox scene",
        **scene_shape(app).schema(),
    }
