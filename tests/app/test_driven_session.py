"""A session at the window, whatever was done in it, is its scene, its seed and its log: replayed, the same bits."""

from __future__ import annotations

import random

import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_MIDDLE as MIDDLE
from arcade import MOUSE_BUTTON_RIGHT as RIGHT
from arcade import key

from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import Redo, SetSetting, Undo
from sandbox.simulation import Simulation

from . import widgets
from .conftest import OpenWindow, send
from .mouse import NUMBER, click, drag, hit, log, point, take, with_tools

WIDTH, HEIGHT = 640, 360
CTRL, SHIFT = key.MOD_CTRL, key.MOD_SHIFT
SHORTCUTS = [
    *[(key.Z, CTRL)] * 4,
    *[(key.Y, CTRL), (key.Z, CTRL | SHIFT)] * 2,
    *[(key.C, CTRL), (key.V, CTRL), (key.X, CTRL), (key.DELETE, 0), (key.A, CTRL)],
    *[(key.SPACE, 0), (key.B, 0), (key.F, 0)],
]


def gesture(window: FlockWindow, dice: random.Random) -> None:
    """Something that a person does."""
    if isinstance(window.session.camera, SpaceCamera) and dice.random() < 0.4:
        look_around(window, window.session.camera, dice)
    places = [(dice.randrange(WIDTH), dice.randrange(HEIGHT)) for _ in range(dice.randrange(2, 4))]
    match dice.randrange(10):
        case 0 | 1:
            take(window, dice.choice(list(NUMBER)))
        case 2:
            click(window, *places[0])
        case 3 | 4:
            drag(window, *places, held=dice.choice([0, 0, SHIFT, CTRL]))
        case 5:
            drag(window, *places, button=RIGHT)
        case 6:
            click(window, *places[0], button=MIDDLE)
        case 7 | 8:
            point(window, *places[0])
            hit(window, *dice.choice(SHORTCUTS))
        case 9:
            send(window, ("on_text", dice.choice([".", ",", "/", "[", "]"])))


def look_around(window: FlockWindow, camera: SpaceCamera, dice: random.Random) -> None:
    """Look at a world with depth from elsewhere, move the plane of the mouse, or give the world another depth."""
    x, y = dice.randrange(WIDTH), dice.randrange(HEIGHT)
    match dice.randrange(6):
        case 0:
            drag(window, (x, y), (dice.randrange(WIDTH), dice.randrange(HEIGHT)), button=MIDDLE)
        case 1:
            point(window, x, y)
            hit(window, key.F, SHIFT)
        case 2:
            flown = dice.choice([key.W, key.A, key.S, key.D, key.PAGEUP, key.PAGEDOWN])
            send(window, ("on_key_press", flown, 0))
            window.on_update(0.05)
            send(window, ("on_key_release", flown, 0))
        case 3:
            send(window, ("on_mouse_scroll", x, y, 0, dice.choice([-2, 2])))
        case 4:
            camera.lift_plane(dice.choice([-40, 40]))
        case 5:
            hit(window, dice.choice([key.NUM_1, key.NUM_3, key.NUM_5, key.NUM_7]))
    if dice.random() < 0.05:
        window.session.submit(SetSetting("depth", dice.choice([0, 120, 400])))


def replayed(window: FlockWindow, again: Simulation) -> str:
    """The digest after the log of a window's session."""
    for done in log(window):
        again.step(done.tick - again.tick)
        again.submit(done.command, done.joins)
        again.settle_commands()
    again.step(window.simulation.tick - again.tick)
    return again.digest()


@pytest.mark.parametrize("depth", [0, 300])
@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.verify) for n in range(2, 90))])
def test_what_hands_did_replays_to_the_same_digest(open_on: OpenWindow, seed: int, depth: float) -> None:
    edges = ("wrap", "bounce", "turn")[seed % 3]
    scene = with_tools(Entry("red", 60), Entry("predator", 2), Entry("food", 5), edges=edges, depth=depth)
    window = open_on(scene)
    dice = random.Random(seed)
    for _ in range(120):
        gesture(window, dice)
        for _ in range(dice.randrange(4)):
            window.on_update(dice.choice([1 / 60, 0.1]))
    take(window, "boid")
    click(window, WIDTH // 2, HEIGHT // 2)
    for shortcut in ((key.Z, CTRL), (key.Y, CTRL)):
        hit(window, *shortcut)
        window.on_update(0.01)
    window.session.clock.paused = False
    while window.simulation.tick <= 20:
        window.on_update(0.1)
    assert len(log(window)) > 60
    assert any(isinstance(done.command, Undo) for done in log(window))
    assert any(isinstance(done.command, Redo) for done in log(window))
    with Simulation(scene, 1) as again:
        assert replayed(window, again) == window.simulation.digest()


def test_what_panels_did_replays_too(open_on: OpenWindow) -> None:
    scene = with_tools(Entry("red", 40))
    window = open_on(scene, (1280, 1600), panels=["inspector", "pipeline", "time bar"])
    widgets.click(window, "More##everybody")
    seen = widgets.look(window)
    slider = next(label for label in seen.places if label.endswith("Motion.max_speed"))
    x, y = seen.places[slider]
    for event in (
        *(("on_mouse_motion", x, y, 0, 0), ("on_mouse_press", x, y, LEFT, 0)),
        *(("on_mouse_drag", x - n, y, -10, 0, LEFT, 0) for n in (10, 20, 30)),
        ("on_mouse_release", x - 30, y, LEFT, 0),
    ):
        send(window, event)
        window.on_draw()
        window.on_update(0.1)
    widgets.click(window, "##wander")
    for _ in range(5):
        window.on_update(0.1)
        window.on_draw()
    assert {type(done.command).__name__ for done in log(window)} == {"SetField", "SetEnabled"}
    with Simulation(scene, 1) as again:
        assert replayed(window, again) == window.simulation.digest()
