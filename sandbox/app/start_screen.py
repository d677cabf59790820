"""The window of the first start: the scenes as pictures to choose from, and how far the compilation is.

The scene that a person chooses is compiled and opened first.
"""

from __future__ import annotations

import time
from concurrent.futures import Future, wait
from math import ceil
from threading import Thread

import arcade
import pyglet
from arcade import Texture, key

from sandbox.app.drawing.letters import FONTS
from sandbox.app.preferences import read_preferences
from sandbox.app.window_size import usual_size
from sandbox.language import set_language, translate
from sandbox.scenes.bundled import bundled_scenes, picture_of
from sandbox.scenes.headline import headline
from sandbox.terminal import compile_kernels
from sandbox.warm_up import note_ready, ready_scenes, steps

GROUND, INK, FAINT, LIT = (13, 20, 28, 255), (233, 238, 242, 255), (142, 158, 170, 255), (102, 178, 255, 255)
BAR = (38, 50, 62, 255)
COLUMNS, ASPECT, GAP = range(4, 9), 16 / 9, 8
NAME, ROOMY = 18, 480  # pixels: height of the name below a picture; a lower window shows no names
FOOT = 130  # pixels below the pictures
EDGE = 3  # pixels around the chosen picture
FRAME = 0.03  # s between two frames
SURE = 0.1  # share from which on the time left is estimated
STEPS = {key.LEFT: (-1, 0), key.RIGHT: (1, 0), key.UP: (0, -1), key.DOWN: (0, 1)}  # columns, rows


class ClosedError(KeyboardInterrupt):
    """A person closed the window of the first start; the program ends without a word."""


class ChosenError(KeyboardInterrupt):
    """A person chose another scene, which is to be opened instead of the one that is being opened.

    Attributes:
        scene: its name.
    """

    def __init__(self, scene: str) -> None:
        self.scene = scene


