"""Brings the figures of a canvas to the screen in a world with depth."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.space.camera import SpaceCamera

Floats = NDArray[np.float64]
BEHIND = -1e6  # pixels: where places behind the viewer are drawn, and so not seen
JUST_AHEAD = 1e-3  # of the reach of the mouse: nearer than that, lines are cut off
FAR = 1e5  # pixels


def screen_camera(screen: tuple[int, int]) -> Camera:
    """Return the camera of figures whose places are pixels."""
    made = Camera((float(screen[0]), float(screen[1])), screen)
    made.x, made.y, made.zoom = screen[0] / 2, screen[1] / 2, 1.0
    return made


class InSpace:
    """What a camera does to places; those of two numbers lie in the middle of the depth."""

    def __init__(self, camera: SpaceCamera) -> None:
        self._camera = camera
        self._axes, self._eye = camera.axes, camera.eye
        self._parallel = camera.is_parallel

    def pixels(self, places: ArrayLike) -> Floats:
        """Return the pixels of places, (n, 2)."""
        found = np.nan_to_num(self._camera.project(self._placed(places)), nan=BEHIND)
        return np.clip(found, -FAR, FAR)

    def sizes(self, places: ArrayLike) -> Floats:
        """Return how many pixels show 1 u at places, (n,)."""
        away = self._away(self._placed(places))
        if self._parallel:
            return np.full(len(away), self._camera.zoom)
        return np.where(away > 0, self._camera.focal / np.maximum(away, 1e-6), 0.0)

    def ways(self, headings: ArrayLike, places: ArrayLike) -> tuple[Floats, Floats]:
        """Return headings at places as unit vectors on the screen, (n, 2), and what of them points to the viewer, (n,).

        Of a heading along the line of sight, the former is any.
        """
        given, placed = np.atleast_2d(np.asarray(headings, np.float64)), self._placed(places)
        if given.shape[1] == 2:
            given = np.column_stack([given, np.zeros(len(given))])
        toward = np.broadcast_to(self._axes[2], placed.shape) if self._parallel else self._eye - placed
        toward = toward / np.maximum(np.linalg.norm(toward, axis=1, keepdims=True), 1e-9)
        lean = (given * toward).sum(axis=1)
        seen = (given - lean[:, None] * toward) @ self._axes[:2].T
        size = np.linalg.norm(seen, axis=1, keepdims=True)
        return np.divide(seen, size, out=np.tile([1.0, 0.0], (len(seen), 1)), where=size > 0), lean

    def lines(self, begin: ArrayLike, end: ArrayLike) -> tuple[Floats, Floats]:
        """Return the pixels of both ends of lines, (n, 2) each, cut off where they pass the viewer."""
        one, other = np.broadcast_arrays(self._placed(begin), self._placed(end))
        if not self._parallel:
            near = JUST_AHEAD * self._camera.reach
            here, there = self._away(one), self._away(other)
            across = np.where(here != there, (near - here) / np.where(here != there, there - here, 1.0), 0.0)[:, None]
            cut = one + (other - one) * across
            one, other = (
                np.where((away < near)[:, None] & (beyond > near)[:, None], cut, place)
                for away, beyond, place in ((here, there, one), (there, here, other))
            )
        return self.pixels(one), self.pixels(other)

    def shows(self, places: NDArray[Any], margin: float | NDArray[Any]) -> NDArray[np.bool_]:
        """Return a mask of the places that are visible, or within `margin` (u) of that."""
        pixels, wide = self.pixels(places), np.asarray(margin) * self.sizes(places)
        (width, height), (x, y) = self._camera.screen, pixels.T
        seen = (x >= -wide) & (x <= width + wide) & (y >= -wide) & (y <= height + wide) & (x > -FAR)
        return np.asarray(seen, bool)

    def _away(self, places: Floats) -> Floats:
        """Return how far places are from the viewer along the line of sight, (n,), u."""
        found: Floats = (self._eye - places) @ self._axes[2]
        return found

    def _placed(self, places: ArrayLike) -> Floats:
        given = np.atleast_2d(np.asarray(places, np.float64))
        if given.shape[1] == 2:
            middle = self._camera.world_size[2] / 2
            given = np.column_stack([given, np.full(len(given), middle)])
        return given
