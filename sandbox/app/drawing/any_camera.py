"""The camera that suits a world: of a flat one, or of one with depth."""

from __future__ import annotations

import math
from typing import TypeAlias

from components.store.world import World
from sandbox.app.drawing.backdrops import BACKDROPS
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.space.camera import SpaceCamera
from systems.engine.settings import Settings

AnyCamera: TypeAlias = Camera | SpaceCamera
PITCHES = {"sky": -3.0, "water": 9.0, "space": 10.0, "ground": 14.0}  # degrees: from how high a world is first seen
NO_INSETS = 0.0, 0.0, 0.0, 0.0


def camera_for(
    world: World, screen: tuple[int, int], insets: tuple[float, float, float, float] = NO_INSETS
) -> AnyCamera:
    """Return a camera that shows a whole world on a screen of this size, pixels; `insets`: covered by panels."""
    settings = world.resource(Settings)
    if settings.depth:
        up, pitch = "z" if is_ground(settings) else "y", math.radians(PITCHES[BACKDROPS[settings.backdrop].kind.name])
        return SpaceCamera((settings.width, settings.height, settings.depth), screen, insets, up=up, pitch=pitch)
    return Camera((settings.width, settings.height), screen, insets, wraps=settings.torus is not None)


def is_ground(settings: Settings) -> bool:
    """Return whether a world is seen from above while it is flat; with depth, z is up in it."""
    return BACKDROPS[settings.backdrop].kind.name == "ground"
