"""Long lists: only the lines in sight are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from imgui_bundle import imgui

Line = TypeVar("Line")


def in_sight(lines: Sequence[Line], height: float = -1.0) -> Iterator[tuple[int, Line]]:
    """Those of the lines, each with its number, that must be drawn; `height`: of each, pixels, else of the first."""
    clipper = imgui.ListClipper()
    clipper.begin(len(lines), height)
    while clipper.step():
        for number in range(clipper.display_start, clipper.display_end):
            yield number, lines[number]
