"""Draws the backdrop of a world: a program for each, with what it is made of written in as constants.

Software renderers go through every branch that might be taken: what a backdrop lacks must not even be asked for.
"""

from __future__ import annotations

from dataclasses import fields

from arcade import ArcadeContext
from arcade.gl import Program

from sandbox.app.drawing import shaders
from sandbox.app.drawing.backdrops import BACKDROPS, Backdrop
from sandbox.app.drawing.camera import Camera


class Sky:
    """The programs of one graphics context, each made when its backdrop is first shown."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self._screen = context.geometry(mode=context.TRIANGLES)
        self._programs: dict[str, Program] = {}
        self.show("dusk")

    def show(self, backdrop: str) -> None:
        """Draw this one of BACKDROPS from now on."""
        if backdrop not in self._programs:
            fragment = shaders.SKY_FRAGMENT.replace("BACKDROP", _constants(BACKDROPS[backdrop]))
            program = self._context.program(vertex_shader=shaders.SCREEN_VERTEX, fragment_shader=fragment)
            self._programs[backdrop] = program
        self._program = self._programs[backdrop]

    def draw(self, camera: Camera, pixel: float) -> None:
        """Draw it behind everything; `pixel`: u per pixel of the framebuffer."""
        program = self._program
        program["middle"], program["scale"] = (camera.x, camera.y), camera.scale
        program["world"], program["pixel"], program["tiles"] = camera.world, pixel, camera.tiles
        self._screen.render(program, vertices=3)


def _constants(backdrop: Backdrop) -> str:
    """The values of a backdrop as GLSL."""
    lines = []
    for field in fields(backdrop):
        value = getattr(backdrop, field.name)
        numbers = value if isinstance(value, tuple) else (value,)
        kind = "float" if len(numbers) == 1 else f"vec{len(numbers)}"
        lines.append(f"const {kind} {field.name} = {kind}({', '.join(f'{number:.6f}' for number in numbers)});")
    return "\n".join(lines)
