"""A monkey at mouse and keyboard: what it does to a window, all by chance."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_MIDDLE as MIDDLE
from arcade import key
from imgui_bundle import imgui

from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.window import FlockWindow
from sandbox.edit import SetSetting
from sandbox.files.write_recording import write_recording
from sandbox.past.timeline import Timeline
from sandbox.scenes.bundled import bundled_scenes
from sandbox.simulation import Simulation

Event = tuple[Any, ...]
FRAME: Event = ()  # among the events of a gesture: the next ones come in a later frame
SYMBOLS = [
    *(getattr(key, letter) for letter in "ABCDEFGHIJKLMNOPRSTUVWXYZ"),  # Ctrl+Q would end it
    *(key.SPACE, key.TAB, key.ESCAPE, key.HOME, key.END, key.DELETE, key.BACKSPACE, key.ENTER, key.UP, key.DOWN),
    *(key.LEFT, key.RIGHT, key.PAGEUP, key.PAGEDOWN, key.F1, key.F3, key.F5, key.F6, key.F12, key.LSHIFT, key.LCTRL),
]
MODIFIERS = [0, 0, 0, key.MOD_SHIFT, key.MOD_CTRL, key.MOD_ALT, key.MOD_CTRL | key.MOD_SHIFT]
TEXTS = [*"0123456789.,/[]-+=aäß√ \t", "hello", "💡", "1e400", "-5"]
BUTTONS = [1, 1, 1, 2, 4]
SIZES = [(1280, 720), (640, 360), (320, 240), (800, 600), (1, 1), (1900, 300)]
BESIDE_MIDDLE = (0, 0), (40, 0), (-40, 0), (0, 40), (0, -40)  # pixels: where Dear ImGui offers docks of a panel


def things_to_drop(folder: Path, simulation: Simulation) -> list[str]:
    """Files of every kind, also wrong ones, and one that is not there; they are written to a folder."""
    shutil.copy(next(path for path in bundled_scenes() if path.stem == "pasture"), folder / "mine.toml")
    (folder / "wrong.toml").write_text("format = 1\n[world]\nsize = [0, -1]\n")
    timeline = Timeline(simulation)
    for _ in range(90):
        timeline.step()
    write_recording(timeline, folder / "past.boids")
    timeline.leave()
    (folder / "torn.boids").write_bytes((folder / "past.boids").read_bytes()[:500])
    return [*("mine.toml", "wrong.toml", "past.boids", "torn.boids", "nowhere.toml", "pond.png", ".")]


class Monkey:
    """What it does next is chosen by `dice`; `dropped`: the files that it drops."""

    def __init__(self, window: FlockWindow, dice: random.Random, dropped: list[str]) -> None:
        self._window, self._dice, self._dropped = window, dice, dropped

    @property
    def _size(self) -> tuple[int, int]:
        """The size that the last event said: a window without a display keeps its own."""
        width, height = self._window.session.camera.screen
        return round(width), round(height)

    def gesture(self) -> Iterator[Event]:
        """Some events that belong together, as far as a monkey's do, or something that no event does by chance."""
        ways: list[Callable[[int, int], Iterator[Event]]] = [
            *[self._press] * 6,
            *[self._wheel] * 2,
            *[self._key] * 4,
            *[self._type] * 2,
            *[self._other] * 2,
            *[self._panel] * 3,
            *[self._dock] * 2,
            self._hide,
            *[self._act] * 2,
        ]
        if isinstance(self._window.session.camera, SpaceCamera):
            ways += [self._look] * 3
        width, height = self._size
        x, y = self._dice.randrange(-5, width + 5), self._dice.randrange(-5, height + 5)
        yield from self._dice.choice(ways)(x, y)

    def switch_mod(self) -> None:
        """Switch a mod on or off, or reload one, as the panel Mods does."""
        modding, dice = self._window.modding, self._dice
        listed = dice.choice(modding.library.listed())
        if listed.id in {mod.id for mod in modding.library.loaded} and dice.random() < 0.3:
            modding.reload(listed.id)
        else:
            modding.switch(listed, dice.random() < 0.6)

    def open_lesson(self) -> None:
        """Open a lesson, as the action palette does."""
        kinds = [kind for kind in self._window.session.app.file_kinds if kind.listed]
        if listed := [path for kind in kinds if kind.listed for _, path in kind.listed(self._window.session)]:
            self._window.filing.open(self._dice.choice(listed))

    def _press(self, x: int, y: int) -> Iterator[Event]:
        yield from self._drag(x, y, self._dice.choice(BUTTONS), self._dice.choice(MODIFIERS))

    def _drag(self, x: int, y: int, button: int, modifiers: int) -> Iterator[Event]:
        dice = self._dice
        yield "on_mouse_motion", x, y, 1, 1
        yield "on_mouse_press", x, y, button, modifiers
        for _ in range(dice.randrange(4)):
            dx, dy = dice.randrange(-90, 90), dice.randrange(-90, 90)
            x, y = x + dx, y + dy
            yield "on_mouse_drag", x, y, dx, dy, button, modifiers
        if dice.random() < 0.95:
            yield "on_mouse_release", x, y, button, modifiers

    def _wheel(self, x: int, y: int) -> Iterator[Event]:
        yield "on_mouse_scroll", x, y, self._dice.choice([0, 0.5]), self._dice.choice([-3, -1, 0.25, 1, 3])

    def _key(self, x: int, y: int) -> Iterator[Event]:
        symbol, modifiers = self._dice.choice(SYMBOLS), self._dice.choice(MODIFIERS)
        yield "on_key_press", symbol, modifiers
        yield "on_key_release", symbol, modifiers

    def _type(self, x: int, y: int) -> Iterator[Event]:
        yield "on_text", self._dice.choice(TEXTS)

    def _other(self, x: int, y: int) -> Iterator[Event]:
        yield self._dice.choice(
            [
                ("on_mouse_motion", x, y, 3, 3),
                ("on_mouse_leave", x, y),
                ("on_mouse_enter", x, y),
                ("on_deactivate",),
                ("on_activate",),
                ("on_file_drop", x, y, self._dice.sample(self._dropped, self._dice.randrange(1, 3))),
                ("on_resize", *self._dice.choice(SIZES)),
            ]
        )

    def _hide(self, x: int, y: int) -> Iterator[Event]:
        """Minimize the window for a frame."""
        yield ("on_hide",)
        yield FRAME
        yield ("on_show",)

    def _look(self, x: int, y: int) -> Iterator[Event]:
        """Turn a world with depth, fly or ride through it, or give it another depth."""
        dice = self._dice
        match dice.randrange(5):
            case 0:
                yield from self._drag(x, y, MIDDLE, dice.choice([0, 0, key.MOD_SHIFT]))
            case 1:
                symbol = dice.choice([key.W, key.A, key.S, key.D, key.PAGEUP, key.PAGEDOWN])
                yield "on_key_press", symbol, 0
                yield from [FRAME] * dice.randrange(1, 6)
                yield "on_key_release", symbol, 0
            case 2:
                yield "on_mouse_motion", x, y, 1, 1
                yield "on_key_press", key.F, key.MOD_SHIFT
                yield "on_key_release", key.F, key.MOD_SHIFT
            case 3:
                symbol = dice.choice([key.NUM_1, key.NUM_3, key.NUM_5, key.NUM_7])
                yield "on_key_press", symbol, 0
                yield "on_key_release", symbol, 0
            case 4:
                self._window.session.submit(SetSetting("depth", dice.choice([0.0, 90.0, 600.0])))
                yield FRAME

    def _act(self, x: int, y: int) -> Iterator[Event]:
        """Do what a menu or the action palette does."""
        chance = self._dice.random()
        if chance < 0.15:
            self.switch_mod()
        elif chance < 0.2:
            self.open_lesson()
        else:
            self._window.session.act(self._dice.choice(sorted(self._window.session.actions)))
        yield "on_mouse_motion", x, y, 1, 1

    def _panel(self, x: int, y: int) -> Iterator[Event]:
        """Press in a panel that is seen, more often in the time bar than in others, and drag or not."""
        shown = self._shown()
        if not shown:
            return
        bars = [window for window in shown if window.name.endswith("###time bar")]
        window = self._dice.choice(bars if bars and self._dice.random() < 0.4 else shown)
        x = round(window.pos.x + self._dice.random() * window.size.x)
        y = round(self._size[1] - window.pos.y - self._dice.random() * window.size.y)
        yield from self._press(x, y)

    def _dock(self, x: int, y: int) -> Iterator[Event]:
        """Drag a panel by its tab to a side of another one, to a side of the window, or anywhere."""
        dice, shown, (width, height) = self._dice, self._shown(), self._size
        if not shown:
            return
        window, other, (aside, down) = dice.choice(shown), dice.choice(shown), dice.choice(BESIDE_MIDDLE)
        begin = round(window.pos.x) + dice.randrange(10, 60), round(height - window.pos.y) - 10
        middle = other.pos.x + other.size.x / 2 + aside, height - other.pos.y - other.size.y / 2 + down
        edge = dice.choice([(30, height / 2), (width - 30, height / 2), (width / 2, 30)])
        end = dice.choice([middle, middle, edge, (x, y)])
        yield "on_mouse_motion", *begin, 1, 1
        yield FRAME
        yield "on_mouse_press", *begin, LEFT, 0
        yield FRAME
        last = begin
        for step in (0.3, 0.7, 1.0, 1.0):
            x, y = (round(start + (stop - start) * step) for start, stop in zip(begin, end, strict=True))
            yield "on_mouse_drag", x, y, x - last[0], y - last[1], LEFT, 0
            yield FRAME
            last = x, y
        yield "on_mouse_release", *last, LEFT, 0

    def _shown(self) -> list[Any]:
        """Dear ImGui's windows of the panels that are seen."""
        self._window.gui.enter()
        names = {panel.name for panel in self._window.session.app.panels}
        windows: list[Any] = [*imgui.get_current_context().windows]
        return [
            window
            for window in windows
            if window.active and not window.hidden and window.name.rpartition("###")[2] in names
        ]
