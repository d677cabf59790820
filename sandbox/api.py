"""Everything a mod may import from the sandbox.

    declaring    component resource number integer quantity count switch choice colour vector prefabs text
                 several grid Grid AMOUNT_SCALE
    components   Position Velocity Motion Perception Flocker Look Prey Predator Energy Life Food Obstacle Wall Avoidance
                 Repulsion Wind Goal Leader Wander
    systems      App System Phase World Settings Measures Events
    kernels      kernel for_each_row parallel_kernel prange inlined
    records      data_of read put read_previous put_previous read_acceleration put_acceleration accelerate
    vectors      add sub scaled dot cross length unit limited left_of rotated is_zero filled to_f64 direction cosine
                 wrapped torus_of toward
    chance       stream randoms random_unit random_normal direction_like
    grids        raster_of Raster sample deposit diffused
    neighbours   neighbour_lists NeighbourLists neighbours by_serial
    measuring    order MeasureChart
    commands     Spawn Entry Circle Rect Stream Ball Box Despawn SetField SetParameter SetResource SetEnabled
    windows      Action FileKind Panel Side Ui Plot Pen FieldsPanel Tool Spot Placing Overlay Canvas Session Theme icons

Rows of the table move between ticks: fetch data and rows in every tick, and keep serials. A tick must give the same
bits everywhere: docs/mods.md says what a system may do.

`Canvas`, `Session`, `Ui`, `Plot`, `Pen`, `Theme` and `icons` need a graphics library: import them in the functions that
draw, or under `TYPE_CHECKING`, because a mod also runs without a window.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from numba import prange

from components.flock import Flocker, Perception
from components.guidance import Goal, Leader, Wander
from components.life import Energy, Food, Life
from components.look import Look
from components.motion import Motion, Position, Velocity
from components.predation import Predator, Prey
from components.store.declare import (
    choice,
    colour,
    component,
    count,
    grid,
    integer,
    number,
    prefabs,
    quantity,
    several,
    switch,
    text,
    vector,
)
from components.store.fields import AMOUNT_SCALE
from components.store.grids import Grid
from components.store.resources import resource
from components.store.world import World
from components.terrain import Avoidance, Obstacle, Repulsion, Wall
from components.wind import Wind
from sandbox.design.scene import Ball, Box, Circle, Entry, Rect, Stream
from sandbox.edit import Despawn, SetEnabled, SetField, SetParameter, SetResource, Spawn
from sandbox.window_part import MeasureChart
from systems.engine.app import App
from systems.engine.data import data_of
from systems.engine.events import Events
from systems.engine.kernel import inlined, kernel, parallel_kernel
from systems.engine.measures import Measures
from systems.engine.rows import for_each_row
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.angles import cosine, direction
from systems.exact.random import direction_like, random_normal, random_unit, randoms, stream
from systems.exact.vector import (
    accelerate,
    add,
    cross,
    dot,
    filled,
    is_zero,
    left_of,
    length,
    limited,
    put,
    put_acceleration,
    put_previous,
    read,
    read_acceleration,
    read_previous,
    rotated,
    scaled,
    sub,
    to_f64,
    unit,
)
from systems.measure.order import order
from systems.space.neighbour_lists import NeighbourLists, by_serial, neighbour_lists, neighbours
from systems.space.raster import Raster, deposit, diffused, raster_of, sample
from systems.space.torus import torus_of, toward, wrapped

if TYPE_CHECKING:
    from sandbox.app.drawing.canvas import Canvas
    from sandbox.app.fields.fields_panel import FieldsPanel
    from sandbox.app.gui.panel import Panel, Side
    from sandbox.app.gui.pen import Pen
    from sandbox.app.gui.plots import Plot
    from sandbox.app.gui.theme import Theme
    from sandbox.app.gui.ui import Ui
    from sandbox.app.overlays.overlay import Overlay
    from sandbox.app.session.action import Action
    from sandbox.app.session.file_kind import FileKind
    from sandbox.app.session.session import Session
    from sandbox.app.session.tool import Spot, Tool
    from sandbox.app.tools.placing import Placing

    icons: Any

WINDOW = {
    "Action": "sandbox.app.session.action",
    "Canvas": "sandbox.app.drawing.canvas",
    "FieldsPanel": "sandbox.app.fields.fields_panel",
    "FileKind": "sandbox.app.session.file_kind",
    "Overlay": "sandbox.app.overlays.overlay",
    "Panel": "sandbox.app.gui.panel",
    "Placing": "sandbox.app.tools.placing",
    "Pen": "sandbox.app.gui.pen",
    "Plot": "sandbox.app.gui.plots",
    "Session": "sandbox.app.session.session",
    "Side": "sandbox.app.gui.panel",
    "Spot": "sandbox.app.session.tool",
    "Theme": "sandbox.app.gui.theme",
    "Tool": "sandbox.app.session.tool",
    "Ui": "sandbox.app.gui.ui",
    "icons": "imgui_bundle",
}


def __getattr__(name: str) -> Any:
    """Import a name that only a window needs, when it is first used."""
    if name not in WINDOW:
        raise AttributeError(f"sandbox.api has no {name!r}")
    found = getattr(import_module(WINDOW[name]), "icons_fontawesome_6" if name == "icons" else name)
    globals()[name] = found
    return found


__all__ = [
    "AMOUNT_SCALE",
    "Action",
    "App",
    "Avoidance",
    "Ball",
    "Box",
    "Canvas",
    "Circle",
    "Despawn",
    "Energy",
    "Entry",
    "Events",
    "FieldsPanel",
    "FileKind",
    "Flocker",
    "Food",
    "Goal",
    "Grid",
    "Leader",
    "Life",
    "Look",
    "MeasureChart",
    "Measures",
    "Motion",
    "NeighbourLists",
    "Obstacle",
    "Overlay",
    "Panel",
    "Pen",
    "Perception",
    "Phase",
    "Placing",
    "Plot",
    "Position",
    "Predator",
    "Prey",
    "Raster",
    "Rect",
    "Repulsion",
    "Session",
    "SetEnabled",
    "SetField",
    "SetParameter",
    "SetResource",
    "Settings",
    "Side",
    "Spawn",
    "Spot",
    "Stream",
    "System",
    "Theme",
    "Tool",
    "Ui",
    "Velocity",
    "Wall",
    "Wander",
    "Wind",
    "World",
    "accelerate",
    "add",
    "by_serial",
    "choice",
    "colour",
    "component",
    "cosine",
    "count",
    "cross",
    "data_of",
    "deposit",
    "diffused",
    "direction",
    "direction_like",
    "dot",
    "filled",
    "for_each_row",
    "grid",
    "icons",
    "inlined",
    "integer",
    "is_zero",
    "kernel",
    "left_of",
    "length",
    "limited",
    "neighbour_lists",
    "neighbours",
    "number",
    "order",
    "parallel_kernel",
    "prange",
    "prefabs",
    "put",
    "put_acceleration",
    "put_previous",
    "quantity",
    "random_normal",
    "random_unit",
    "randoms",
    "raster_of",
    "read",
    "read_acceleration",
    "read_previous",
    "resource",
    "rotated",
    "sample",
    "scaled",
    "several",
    "stream",
    "sub",
    "switch",
    "text",
    "to_f64",
    "torus_of",
    "toward",
    "unit",
    "vector",
    "wrapped",
]
