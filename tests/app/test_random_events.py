"""A monkey at mouse and keyboard: whatever comes, nothing breaks and nothing grows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from arcade import key
from pyglet import gl

from sandbox.app.preferences import Preferences
from sandbox.app.session import playback
from sandbox.app.window import FlockWindow
from sandbox.opening import load
from sandbox.simulation import Simulation
from sandbox.warm_up import warm_up
from tests.memory import resident

from .cage import Cage
from .conftest import went_well

EVENTS_PER_FRAME = 8
ROUND = 5_000  # events, after each of which the world begins again
MOST_GROWTH = 20 << 20  # bytes
SYMBOLS = [
    *(getattr(key, letter) for letter in "ABCDEFGHIJKLMNOPRSTUVWXYZ"),  # Ctrl+Q would end it
    *(key.SPACE, key.TAB, key.ESCAPE, key.HOME, key.END, key.DELETE, key.BACKSPACE, key.ENTER, key.UP, key.DOWN),
    *(key.LEFT, key.RIGHT, key.PAGEUP, key.PAGEDOWN, key.F1, key.F3, key.F5, key.F6, key.F12, key.LSHIFT, key.LCTRL),
]
MODIFIERS = [0, 0, 0, key.MOD_SHIFT, key.MOD_CTRL, key.MOD_ALT, key.MOD_CTRL | key.MOD_SHIFT]
TEXTS = [*"0123456789.,/[]-+=aäß√ \t", "hello", "💡", "1e400", "-5"]
BUTTONS = [1, 1, 1, 2, 4]
SIZES = [(1280, 720), (640, 360), (320, 240), (800, 600), (1, 1), (1900, 300)]


def events(dice: random.Random, window: FlockWindow) -> Iterator[tuple[object, ...]]:
    """A gesture: some events that belong together, as far as a monkey's do."""
    width, height = window.get_size()
    x, y = dice.randrange(-5, width + 5), dice.randrange(-5, height + 5)
    modifiers = dice.choice(MODIFIERS)
    match dice.randrange(8):
        case 0 | 1 | 2:
            button = dice.choice(BUTTONS)
            yield "on_mouse_motion", x, y, 1, 1
            yield "on_mouse_press", x, y, button, modifiers
            for _ in range(dice.randrange(4)):
                dx, dy = dice.randrange(-90, 90), dice.randrange(-90, 90)
                x, y = x + dx, y + dy
                yield "on_mouse_drag", x, y, dx, dy, button, modifiers
            if dice.random() < 0.95:
                yield "on_mouse_release", x, y, button, modifiers
        case 3:
            yield "on_mouse_scroll", x, y, dice.choice([0, 0.5]), dice.choice([-3, -1, 0.25, 1, 3])
        case 4 | 5:
            symbol = dice.choice(SYMBOLS)
            yield "on_key_press", symbol, modifiers
            yield "on_key_release", symbol, modifiers
        case 6:
            yield "on_text", dice.choice(TEXTS)
        case 7:
            yield dice.choice(
                [
                    ("on_mouse_motion", x, y, 3, 3),
                    ("on_mouse_leave", x, y),
                    ("on_mouse_enter", x, y),
                    ("on_deactivate",),
                    ("on_activate",),
                    ("on_file_drop", x, y, [dice.choice(["nowhere.toml", "pond.png"])]),
                    ("on_resize", *dice.choice(SIZES)),
                ]
            )


def let_loose(count: int, seed: int, folder: Path, painted: bool) -> list[int]:
    """Send so many events, and colour pixels or not; returns the memory after each round."""
    dice = random.Random(seed)
    simulation = load("hunters")
    window = Cage(simulation, lambda: load("hunters"), (800, 600), False, preferences=Preferences())
    if not painted:
        gl.glEnable(gl.GL_RASTERIZER_DISCARD)
    window.keep_in(folder)
    panels = [panel.name for panel in window.session.app.panels]
    for panel in panels:  # fonts and pictures are read when they are first shown
        window.session.preferences.open[:] = [panel]
        for _ in range(20):
            window.on_update(1 / 60)
            window.on_draw()
            window.ctx.finish()
    memory = []
    sent = 0
    while sent < count:
        for event in events(dice, window):
            window.dispatch_event(*event)
            sent += 1
            if sent % EVENTS_PER_FRAME == 0:
                window.dispatch_events()
                window.on_update(1 / 60)
                window.on_draw()
                window.flip()  # as the event loop does: textures that nobody needs any more go
                window.ctx.finish()  # else a software renderer falls behind, and what it has yet to draw grows
            if sent % ROUND == 0:
                window.session.preferences.open[:] = dice.sample(panels, 4)
                again: Simulation = load("hunters")
                window.show(again, lambda: load("hunters"))
                memory.append(resident())
                kinds = [kind for kind in window.session.app.file_kinds if kind.listed]
                if listed := [path for kind in kinds for _, path in kind.listed(window.session)]:
                    window.filing.open(dice.choice(listed))
    assert went_well(window)
    window.close()
    return memory


@pytest.mark.long_ticks
@pytest.mark.parametrize("over_frames", [False, True])
def test_nothing_breaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, over_frames: bool) -> None:
    """In both cases of a tick: it ends in its frame, or goes on in its thread while frames are drawn."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(playback, "LONG", -1 if over_frames else 10**12)
    monkeypatch.setattr(playback, "WAIT", 0.0)
    # No round is whole: what it went through without an exception counts.
    assert let_loose(3_000, 1, tmp_path, painted=False) == []


@pytest.mark.verify
@pytest.mark.collected
@pytest.mark.timeout(3600)
def test_nothing_breaks_and_nothing_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    warm_up()  # kernels that are compiled on the way would count as growth
    memory = let_loose(100_000, 2, tmp_path, painted=True)
    assert max(memory[4:]) - memory[3] < MOST_GROWTH, memory
