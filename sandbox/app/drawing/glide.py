"""Eases jumps of the camera: it has its target at once, and for a moment a view on the way there is drawn."""

from __future__ import annotations

import math
from copy import copy

from sandbox.app.drawing.any_camera import AnyCamera
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.space.camera import CLOSEST, SpaceCamera

SECONDS = 0.25
LEAST_ZOOMED = 1e-6  # share by which two zooms differ that count as different


class Glide:
    """The way from the view before a jump to the camera's."""

    def __init__(self) -> None:
        self._begin: AnyCamera | None = None
        self._passed = 0.0

    def begin(self, camera: AnyCamera) -> None:
        """Note the view from which the camera is about to jump."""
        self._begin, self._passed = self.shown(camera), 0.0

    def end(self) -> None:
        """Arrive at once."""
        self._begin = None

    def pass_time(self, seconds: float) -> None:
        self._passed += seconds
        if self._passed >= SECONDS:
            self.end()

    def shown(self, camera: AnyCamera) -> AnyCamera:
        """Return the camera to draw with, a view between that of `begin` and that of this camera.

        If the zoom differs, one place of the world keeps its pixel, in a world with depth unless it turns. On a torus
        it takes the shorter way.
        """
        begin = self._begin
        if isinstance(camera, SpaceCamera):
            return self._shown_in_space(begin, camera)
        if not isinstance(begin, Camera) or (begin.world_size, begin.screen) != (camera.world_size, camera.screen):
            return copy(camera)
        share = 1 - (1 - self._passed / SECONDS) ** 3
        found = copy(camera)
        found.zoom = begin.zoom ** (1 - share) * camera.zoom**share
        if abs(camera.zoom - begin.zoom) > LEAST_ZOOMED * camera.zoom:
            share = (1 / begin.zoom - 1 / found.zoom) / (1 / begin.zoom - 1 / camera.zoom)
        width, height = camera.world_size if camera.wraps else (math.inf, math.inf)
        found.x -= (1 - share) * math.remainder(camera.x - begin.x, width)
        found.y -= (1 - share) * math.remainder(camera.y - begin.y, height)
        found.fitted = camera.fitted and share == 1
        return found

    def _shown_in_space(self, begin: AnyCamera | None, camera: SpaceCamera) -> SpaceCamera:
        found = copy(camera)
        if not isinstance(begin, SpaceCamera) or camera.rides or begin.world_size != camera.world_size:
            return found
        share = 1 - (1 - self._passed / SECONDS) ** 3
        found.yaw = begin.yaw + math.remainder(camera.yaw - begin.yaw, math.tau) * share
        found.pitch = begin.pitch + (camera.pitch - begin.pitch) * share
        began, ends = CLOSEST if begin.rides else begin.distance, camera.distance
        found.distance = began ** (1 - share) * ends**share
        if abs(ends - began) > LEAST_ZOOMED * ends:
            share = (began - found.distance) / (began - ends)
        x, y, z = (a + (b - a) * share for a, b in zip(begin.focus, camera.focus, strict=True))
        found.focus = x, y, z
        return found
