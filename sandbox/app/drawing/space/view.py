"""The view of a world with depth in shaders: a uniform block that all that draw it share."""

from __future__ import annotations

import numpy as np
from arcade import ArcadeContext
from arcade.gl import Program

from sandbox.app.drawing.programs import shared_program
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.drawing.view_block import with_view

BINDING = 2  # 1 is that of flat worlds
VIEW = """
layout(std140) uniform View {
    mat4 to_clip;   // clip space of an offset from the focus, u
    vec4 focus;     // u; w: nearer to the eye than that animals are drawn smaller, u
    vec4 eye;       // u, from the focus; w: 1 for a parallel view, else 0
    vec4 right;     // unit vectors on the screen; w: its width and height, pixels
    vec4 upward;
    vec4 above;     // unit vector that points up in the world; w: pixels per u at 1 u from the eye, or everywhere
};

vec4 in_clip(vec3 offset) {
    return to_clip * vec4(offset, 1.0);
}

vec3 line_of_sight(vec3 offset) {  // a unit vector
    return eye.w > 0.5 ? -cross(right.xyz, upward.xyz) : normalize(offset - eye.xyz);
}

float pixels_per_u(vec3 offset) {
    return above.w / (eye.w > 0.5 ? 1.0 : max(dot(eye.xyz - offset, cross(right.xyz, upward.xyz)), 1e-3));
}
"""
VECTORS = "focus", "eye", "right", "upward", "above"
RECORD = np.dtype([("to_clip", np.float32, (4, 4)), *((name, np.float32, 4) for name in VECTORS)])
ABOVE = {"y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class SpaceView:
    """The memory of the block on the graphics card."""

    def __init__(self, context: ArcadeContext) -> None:
        self._buffer = context.buffer(reserve=RECORD.itemsize, usage="stream")

    def show(self, camera: SpaceCamera) -> None:
        """Let programs of `space_program` draw what this camera sees, until this is called again."""
        record, axes = np.zeros((), RECORD), camera.axes
        parallel = camera.is_parallel
        record["to_clip"] = camera.matrix.T
        record["focus"][:3], record["eye"][:3] = camera.focus, camera.eye - camera.focus
        record["right"][:3], record["upward"][:3], record["above"][:3] = axes[0], axes[1], ABOVE[camera.up]
        record["focus"][3] = camera.nearby
        record["eye"][3], record["right"][3], record["upward"][3] = parallel, *camera.screen
        record["above"][3] = camera.zoom if parallel else camera.focal
        self._buffer.orphan()
        self._buffer.write(record.tobytes())
        self._buffer.bind_to_uniform_block(BINDING)


def space_program(context: ArcadeContext, vertex: str, fragment: str) -> Program:
    """Return a shared program that draws in the view; both shaders may use what `VIEW` declares."""
    program = shared_program(context, with_view(vertex, VIEW), with_view(fragment, VIEW))
    program["View"] = BINDING
    return program
