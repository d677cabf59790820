"""What the mouse does; what keys do stands in `actions`."""

from __future__ import annotations

MOUSE: tuple[tuple[str, str], ...] = (
    ("left click, drag", "Use the tool: place, paint, drag what is selected"),
    ("Shift+drag", "In a line"),
    ("Ctrl+drag", "Fill a rectangle"),
    ("right drag", "Erase under the brush"),
    ("Shift with the tool hand", "Scare the flock away instead of pulling it"),
    ("middle click, Alt+click", "Pick: the tool and prefab of what is under the cursor"),
    ("scroll", "Zoom at the cursor"),
    ("Ctrl+scroll", "Size of the brush"),
    ("middle drag", "Pan"),
    ("a file dropped on the window", "Open that scene or state"),
    ("double click on a value", "Reset it"),
    ("Ctrl+click on a value", "Type a number"),
)
