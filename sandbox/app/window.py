"""The window: runs and draws a session, frame after frame.

`input`: events ── panels, tools, actions ── commands ── clock ── whole ticks ── painter.take ── every frame:
painter.draw, overlays, panels
"""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import arcade
import pyglet
from arcade.gl import Framebuffer
from platformdirs import user_state_path
from pyglet import gl

from components.store.world import World
from sandbox.app.ambience import Ambience
from sandbox.app.ambient import Ambient
from sandbox.app.beside import Beside
from sandbox.app.controls.keys import wrong_keys
from sandbox.app.document.again import Make, Shown, simulation_of
from sandbox.app.document.document import Document
from sandbox.app.document.view import View
from sandbox.app.drawing.driver import draws_in_software
from sandbox.app.drawing.offscreen import Offscreen
from sandbox.app.drawing.painter import Painter, glows
from sandbox.app.drawn_world import DrawnWorld
from sandbox.app.files import native_dialog
from sandbox.app.files.asking import Asking
from sandbox.app.files.autosave import Autosave
from sandbox.app.files.filing import Filing
from sandbox.app.gui.gui import Gui
from sandbox.app.gui.looks import Looks
from sandbox.app.gui.moments import Moments
from sandbox.app.gui.previews import Previews
from sandbox.app.gui.textures import Textures
from sandbox.app.gui.window_events import FRAMES_AWAKE
from sandbox.app.heap import give_back_gaps
from sandbox.app.hearing import FRAME_EVENTS, Hearing
from sandbox.app.input import Input
from sandbox.app.jobs.jobs import Jobs
from sandbox.app.measuring.frame_times import PANELS, TICKS, WORLD, WORLD_ARRAYS
from sandbox.app.messages import SECONDS, Messages
from sandbox.app.mod_parts import ModParts
from sandbox.app.overlays.overlays import Overlays
from sandbox.app.pace import Pace
from sandbox.app.parts import BUILT_IN
from sandbox.app.preferences import Preferences, read_preferences, settings_file
from sandbox.app.preferences_keeper import Keeper
from sandbox.app.questions import Question, nothing
from sandbox.app.session.action import key_of
from sandbox.app.session.hand import Hand
from sandbox.app.session.modding import Modding
from sandbox.app.session.services import Services
from sandbox.app.session.session import Session
from sandbox.app.shots import Shots
from sandbox.app.tools.erase import Eraser
from sandbox.app.tools.pick import Pick
from sandbox.app.window_size import usual_size
from sandbox.files import is_recording
from sandbox.language import set_language, translate
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.run.running_mods import RunningMods
from sandbox.opening import is_own_scene
from sandbox.simulation import Simulation
from systems.engine.app import installed

SMALLEST = 320, 240  # pixels
FRAMES_REMEMBERED = 0.9  # weight of the old value in the moving average of the frame time
USUAL_DPI = 96
X11_LEFT_TAB = pyglet.window.key.user_key(23)  # pyglet's symbol for Shift+Tab on X11: the raw key code


