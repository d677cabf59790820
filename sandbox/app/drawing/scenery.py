"""Draws wind, food, goals, obstacles and walls: one program and one draw call for each sort of things."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from arcade import ArcadeContext
from arcade.gl import Program
from numpy.typing import NDArray

from sandbox.app.drawing.backdrops import BackdropValues
from sandbox.app.drawing.buffers import Instances
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.driver import draws_in_software
from sandbox.app.drawing.scenery_shaders import SORTS, shaders_of
from sandbox.app.drawing.view_block import view_program
from sandbox.render.scenery import FORM

FAR = 1e9  # pixels
ROUNDING = 1e-3  # pixels: the middle of a pixel often lies on the edge itself


class SceneryDrawing:
    """The shader programs and buffers of the scenery; a program is compiled when its sort of things is first shown."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context, self._rich = context, not draws_in_software(context)
        self._forms = {sort: Instances(context, FORM) for sort in SORTS}
        self._light: dict[str, Any] = {}
        self._shown: list[tuple[Program, Instances]] = []

    @property
    def count(self) -> int:
        """The number of forms drawn."""
        return sum(forms.count for _, forms in self._shown)

    def take(self, forms: NDArray[np.void], backdrop: BackdropValues) -> None:
        """Set the forms to draw, dtype FORM, and the backdrop behind them."""
        kinds, self._shown = forms["kind_colour"] >> np.uint32(24), []
        for sort, own in SORTS.items():
            chosen = (kinds >= own.start) & (kinds < own.stop)
            if not chosen.any():
                continue
            self._forms[sort].upload(forms[chosen])
            shaders = shaders_of(sort, backdrop.kind, self._rich)
            self._shown.append((view_program(self._context, *shaders), self._forms[sort]))
        x, y = backdrop.light
        self._light = {"light": (x, y), "light_turn": math.atan2(y, x) / math.tau, "glow": backdrop.glow_colour}

    def draw(self, camera: Camera, pixel: float, alpha: float, time: float, torus: tuple[float, ...]) -> None:
        """Draw the scenery of one copy of the world; `torus`: its size if it is one, else 0, 0."""
        own_pixels = _own_pixels(camera, pixel, torus)
        self._context.enable_only(self._context.BLEND)
        self._context.blend_func = self._context.BLEND_DEFAULT
        values = self._light | {"pixel": pixel, "alpha": alpha, "time": time, "own_pixels": own_pixels}
        for program, forms in self._shown:
            for name, value in values.items():
                program.set_uniform_safe(name, value)
            forms.draw(program, self._context.TRIANGLE_STRIP, 4)
        self._context.enable_only()


def _own_pixels(camera: Camera, pixel: float, torus: tuple[float, ...]) -> tuple[float, ...]:
    """Return the first and the last edge of the pixels whose middle lies in a copy of a torus: x and y, x and y.

    Each pixel belongs to one copy: soft edges would let the ground shine through between two, and two copies of a
    shade would be darker.
    """
    if not any(torus):
        return -FAR, -FAR, FAR, FAR
    ends = []
    for corner in ((0.0, 0.0), torus):
        for place, middle, side in zip(corner, (camera.x, camera.y), camera.screen, strict=True):
            ends.append(math.ceil((place - middle + side / 2 / camera.zoom) / pixel - 0.5 - ROUNDING))
    return tuple(float(end) for end in ends)
