"""Makes the JSON Schema of scene files from the declarations, so that editors can complete and check keys."""

from __future__ import annotations

from typing import Any

from sandbox.design.scene_schema import scene_schema
from systems.engine.app import App


def schema(app: App) -> dict[str, Any]:
    """Return a JSON Schema (2020-12). Rules across a scene (names of prefabs, sums) are checked by the reader."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "boids-sandbox scene",
        **scene_schema(app).json_schema(),
    }
