"""Draws what Dear ImGui made of the panels: one draw call for each texture in a row, clipped by the fragment shader.

Dear ImGui's commands each have a rectangle to clip to. Setting a scissor box and calling the driver for each would cost
this thread more than all else, so every vertex carries its rectangle instead.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from arcade import ArcadeContext
from arcade.gl import BufferDescription, Texture2D
from imgui_bundle import imgui
from numpy.typing import NDArray

VERTEX_BYTES, INDEX_BYTES = 20, 4  # of Dear ImGui: place, uv (float32), colour (4 bytes)
CLIP_BYTES = 16  # left, upper, right and lower edge (float32)
FIRST_VERTICES, FIRST_INDICES = 4096, 8192

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
    """The program, buffers and textures of one graphics context."""

    def __init__(self, context: ArcadeContext) -> None:
        self._context = context
        self._program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        self._program["picture"] = 0
        self._vertices = context.buffer(reserve=FIRST_VERTICES * (VERTEX_BYTES + CLIP_BYTES), usage="stream")
        self._indices = context.buffer(reserve=FIRST_INDICES * INDEX_BYTES, usage="stream")
        self._geometry = context.geometry(
            [BufferDescription(self._vertices, "2f 2f 4f1 4f", ["place", "uv", "tint", "rectangle"])],
            index_buffer=self._indices,
            mode=context.TRIANGLES,
        )
        self._textures: dict[int, Texture2D] = {}
        self._last = 0
        self._screen = 1.0, 1.0
        self._runs: list[tuple[int, int, int]] = []  # of one texture: its id, the first index, how many

    def begin(self) -> None:
        """Draw for the current Dear ImGui context from now on."""
        imgui.get_io().backend_flags |= imgui.BackendFlags_.renderer_has_textures

    def picture(self, texture: Texture2D) -> imgui.ImTextureRef:
        """What panels draw a picture with, for as long as the texture is kept."""
        return imgui.ImTextureRef(self._keep(texture))

    def close(self) -> None:
        """Give Dear ImGui's textures back."""
        for texture in imgui.get_platform_io().textures:
            texture.status = imgui.ImTextureStatus.want_destroy
            self._update(texture)

    def take(self, data: imgui.ImDrawData) -> None:
        """This is what is to be drawn from now on."""
        for texture in data.textures:
            if texture.status != imgui.ImTextureStatus.ok:
                self._update(texture)
        self._screen = data.display_size.x, data.display_size.y
        self._runs = self._upload(data) if data.total_idx_count else []

    def draw(self) -> None:
        """Draw it into the framebuffer in use."""
        context = self._context
        context.enable_only(context.BLEND)
        context.blend_func = context.BLEND_DEFAULT
        self._program["screen"] = self._screen
        for texture_id, first, count in self._runs:
            self._textures[texture_id].use(0)
            self._geometry.render(self._program, first=first, vertices=count)

    def _upload(self, data: imgui.ImDrawData) -> list[tuple[int, int, int]]:
        """Send all lists as one; returns the runs."""
        vertices, indices, clips = [], [], []
        counts: list[int] = []
        runs: list[tuple[int, int, int]] = []
        vertex = index = 0
        for part in data.cmd_lists:
            count, entries = part.vtx_buffer.size(), part.idx_buffer.size()
            vertices.append(_bytes(part.vtx_buffer, count * VERTEX_BYTES))
            own = _bytes(part.idx_buffer, entries * INDEX_BYTES).view(np.uint32) + np.uint32(vertex)
            begins, first = [], len(counts)
            for command in part.cmd_buffer:
                clip = command.clip_rect
                clips.append((clip.x, clip.y, clip.z, clip.w))
                counts.append(command.elem_count)
                begins.append(command.idx_offset)
                texture = command.tex_ref.get_tex_id()
                if runs and runs[-1][0] == texture:
                    runs[-1] = texture, runs[-1][1], runs[-1][2] + counts[-1]
                elif counts[-1]:
                    runs.append((texture, index, counts[-1]))
                index += counts[-1]
            if begins != sorted(begins):  # what lies below a question is dimmed by the last indices, and drawn first
                lengths = zip(begins, counts[first:], strict=True)
                own = np.concatenate([own[begin : begin + length] for begin, length in lengths])
            indices.append(own)
            vertex += count
        every = np.concatenate(indices)
        numbers = np.zeros(vertex, np.intp)
        numbers[every] = np.arange(len(counts)).repeat(counts)
        sent = np.empty((vertex, VERTEX_BYTES + CLIP_BYTES), np.uint8)
        sent[:, :VERTEX_BYTES] = np.concatenate(vertices).reshape(vertex, VERTEX_BYTES)
        rectangles = np.array(clips, np.float32).view(np.uint8).reshape(-1, CLIP_BYTES)
        sent[:, VERTEX_BYTES:] = rectangles.take(numbers, axis=0)
        for buffer, array in ((self._vertices, sent), (self._indices, every)):
            buffer.orphan(size=buffer.size if array.nbytes <= buffer.size else 2 * array.nbytes)
            buffer.write(array.view(np.uint8).data)
        return runs

    def _keep(self, texture: Texture2D) -> int:
        """A number of our own for a texture: what Dear ImGui's commands name."""
        self._last += 1
        self._textures[self._last] = texture
        return self._last

    def _update(self, texture: imgui.ImTextureData) -> None:
        """Do to a texture of Dear ImGui's own, a font's, what it asks for."""
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


def _bytes(vector: Any, count: int) -> NDArray[np.uint8]:
    """The memory of one of Dear ImGui's vectors, uint8 (count,)."""
    return np.ctypeslib.as_array((ctypes.c_uint8 * count).from_address(vector.data_address()))