class StartScreen(arcade.Window):
    """A window with the pictures of the scenes and a bar.

    Attributes:
        scene: the name or file of the scene that is compiled, and opened first; a person may choose another.
        share, what: the share that is done, and what is being done.
        began: when the work began, s.
    """

    def __init__(self, scene: str = "", size: tuple[int, int] | None = None, *, choose: bool = True) -> None:
        """`choose`: whether a person may choose another scene."""
        super().__init__(*(size or usual_size()), "boids", resizable=True, vsync=True)
        pyglet.font.add_file(str(FONTS / "Roboto" / "Roboto-Regular.ttf"))
        self.share, self.what, self.is_closing, self.began = 0.0, "", False, time.monotonic()
        self.scene, self._may_choose = scene, choose
        paths = [path for path in bundled_scenes() if picture_of(path).is_file()]
        self._names = [path.stem for path in paths]
        self._pictures: list[Texture] = [arcade.load_texture(picture_of(path)) for path in paths]
        self._titles = [arcade.Text(headline(path).name, 0, 0, FAINT, 9, font_name="Roboto") for path in paths]
        self._ready = ready_scenes()
        self._pointed = self._at  # the picture under the mouse, or reached by the arrow keys
        self._boxes: list[arcade.Rect] = []
        self._columns = COLUMNS[0]
        self._shown: tuple[object, ...] = ()  # what the last frame was drawn from

    @property
    def _at(self) -> int | None:
        """The number of the picture of the chosen scene; None if it is none of these."""
        return self._names.index(self.scene) if self.scene in self._names else None

    # ---- events

    def on_close(self) -> None:
        self.is_closing = True

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        inside = (index for index, box in enumerate(self._boxes) if box.point_in_rect((x, y)))
        self._pointed = next(inside, None)

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        self.on_mouse_motion(x, y, 0, 0)
        self._choose()

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        if symbol in STEPS:
            right, down = STEPS[symbol] if self._pointed is not None else (0, 0)
            index = (self._pointed or 0) + right + down * self._columns
            self._pointed = index if 0 <= index < len(self._names) else self._pointed
        elif symbol in (key.ENTER, key.NUM_ENTER, key.SPACE):
            self._choose()

    def _choose(self) -> None:
        if self._may_choose and self._pointed is not None and self._names[self._pointed] != self.scene:
            self.scene, self.began = self._names[self._pointed], time.monotonic()
            self.share, self.what = 0.0, ""

    # ---- frames

    def close(self) -> None:
        if self.closed:
            return  # pyglet closes a window again when it is freed, and arcade would forget the one that is open then
        super().close()
        pyglet.clock.unschedule(self._dispatch_frame)  # arcade 3.3 does not, and its clock would keep the window alive

    def show(self) -> None:
        """Answer the system, and draw a frame if there is something new: drawing takes time from compiling."""
        self.dispatch_events()
        shows = (round(200 * self.share), self.scene, self._pointed, self.get_size(), int(time.monotonic()))
        if shows == self._shown:
            return
        self._shown = shows
        self.ctx.screen.use()
        self.default_camera.use()
        self.clear(GROUND)
        self._draw_pictures()
        self._draw_progress(time.monotonic() - self.began)
        self.flip()

    def _width_in(self, columns: int, name: float) -> float:
        """Return how wide pictures can be in so many columns, with their gap; `name`: pixels below each."""
        rows = max(ceil(len(self._pictures) / columns), 1)
        wide: float = min((self.width - GAP) / columns, ((self.height - FOOT - GAP) / rows - name) * ASPECT)
        return wide

    def _draw_pictures(self) -> None:
        """Draw the pictures in rows, as large as there is room for them."""
        name = NAME if self.height >= ROOMY else 0
        wide, self._columns = max((self._width_in(columns, name), -columns) for columns in COLUMNS)
        self._columns *= -1
        wide = max(wide, 2 * GAP)
        tall = wide / ASPECT + name
        left = (self.width - wide * self._columns) / 2
        self._boxes = []
        for index, (picture, title) in enumerate(zip(self._pictures, self._titles, strict=True)):
            row, column = divmod(index, self._columns)
            x, top = left + (column + 0.5) * wide, self.height - GAP - row * tall
            box = arcade.XYWH(x, top - (wide / ASPECT - GAP) / 2, wide - GAP, wide / ASPECT - GAP)
            self._boxes.append(box)
            chosen, pointed = index == self._at, index == self._pointed and self._may_choose
            if chosen or pointed:
                around = arcade.XYWH(x, box.y, box.width + 2 * EDGE, box.height + 2 * EDGE)
                arcade.draw_rect_filled(around, LIT if chosen else FAINT)
            arcade.draw_texture_rect(picture, box)
            if not name:
                continue
            title.x, title.y = round(box.left), round(box.bottom - NAME + 5)
            title.color = LIT if chosen else INK if self._names[index] in self._ready else FAINT
            title.draw()
            if self._names[index] in self._ready:
                _tick(title.x + title.content_width + 8, title.y + 4)

    def _draw_progress(self, seconds: float) -> None:
        x, wide = self.width / 2, min(0.6 * self.width, 640)
        title = translate("The first start: compiling for this computer. Later starts take two seconds.")
        self._line(title, 96, 15, INK)
        if self._may_choose:
            name = self._titles[self._at].text if self._at is not None else self.scene
            hint = translate(
                "{name} opens first. Click another picture, or choose with arrow keys and Enter.", name=name
            )
            self._line(hint, 74, 10)
        arcade.draw_rect_filled(arcade.LBWH(x - wide / 2, 52, wide, 6), BAR)
        arcade.draw_rect_filled(arcade.LBWH(x - wide / 2, 52, max(wide * self.share, 1), 6), LIT)
        text = self.what
        if self.share > SURE:
            left = ceil(seconds / self.share * (1 - self.share))
            text = translate("{what}, about {seconds} s left", what=self.what, seconds=left)
        self._line(text, 24, 10)

    def _line(self, words: str, y: int, size: float, colour: tuple[int, int, int, int] = FAINT) -> None:
        """Write a line in the middle, smaller where the window is too narrow for it."""
        text = arcade.Text(words, self.width / 2, y, colour, size, font_name="Roboto", anchor_x="center")
        text.font_size = size * min((self.width - 2 * GAP) / max(text.content_width, 1), 1)
        text.draw()


def _tick(x: float, y: float) -> None:
    """Draw the mark of a scene whose kernels are compiled."""
    arcade.draw_line_strip([(x, y), (x + 3, y - 3), (x + 9, y + 4)], LIT, 2)


def compile_in_window(scene: str, size: tuple[int, int] | None = None, *, choose: bool = True) -> str:
    """Compile what a scene needs, and show the progress in a window.

    Args:
        choose: whether a person may choose another scene.
    Returns:
        The scene that a person has chosen, which was compiled instead; else `scene`.
    Raises:
        ClosedError: the window was closed before.
    """
    set_language(read_preferences()[0].language)
    try:
        window = StartScreen(scene, size, choose=choose)
    except Exception:  # pyglet has many; the window of the world will say why there can be none
        compile_kernels(scene)
        return scene

    begun = Future[None]()

    def work() -> None:
        try:
            while not compiled(window.scene):
                pass
        except BaseException as error:
            begun.set_exception(error)
        else:
            begun.set_result(None)

    def compiled(scene: str) -> bool:
        """Compile what a scene needs; return False if a person has chosen another one meanwhile."""
        for window.share, window.what in steps(scene):
            if window.is_closing:
                return True
            if window.scene != scene:
                return False
        return window.scene == scene

    try:
        # Daemonic, so that Ctrl+C does not wait for its end.
        Thread(target=work, name="compiling", daemon=True).start()
        while not begun.done():
            window.show()
            wait([begun], FRAME)
        begun.result()
    finally:
        window.close()
    if window.is_closing:
        raise ClosedError
    note_ready(window.scene)
    return window.scene
