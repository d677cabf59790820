"""Uploads Dear ImGui's draw data to buffers of the graphics card, and groups its triangles into draw calls."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np
from arcade import ArcadeContext
from arcade.gl import BufferDescription
from imgui_bundle import imgui
from numpy.typing import NDArray

VERTEX_BYTES, INDEX_BYTES = 20, 4  # of Dear ImGui: position, uv (float32), colour (4 bytes)
CLIP_BYTES = 16  # per vertex: left, upper, right and lower edge (float32)
FIRST_VERTICES, FIRST_INDICES = 4096, 8192


class Run(NamedTuple):
    """Contiguous triangles with one texture: the texture's id, and the range of their indices."""

    texture: int
    first: int
    length: int


class Triangles:
    """The vertex and index buffers of a frame, and the runs that are drawn with one call each."""

    def __init__(self, context: ArcadeContext) -> None:
        self._vertices = context.buffer(reserve=FIRST_VERTICES * (VERTEX_BYTES + CLIP_BYTES), usage="stream")
        self._indices = context.buffer(reserve=FIRST_INDICES * INDEX_BYTES, usage="stream")
        self.geometry = context.geometry(
            [BufferDescription(self._vertices, "2f 2f 4f1 4f", ["place", "uv", "tint", "rectangle"])],
            index_buffer=self._indices,
            mode=context.TRIANGLES,
        )
        self.runs: list[Run] = []

    def upload(self, data: imgui.ImDrawData) -> None:
        """Concatenate all draw lists and write them to the buffers."""
        vertices, indices, clips = [], [], []
        counts: list[int] = []
        runs: list[Run] = []
        self.runs = runs
        if not data.total_idx_count:
            return
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
                if runs and runs[-1].texture == texture:
                    runs[-1] = runs[-1]._replace(length=runs[-1].length + counts[-1])
                elif counts[-1]:
                    runs.append(Run(texture, index, counts[-1]))
                index += counts[-1]
            # The quad that dims what lies below a modal window has the last indices, but is drawn first.
            if begins != sorted(begins):
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


def _bytes(vector: Any, count: int) -> NDArray[np.uint8]:
    """Return a view of the memory of one of Dear ImGui's vectors, uint8 (count,)."""
    return np.ctypeslib.as_array((ctypes.c_uint8 * count).from_address(vector.data_address()))
