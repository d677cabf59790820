"""Gives the world of a scene depth, or another one."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

from components.store.declare import number
from sandbox.design.scene import Scene

DEPTH = number(1, "u", 1, 1e6, "depth of the world")


def with_depth(scene: Scene, depth: float) -> Scene:
    """Return a scene like this one whose world is so deep, u.

    Raises:
        ValueError: that is no depth; the message says what would be right.
    """
    settings: Any = copy(scene.settings)
    try:
        settings.depth = DEPTH.parse(depth)
    except ValueError as error:
        raise ValueError(f"depth = {depth!r}: {error}") from None
    return replace(scene, settings=settings)
