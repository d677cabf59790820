"""Gives a scene, or a world, depth, or another one, or takes it away."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from components.life import Food
from components.motion import Position, Velocity
from components.store.declare import number
from components.store.fields import DEEP
from components.store.world import World
from sandbox.design.borders import place_columns
from sandbox.design.scene import PLACE_Z, Scene, to_float32
from systems.engine.settings import Settings
from systems.exact.random import random_units

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


def follow_depth(world: World) -> None:
    """Give all entities a third coordinate if the settings of their flat world say so now, or take it away.

    What moves lies anywhere along the depth then, and so does food; all else lies in the middle. Nobody turns.
    """
    settings, table = world.resource(Settings), world.table
    if settings.axes == table.axes:
        return
    world.reform(settings.axes)
    if settings.axes == DEEP:
        rows = table.rows(Position)
        serials, is_strewn = table.serial[rows], table.has(rows, Velocity) | table.has(rows, Food)
        z = np.where(is_strewn, settings.depth * random_units(world.seed, serials, PLACE_Z), settings.depth / 2)
        for _, _, key in place_columns(DEEP):
            table.write(key, rows, to_float32(z, settings.depth, settings))
