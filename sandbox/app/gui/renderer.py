"""Renders Dear ImGui's draw data: one draw call per run of equal textures, clipped by the fragment shader.

Each of Dear ImGui's commands has a clip rectangle. Setting a scissor box and calling the driver for each of them would
be the most expensive part of a frame on this thread, so every vertex carries its rectangle instead.
"""

from __future__ import annotations

import numpy as np
from arcade import ArcadeContext
from arcade.gl import Texture2D
from imgui_bundle import imgui

from sandbox.app.gui.triangles import Triangles

VERTEX = """
#version 330
in vec2 place;
in vec2 uv;
in vec4 tint;
in vec4 rectangle;
uniform vec2 screen;
out vec2 at;
out vec2 from;
out vec4 colour;
flat out vec4 clip;

void main() {
    at = place;
    from = uv;
    colour = tint;
    clip = rectangle;
    gl_Position = vec4(place.x / screen.x * 2.0 - 1.0, 1.0 - place.y / screen.y * 2.0, 0.0, 1.0);
}
"""

FRAGMENT = """
#version 330
in vec2 at;
in vec2 from;
in vec4 colour;
flat in vec4 clip;
uniform sampler2D picture;
out vec4 painted;

void main() {
    if (any(lessThan(at, clip.xy)) || any(greaterThanEqual(at, clip.zw))) discard;
    painted = colour * texture(picture, from);
}
"""


class Renderer:
    """The shader program, buffers and textures of the panels in one OpenGL context."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self._program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        self._program["picture"] = 0
        self._panels = Triangles(context)
        self._textures: dict[int, Texture2D] = {}
        self._last = 0
        self._screen = 1.0, 1.0

    def begin(self) -> None:
        """Tell the current Dear ImGui context that this renderer handles textures."""
        imgui.get_io().backend_flags |= imgui.BackendFlags_.renderer_has_textures

    def picture(self, texture: Texture2D) -> imgui.ImTextureRef:
        """Register a texture; return the reference with which panels draw it."""
        return imgui.ImTextureRef(self._keep(texture))

    def close(self) -> None:
        """Free Dear ImGui's own textures."""
        for texture in imgui.get_platform_io().textures:
            texture.status = imgui.ImTextureStatus.want_destroy
            self._update(texture)

    def take(self, data: imgui.ImDrawData) -> None:
        """Upload the draw data of all panels, for `draw`."""
        for texture in data.textures:
            if texture.status != imgui.ImTextureStatus.ok:
                self._update(texture)
        self._screen = data.display_size.x, data.display_size.y
        self._panels.upload(data)

    def draw(self) -> None:
        """Draw the panels into the framebuffer in use."""
        context = self._context
        context.enable_only(context.BLEND)
        context.blend_func = context.BLEND_DEFAULT
        self._program["screen"] = self._screen
        for run in self._panels.runs:
            self._textures[run.texture].use(0)
            self._panels.geometry.render(self._program, first=run.first, vertices=run.length)

    def _keep(self, texture: Texture2D) -> int:
        """Store a texture; return its id, which Dear ImGui's commands refer to."""
        self._last += 1
        self._textures[self._last] = texture
        return self._last

    def _update(self, texture: imgui.ImTextureData) -> None:
        """Create, update or destroy a texture of Dear ImGui's own (its fonts), as its status asks."""
        status = imgui.ImTextureStatus
        if texture.status == status.want_destroy:
            self._textures.pop(texture.tex_id, None)
            texture.set_tex_id(0)
            texture.status = status.destroyed
            return
        pixels = texture.get_pixels_array().reshape(texture.height, texture.width, 4)
        if texture.status == status.want_create:
            made = self._context.texture((texture.width, texture.height), components=4, data=pixels.tobytes())
            texture.set_tex_id(self._keep(made))
        else:
            box = texture.update_rect
            part = np.ascontiguousarray(pixels[box.y : box.y + box.h, box.x : box.x + box.w])
            self._textures[texture.tex_id].write(part.tobytes(), viewport=(box.x, box.y, box.w, box.h))
        texture.status = status.ok
