"""Shader programs, each of which is compiled once in a window, for all that draw with it."""

from __future__ import annotations

from arcade import ArcadeContext
from arcade.gl import Program

KEPT = "boids_programs"  # the attribute of a context with its programs, which live as long as it


def shared_program(context: ArcadeContext, vertex: str, fragment: str) -> Program:
    """Return the program of these shaders. Set all its uniforms before each draw: others draw with it, too."""
    programs: dict[tuple[str, str], Program] = vars(context).setdefault(KEPT, {})
    if (vertex, fragment) not in programs:
        programs[vertex, fragment] = context.program(vertex_shader=vertex, fragment_shader=fragment)
    return programs[vertex, fragment]
