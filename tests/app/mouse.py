"""What a person's hand does to a window: takes tools, clicks, drags, presses keys; and what the world is like after."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from arcade import MOUSE_BUTTON_LEFT as LEFT

from components.store.prefab import Prefab
from sandbox.app.parts import BUILT_IN
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry, Scene
from sandbox.edit import CommandQueue, Done
from sandbox.undo.history import History
from systems.engine.app import installed

from .conftest import drifting, send

NUMBER = {tool.name: number for number, tool in enumerate(installed(BUILT_IN).tools, 1)}
PLACING = ("boid", "predator", "obstacle", "wall", "wind", "food", "goal")
Pixel = tuple[int, int]


def with_tools(*entries: Entry, edges: str = "turn", radius: float = 10, depth: float = 0) -> Scene:
    """A scene that has a prefab for each tool, besides boids that come first."""
    scene = drifting(*entries)
    scene.settings.edges, scene.settings.depth = edges, depth
    own = {"obstacle": {"Obstacle": {"radius": radius}}, "wind": {"Wind": {"radius": 60.0}}, "goal": {"Goal": {}}}
    own["food"] = {"Food": {"radius": radius}}
    scene.prefabs |= {name: Prefab(name, {"Position": {}, **components}) for name, components in own.items()}
    scene.prefabs["wall"] = Prefab("wall", {"Wall": {"thickness": 4.0}})
    scene.prefabs["predator"] = Prefab("predator", {**scene.prefabs["red"].components, "Predator": {}})
    return scene


def take(window: FlockWindow, name: str) -> None:
    """Take a tool by its key; beyond the tenth none has one."""
    if NUMBER[name] <= 10:
        send(window, ("on_text", str(NUMBER[name] % 10)))
    else:
        window.session.act(f"tool_{NUMBER[name]}")


def click(window: FlockWindow, x: int, y: int, button: int = LEFT, held: int = 0) -> None:
    send(window, ("on_mouse_press", x, y, button, held), ("on_mouse_release", x, y, button, held))


def press(window: FlockWindow, *places: Pixel, button: int = LEFT, held: int = 0) -> None:
    """A button goes down at the first place, and stays down along the others."""
    send(window, ("on_mouse_press", *places[0], button, held))
    for last, place in pairwise(places):
        send(window, ("on_mouse_drag", *place, place[0] - last[0], place[1] - last[1], button, held))


def drag(window: FlockWindow, *places: Pixel, button: int = LEFT, held: int = 0) -> None:
    """The same, and the button comes up at the last."""
    press(window, *places, button=button, held=held)
    send(window, ("on_mouse_release", *places[-1], button, held))


def point(window: FlockWindow, x: int, y: int) -> None:
    send(window, ("on_mouse_motion", x, y, 0, 0))


def hit(window: FlockWindow, symbol: int, held: int = 0) -> None:
    """Press a key and let it go."""
    send(window, ("on_key_press", symbol, held), ("on_key_release", symbol, held))


def settled(window: FlockWindow) -> dict[str, int]:
    """How many live, by prefab, after a frame while paused."""
    window.session.clock.paused = True
    window.on_update(0.01)
    return window.simulation.populations()


def walls(window: FlockWindow) -> list[list[float]]:
    """The ends of every wall: ax, ay, bx, by."""
    records = window.simulation.world.table.records(window.simulation.world.table.components["Wall"])
    rows = window.simulation.world.table.rows(window.simulation.world.table.components["Wall"])
    return [[float(records[row][end]) for end in ("ax", "ay", "bx", "by")] for row in np.sort(rows)]


def values(window: FlockWindow, key: str, serials: Sequence[int] | None = None) -> list[Any]:
    """A column by serial, of those named or of all."""
    table = window.simulation.world.table
    if serials is None:
        serials = np.sort(table.serial[: table.size]).tolist()
    found: list[Any] = table.columns[key][table.rows_of(np.array(serials))].tolist()
    return found


def log(window: FlockWindow) -> list[Done]:
    return window.simulation.world.resource(CommandQueue).log


def steps(window: FlockWindow) -> list[str]:
    """What undo would take back, the oldest first."""
    return [step.label for step in window.simulation.world.resource(History).undoable]
