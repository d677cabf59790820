"""The view in shaders: a uniform block that all that draw the world share."""

from __future__ import annotations

from functools import cache

import numpy as np
from arcade import ArcadeContext
from arcade.gl import Program

from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.programs import shared_program

BINDING = 1  # 0 is pyglet's
VERSION = "#version 330\n"
VIEW = """
layout(std140) uniform View {
    mat4 to_clip;  // clip space of an offset from the middle, u
    vec2 middle;   // u, of the screen
};

vec4 in_clip(vec2 offset) {
    return to_clip * vec4(offset, 0.0, 1.0);
}

vec2 offset_at(vec2 corner) {  // of the place at a corner of clip space
    return corner / vec2(to_clip[0][0], to_clip[1][1]);
}
"""
RECORD = np.dtype([("to_clip", np.float32, (4, 4)), ("middle", np.float32, 4)])


class ViewBlock:
    """The memory of the block on the graphics card."""

    def __init__(self, context: ArcadeContext) -> None:
        self._buffer = context.buffer(reserve=RECORD.itemsize, usage="stream")

    def show(self, camera: Camera) -> None:
        """Let programs of `view_program` draw what this camera sees, until this is called again."""
        record = np.zeros((), RECORD)
        record["to_clip"], record["middle"][:2] = camera.matrix.T, (camera.x, camera.y)
        self._buffer.orphan()  # the graphics card may still draw with what was shown before
        self._buffer.write(record.tobytes())
        self._buffer.bind_to_uniform_block(BINDING)


def view_program(context: ArcadeContext, vertex: str, fragment: str) -> Program:
    """Return a shared program that draws in the view; its vertex shader may use what `VIEW` declares."""
    program = shared_program(context, with_view(vertex, VIEW), fragment)
    program["View"] = BINDING
    return program


@cache
def with_view(shader: str, view: str) -> str:
    """Return the source of a shader with the declaration of a view."""
    return shader.replace(VERSION, VERSION + view, 1)
