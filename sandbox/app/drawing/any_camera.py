"""The camera that suits a world: of a flat one, or of one with depth."""

from __future__ import annotations

import math
from typing import TypeAlias

from components.store.world import World
from sandbox.app.drawing.backdrops import BACKDROPS
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.space.camera import FIRST_YAW, SpaceCamera
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
        size, (yaw, pitch) = (settings.width, settings.height, settings.depth), first_view(settings)
        return SpaceCamera(size, screen, insets, yaw=yaw, pitch=pitch, up=settings.up)
    return Camera((settings.width, settings.height), screen, insets, wraps=settings.torus is not None)


def suits(camera: AnyCamera, world: World) -> bool:
    """Return whether a camera is of the kind that this world needs, and up is up."""
    settings = world.resource(Settings)
    return camera.up == settings.up if isinstance(camera, SpaceCamera) else not settings.depth


def first_view(settings: Settings) -> tuple[float, float]:
    """Return the yaw and the pitch from which a world with depth is first seen, radians."""
    return FIRST_YAW, math.radians(PITCHES[BACKDROPS[settings.backdrop].kind.name])