class FlockWindow(arcade.Window):
    """A window that shows one session."""

    session: Session
    shots: Shots
    filing: Filing
    autosave: Autosave

    # pyglet accepts dropped files only with this argument, and arcade.Window does not pass it on.
    _file_drops = property(lambda self: True, lambda self, value: None)
    _ready = False  # events already come while the window is being made

    def __init__(
        self,
        shown: Shown,
        again: Make,
        size: tuple[int, int] | None = None,
        antialiasing: bool | None = None,
        preferences: Preferences | None = None,
        file: Path | None = None,
        library: Library | None = None,
        running: RunningMods | None = None,
    ) -> None:
        """Open the window on a simulation, or on one with its past; `again` makes it again, for restarting.

        Args:
            size: pixels; default: most of the screen.
            antialiasing: of the world; default: unless the driver draws with the processor.
            file: the file that the simulation was opened from.
            preferences: used instead of the settings file, and not written.
            library: the mods of this session; default: no mods.
            running: records which mods run until the window closes.
        """
        super().__init__(*(size or usual_size()), "boids", resizable=True, vsync=True, antialiasing=False)
        self.set_minimum_size(*SMALLEST)
        smooth = antialiasing if antialiasing is not None else not draws_in_software(self.ctx)
        self.painter, self.offscreen = Painter(self.ctx, self.glows), Offscreen(self.ctx, smooth=smooth)
        self.gui = Gui(self.ctx, self.get_size(), self._desktop_scale())
        if not self.headless:
            self.gui.use_clipboard(self.get_clipboard_text, self.set_clipboard_text)
        wrong, self.keeper, is_new = "", None, False
        if preferences is None:
            is_new = not settings_file().exists()
            preferences, wrong = read_preferences()
            self.keeper = Keeper(preferences)
        wrong_language = set_language(preferences.language)
        app, messages = installed(BUILT_IN), Messages()
        asking = Asking(natively=not self.headless and native_dialog.is_there())
        document, view = Document(shown, again, messages), View(simulation_of(shown))
        view.welcomes = is_new
        if file is not None and is_own_scene(file):
            document.file = file.absolute()
            document.folder = document.file.parent
        elif file is not None and is_recording(file):
            document.source = file.absolute()
        library = library or Library(Trust())
        self.modding = Modding(document, messages, asking, library, running or RunningMods())
        self.jobs = Jobs(messages)
        self.filing = Filing(document, view, messages, asking, library, self.jobs, self.show, self.leave)
        self.previews = Previews(self.ctx, self.gui.renderer, self.glows, self.jobs)
        self.moments = Moments(self.ctx, self.gui.renderer, self.glows, self.jobs)
        pictures = Textures(self.ctx, self.gui.renderer)
        services = Services(
            messages,
            asking,
            self.filing,
            self.modding,
            self.jobs,
            self.glows,
            pictures.of,
            pictures.sketch,
            self.previews.of,
            self.moments.of,
            lambda *chosen: self.looks.of(self.session, *chosen),
            screenshot=lambda: self.shots.picture(self.get_pixel_ratio()),
            copy_picture=lambda: self.shots.copy(self.get_pixel_ratio()),
            toggle_panels=self._toggle_panels,
            begin_ambient=self.begin_ambient,
            switch_full_screen=lambda: self.set_fullscreen(not self.fullscreen),
        )
        self.session = Session(document, view, services, Hand(app.tools, Eraser(), Pick()), app, preferences)
        self.mod_parts = ModParts(self.session)
        kept = user_state_path("boids-sandbox", appauthor=False) / "autosave"
        self.autosave = Autosave(kept, messages.warn, self.jobs)
        self.pace = Pace(None if self.headless else self.screen)
        self._leaving, self._shown_title = False, ""
        self._ambient: Ambient | None = None
        self._keep_world = False
        self._asked: Question | None = None
        self._world_was_replaced = False
        self.overlays = Overlays(self.ctx, self.session.app.overlays)
        self.world = DrawnWorld(self.session, self.painter, self.overlays)
        self.beside = Beside(self.ctx, [*self.session.app.overlays], self.glows)
        self.looks = Looks(self.ctx, self.gui.renderer, self.world)
        self.shots = Shots(self.world)
        for sentence in (wrong, wrong_language, *wrong_keys(self.session.actions, preferences)):
            if sentence:
                messages.warn(sentence, 15)
        self._frame_seconds = 1 / 60
        self.input = Input(self, self.gui, self.session)
        self.push_handlers(self.input)
        self.ambience = Ambience(audible=not self.headless)
        self._hearing = Hearing(self.input)
        self.session.playback.run_in_thread(self._prepare)
        self.session.camera.resize(*self.get_size())
        self.show(document.timeline, again)
        self._set_interval(self.pace.interval)
        self._ready = True
        gc.freeze()

    @property
    def simulation(self) -> Simulation:
        return self.session.simulation

    def glows(self) -> bool:
        """Return whether backdrops of night and space glow."""
        return glows(self.ctx, self.session.preferences.glow)

    def show(self, shown: Shown, again: Make) -> None:
        """Show another simulation, or one with its past, and close the previous one."""
        before = self.session.document.timeline
        self.session.show(shown, again)
        self.moments.forget()
        self.mod_parts.pass_time(0.0)
        self.world.take()
        self.autosave.begin_with(self.session.document.timeline)
        if before.simulation is not self.simulation:
            before.close()
            self._world_was_replaced = True

    def _free_previous_world(self) -> None:
        """Free the previous world, between two frames, when no caller holds a reference any more.

        The objects of the shown world are frozen, because a full garbage collection over the handles of 100,000 boids
        takes a visible tenth of a second. But frozen objects are never freed, so unfreeze them for this collection.
        """
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        give_back_gaps()
        self._world_was_replaced = False

    # ---- frames

    def on_update(self, delta_time: float) -> None:
        session = self.session
        if self._leaving:
            super().on_close()
            return
        if self._world_was_replaced:
            self._free_previous_world()
        self.gui.enter()
        if self.mod_parts.pass_time(delta_time):
            self.pace.wake()
        before = self.simulation
        with session.view.frame_times.of(TICKS):
            changed = session.advance(0.0 if self.pace.hidden else delta_time)
        for event in self._hearing.missed():
            self.dispatch_event(*event)
        self._world_was_replaced |= self.simulation is not before
        if changed or session.playback.due:
            with session.view.frame_times.of(WORLD_ARRAYS):
                self.world.take()
        self.beside.take(session)
        self.ambience.frame(session, self.pace.hidden)
        self.jobs.frame()
        session.watch()
        self.input.pass_time(delta_time)
        session.view.glide.pass_time(delta_time)
        session.view.pops.pass_time(delta_time)
        changed |= session.view.placed.pass_time(delta_time)
        self.autosave.pass_time(delta_time, session.document.timeline)
        self._tell_title()
        session.messages.pass_time(delta_time)
        if self.keeper:
            self.keeper.pass_time(delta_time, session.messages)
        self.gui.pass_time(delta_time)
        session.playback.begin_long_tick()
        self._keep_pace(delta_time, changed)

    def _keep_pace(self, seconds: float, changed: bool) -> None:
        """Set the interval to the next frame."""
        session = self.session
        if not self.pace.rests:
            self._frame_seconds += (1 - FRAMES_REMEMBERED) * (seconds - self._frame_seconds)
            session.view.frames_per_second = 1 / max(self._frame_seconds, 1e-6)
        runs = not session.clock.paused and not session.asking.waits
        if not self.previews.moves:
            self.previews.forget()
        works = self.jobs.news or self.previews.moves or session.asking.by_others
        moves = runs or changed or session.messages.shown or works or self.input.holds
        asked, self._asked = self._asked, session.asking.question
        self.pace.pass_time(seconds, bool(moves) or asked is not session.asking.question)
        self._set_interval(self.pace.interval)

    def _set_interval(self, seconds: float) -> None:
        if seconds != self._update_rate:
            self.set_update_rate(seconds)
            self.set_draw_rate(seconds)

    def dispatch_event(self, *event: Any) -> Any:
        """Dispatch an event, or defer or drop it; one that is dispatched wakes `pace`, unless it is that of a frame."""
        if event[1:2] == (X11_LEFT_TAB,):
            event = (event[0], pyglet.window.key.TAB, *event[2:])
        if self._ready and self._hearing.puts_off(event):
            return None
        if self._ready and event[0] not in FRAME_EVENTS:
            self.pace.hidden = {"on_hide": True, "on_show": False}.get(event[0], self.pace.hidden)
            self.pace.wake()
            self._set_interval(self.pace.interval)
        return super().dispatch_event(*event)

    def draw(self, dt: float) -> None:
        """Draw and show a frame, unless it would be the same as the last one or the window is hidden."""
        if not self.pace.rests:
            super().draw(dt)

    def _prepare(self, simulation: Simulation, world: World) -> None:
        """Prepare what is drawn and measured after a tick, in its thread; `world`: a copy that will be shown."""
        if simulation is self.simulation:
            self.painter.prepare(simulation, world)
        else:
            self.beside.prepare(simulation, world)
        self.session.document.prepare(simulation, world)

    def on_draw(self) -> None:
        self.ctx.screen.use()
        session, ratio = self.session, self.get_pixel_ratio()
        session.view.frame_times.frames += 1
        with session.view.frame_times.of(PANELS):
            self.gui.make(session, ratio)  # before the world, which is fitted into the area that panels leave free
        self.ctx.screen.use()
        with session.view.frame_times.of(WORLD):
            with self.offscreen.drawn_into(self.ctx.screen.size) as target:
                self._draw_world(target, ratio)
            self.offscreen.show()
            gl.glFlush()  # so that a driver with a thread of its own draws it there, and not here, when panels come
        with session.view.frame_times.of(PANELS):
            self.gui.draw()

    def _draw_world(self, target: Framebuffer, ratio: float) -> None:
        """Draw the world where no panel covers it, or both worlds in Compare, each in its half."""
        session, alpha = self.session, self.session.clock.alpha
        target.clear(color_normalized=self.gui.theme.panel)  # it is seen between panels
        comparison, camera = session.document.comparison, session.view.glide.shown(session.camera)
        if comparison is not None:
            away = session.camera.to_other_half(comparison.works_right, comparison.stacked)
            target.scissor = _scaled(session.camera.uncovered(away), ratio)
            self.beside.draw(session, comparison, camera, alpha, ratio)
        target.scissor = _scaled(session.camera.uncovered(), ratio)
        self.world.draw(camera, alpha, ratio, in_hand=True)

    def on_resize(self, width: int, height: int) -> None:
        self.session.camera.resize(width, height)
        self.gui.resize(width, height)

    def on_close(self) -> None:
        self.filing.quit()

    def end(self) -> None:
        """Close without asking, because a signal ends the program; unsaved changes are offered at the next start."""
        self._keep_world = True
        self._leave_soon()

    def leave(self) -> None:
        """Close the window, unless a person is asked first and stays."""
        lost = self.jobs.losses
        if not lost:
            self._leave_soon()
            return
        answers = [("Leave", self._leave_soon), ("Stay", nothing)]
        question = Question("Quit now?", "\n".join(map(translate, lost)), answers, by_enter=False)
        self.session.ask(question, first=True)

    def _leave_soon(self) -> None:
        """Close at the next frame, because answers of questions are called in the middle of a frame."""
        self._leaving = True
        if self._ambient is not None:
            self._ambient.end_soon()  # it keeps frames from the window

    def close(self) -> None:
        if self.closed:
            return  # pyglet closes a window again when it is freed, possibly while Python exits
        if self._ambient is not None:
            self._ambient.end()
        self.session.playback.close()
        self.ambience.close()
        self.session.asking.end_dialog()
        self.gui.keep(self.session.preferences)
        self._keep_world |= self.jobs.finish()
        if self.keeper:
            self.keeper.write(self.session.messages)
        if self._keep_world and self.session.document.unsaved.some:
            self.autosave.keep(self.session.document.timeline)
        else:
            self.autosave.close()
        self.moments.forget()
        self.previews.forget()
        self.jobs.close()
        self.modding.close()
        self.gui.close()
        super().close()
        pyglet.clock.unschedule(self._dispatch_frame)  # arcade 3.3 does not, and its clock would keep the window alive
        gc.unfreeze()

    def _tell_title(self) -> None:
        if self.session.document.caption != self._shown_title:
            self._shown_title = self.session.document.caption
            self.set_caption(self._shown_title)

    def _desktop_scale(self) -> float:
        """Return the desktop's scale of text, relative to the pixel ratio."""
        return float(max(self.dpi / USUAL_DPI / self.get_pixel_ratio(), 1.0))

    # ---- callbacks of actions

    def begin_ambient(self) -> None:
        """Show the scenes over the whole screen until a key is pressed; the present world stands still meanwhile."""
        self.session.hand.let_go(self.session)
        self.ambience.frame(self.session, hidden=True)
        still = self.session.preferences.reduce_motion
        self._ambient = Ambient(self, self.painter, still, self.jobs, self._end_ambient)

    def _end_ambient(self) -> None:
        self._ambient = None
        self.simulation.world.enter()
        self.world.take()
        self.gui.events.awake = FRAMES_AWAKE

    def _toggle_panels(self) -> None:
        self.gui.events.hidden = not self.gui.events.hidden
        session = self.session
        session.messages.withdraw("panels")
        if self.gui.events.hidden and (key := key_of(session.actions["hide"], session.preferences)):
            text = translate("Panels and menu are hidden. Press {keys} to show them again.", keys=key)
            session.messages.say(text, 2 * SECONDS, about="panels")

    def on_file_drop(self, x: int, y: int, paths: list[str]) -> None:
        for path in paths[:1]:  # a list of dropped files may be empty
            self.filing.open(Path(path))
        if len(paths) > 1:
            self.session.messages.warn("only the first of the files is opened")


def _scaled(area: tuple[int, int, int, int], ratio: float) -> tuple[int, ...]:
    """Return an area of the screen in pixels of the framebuffer."""
    return tuple(int(side * ratio) for side in area)
