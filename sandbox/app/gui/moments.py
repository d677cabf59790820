"""Draws small pictures of keyframes from a spare simulation, and the tooltip of the time bar that shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from arcade import ArcadeContext
from imgui_bundle import imgui

from sandbox.app.drawing.offscreen import Offscreen
from sandbox.app.drawing.painter import Painter
from sandbox.app.drawing.picture import camera_on
from sandbox.app.gui.renderer import Renderer
from sandbox.app.gui.ui import Ui
from sandbox.app.jobs.job import Job
from sandbox.app.jobs.jobs import Jobs
from sandbox.past.keyframe import Keyframe
from sandbox.simulation import Simulation

LONG_SIDE = 192  # pixels
TIMES = 2  # drawn larger by this factor each way, because text may be
WIDEST = 0.4  # maximum width of a picture as a share of the window's
FADED = 0.3  # opacity of a picture that does not yet show the wanted moment


class Moment(NamedTuple):
    """A picture, upside down, and its width and height, pixels; `is_of_it`: it shows the wanted keyframe."""

    picture: imgui.ImTextureRef
    size: tuple[int, int]
    is_of_it: bool


class Moments:
    """Draws one picture at a time; keeps its simulation and painter until another world is shown.

    Keyframes are restored in a thread.
    """

    def __init__(self, context: ArcadeContext, renderer: Renderer, glow: Callable[[], bool], jobs: Jobs) -> None:
        self._context, self._glow, self._jobs = context, glow, jobs
        self._spare: Simulation | None = None
        self._job: Job | None = None  # while it goes on, the spare simulation is in its hands
        self._painter: Painter | None = None
        self._target = Offscreen(context)
        self._picture = renderer.picture(self._target.texture)
        self.forget()

    def forget(self) -> None:
        """Free the simulation and the painter because another world is shown."""
        if self._job is not None:
            self._jobs.cancel(self._job)
        if self._spare is not None:
            self._spare.close()
        self._job = self._spare = self._painter = None
        self._moment: Moment | None = None
        self._restored: Keyframe | None = None
        self._drawn: Keyframe | None = None

    def of(self, keyframe: Keyframe, shown: Simulation) -> Moment | None:
        """Return the picture of a keyframe, or the previous picture until it is drawn; None if there is none yet.

        Args:
            shown: the simulation in the window, whose world is made esper's current one again.
        """
        if self._spare is not None and self._restored is not self._drawn:
            self._moment, self._drawn = self._draw(self._spare), self._restored
            shown.world.enter()
        if keyframe is not self._drawn and self._job is None:
            self._begin(keyframe)
        return self._moment and self._moment._replace(is_of_it=keyframe is self._drawn)

    def _begin(self, keyframe: Keyframe) -> None:
        """Begin to restore a keyframe in the spare simulation, or in another one if it uses other mods."""
        before, self._spare = self._spare, None

        def restore() -> Simulation:
            spare = keyframe.restore(before) if before else keyframe.simulation()
            if before is not None and before is not spare:
                before.close()
            return spare

        def take(spare: Simulation) -> None:
            self._job, self._spare, self._restored = None, spare, keyframe

        self._job = self._jobs.begin("", restore, take, lane="pictures", drop=Simulation.close)

    def _draw(self, spare: Simulation) -> Moment:
        self._painter = self._painter or Painter(self._context, self._glow)
        self._painter.take(spare)
        camera = camera_on(spare, long_side=LONG_SIDE)
        with self._target.drawn_into((TIMES * camera.screen[0], TIMES * camera.screen[1])):
            self._painter.draw(camera, 1.0, TIMES)
        return Moment(self._picture, camera.screen, True)


def tell(words: str, moment: Moment | None, x: float, low: float, ui: Ui) -> None:
    """Draw a tooltip with an optional picture above the words, clamped to the window, with its lower edge at `low`."""
    (text, _), screen = ui.size(words), imgui.get_io().display_size.x
    wide, high = moment.size if moment else (0.0, 0.0)
    size = min(ui.scale, WIDEST * screen / wide) if moment else 1.0
    room = max(text, wide * size)
    half = room / 2 + 2 * imgui.get_style().window_padding.x
    x = min(max(x, half), max(screen - half, half))
    imgui.set_next_window_pos((x, low), imgui.Cond_.always, (0.5, 1.0))
    with ui.tooltip():
        left = imgui.get_cursor_pos_x()
        if moment:
            shade = 1, 1, 1, 1 if moment.is_of_it else FADED
            imgui.set_cursor_pos_x(left + (room - wide * size) / 2)
            imgui.image_with_bg(moment.picture, (wide * size, high * size), (0, 1), (1, 0), tint_col=shade)
        imgui.set_cursor_pos_x(left + (room - text) / 2)
        ui.verbatim(words)
