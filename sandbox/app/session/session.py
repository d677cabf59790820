"""The session that panels, tools, overlays and actions get: a document, a view of it, and the window's services.

They may read the world, but change it only by `submit`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from sandbox.app.document.again import Make, Shown
from sandbox.app.document.comparison import KEEPS
from sandbox.app.document.document import Document
from sandbox.app.document.view import View, ridden
from sandbox.app.drawing.any_camera import AnyCamera, first_view
from sandbox.app.drawing.camera import Camera
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.messages import SECONDS, STANDING
from sandbox.app.preferences import Preferences
from sandbox.app.questions import Answers, Question
from sandbox.app.session.action import actions_of, key_of
from sandbox.app.session.file_kind import dialog_kinds, kind_of
from sandbox.app.session.hand import Hand
from sandbox.app.session.in_past import InPast
from sandbox.app.session.memories import copy_memories
from sandbox.app.session.playback import Playback
from sandbox.app.session.services import Services
from sandbox.clock import SECOND, Clock
from sandbox.edit import Command, CommandQueue
from sandbox.language import translate
from sandbox.past.views import Seen, SeenInSpace, Watch
from sandbox.simulation import Simulation
from systems.engine.app import App
from systems.engine.settings import Settings


class Session:
    """A document, its view, the services of the window, and the installed parts.

    Attributes:
        app: all installed panels, tools, overlays, charts and actions.
        actions: all actions by name, also those that toggle panels and overlays and take tools.
        acted: how often each action was done, by its name.
        hand: holds the current tool.
        playback: lets time pass, and moves through the recording.
        messages, asking, selection, shown: short for those of `services`, `document` and `view`.
    """

    def __init__(
        self, document: Document, view: View, services: Services, hand: Hand, app: App, preferences: Preferences
    ) -> None:
        self.document, self.view, self.services, self.hand = document, view, services, hand
        self.app, self.preferences = app, preferences
        self.actions = actions_of(app)
        self.acted: Counter[str] = Counter()
        self.messages, self.asking = services.messages, services.asking
        services.filing.others, services.filing.open_other = lambda: dialog_kinds(app.file_kinds), self._open_other
        self.selection, self.shown = document.selection, view.shown
        self._missed_panels: set[str] = set()  # were open when their mod was removed
        self._missed_overlays: set[str] = set()
        self.playback = Playback(document, view)
        self._watch = Watch()
        self._in_past = InPast()
        self._about_mod: Question | None = None  # which keeps a tick from ending
        self._told_tick: int | None = None  # the reported tick at which the replay differs from the recording
        self._shown_at: tuple[object, ...] = ()  # identifies the state of the world at the end of the last frame
        self._has_trails = False  # the setting of the world, as it was last seen
        self._begun: list[Any] = []  # the parts whose `begin` was called for the world that is shown
        self._begin()

    @property
    def simulation(self) -> Simulation:
        return self.document.simulation

    @property
    def camera(self) -> AnyCamera:
        return self.view.camera

    @property
    def clock(self) -> Clock:
        return self.view.clock

    @property
    def capture(self) -> Callable[[str], None] | None:
        """The function that gets the next key instead of the key's action; it must be set again in every frame."""
        return self.asking.capture

    @capture.setter
    def capture(self, take: Callable[[str], None] | None) -> None:
        self.asking.capture = take

    def _open_other(self, path: Path) -> bool:
        """Open a file of a kind that is opened otherwise than worlds; return whether it is of one."""
        if (kind := kind_of(path, self.app.file_kinds)) is not None:
            kind.open(self, path)
        return kind is not None

    def submit(self, command: Command, *, joins: bool = False) -> bool:
        """Submit a command; return whether it was accepted, else show a message that says why not.

        Args:
            joins: whether it is undone together with the previous command.
        """
        return self.document.submit(command, joins=joins)

    def ask(self, question: Question, *, first: bool = False) -> None:
        """Ask a question after those that wait, or before them if `first`, in place of one with the same title.

        While a question is open, time is stopped, and a drag in progress ends.
        """
        self.asking.ask(question, first=first)

    def act(self, name: str) -> None:
        """Do an action by its name, if it is available."""
        self.suit()
        action = self.actions[name]
        if action.available(self):
            action.do(self)
            self.acted[name] += 1

    def with_key(self, words: str, name: str) -> str:
        """Return words about an action, followed by its key: "pause (Space)"."""
        key = key_of(self.actions[name], self.preferences)
        return f"{translate(words)} ({key})" if key else translate(words)

    def show(self, shown: Shown, again: Make) -> None:
        """Show another simulation, or one with its past."""
        self.hand.reset(self)
        if again is not self.document.again:
            self.hand.forget_choices()  # they were made for another scene
        self.document.show(shown, again)
        self.view.show(self.simulation)
        self.playback.reset()
        self._in_past.begin()
        if (tick := self.document.timeline.opens_at) is not None:  # a recording opens paused at this tick
            self.clock.paused = True
            self.playback.go(tick)
        self._told_tick = None
        self._shown_at = ()
        self._begin()

    def _show_trails(self) -> None:
        """Show or hide trails where the world's setting has changed; otherwise it is up to the person."""
        trails = self.simulation.world.resource(Settings).trails
        if trails != self._has_trails:
            self._has_trails = trails
            (self.shown.add if trails else self.shown.discard)("trails")

    def _begin(self, *, known: Sequence[Any] = ()) -> None:
        """Call `reset` of all parts except those in `known`."""
        self._begun = [*self.app.panels, *self.app.tools, *self.app.overlays]
        for part in self._begun:
            if not any(part is other for other in known):
                part.reset(self)

    def replace_parts(self, app: App) -> None:
        """Replace the installed panels, tools, overlays, charts, actions and scenes.

        Removed panels are closed and removed overlays hidden until one of the same name is installed again. Must be
        called between two frames, because the lists of `app` are changed in place.
        """
        panels, overlays = {panel.name for panel in self.app.panels}, {overlay.name for overlay in self.app.overlays}
        for kind in fields(App):
            getattr(self.app, kind.name)[:] = getattr(app, kind.name)
        self.actions = actions_of(self.app)
        now = {panel.name for panel in self.app.panels}, {overlay.name for overlay in self.app.overlays}
        back = (self._missed_panels & now[0]) - {*self.preferences.open}, self._missed_overlays & now[1]
        gone = (panels - now[0]) & {*self.preferences.open}, (overlays - now[1]) & self.shown
        self.preferences.open[:] = [*(name for name in self.preferences.open if name not in gone[0]), *sorted(back[0])]
        self.shown.update(back[1])
        self.shown.difference_update(gone[1])
        self._missed_panels = (self._missed_panels | gone[0]) - back[0]
        self._missed_overlays = (self._missed_overlays | gone[1]) - back[1]
        self.hand.put_down_what_is_gone(self)
        self._begin(known=self._begun)

    def compare(self) -> None:
        """Start Compare with a copy of the present world, or end it with the first one, the left."""
        if self.document.comparison is not None:
            self.end_comparison()
            return
        self.hand.let_go(self)
        self.document.compare(True)
        copy_memories(*(timeline.simulation for timeline in self.document.timelines))

    def end_comparison(self, *, right: bool = False) -> None:
        """End Compare with the left or the right world; if anything happened in the other one, it stays as a branch."""
        ended = self.document.comparison
        if ended is None:
            return
        self.hand.let_go(self)
        if ended.works_right != right:
            self.work_on(right)
        self.document.compare(False)
        if ended.timeline.branch in self.document.timeline.recording.branches:
            self.messages.say(KEEPS[ended.stacked][right], 2 * SECONDS)

    def work_on(self, right: bool) -> None:
        """In Compare, make the right or the left world the current one."""
        self.hand.let_go(self)
        self.document.work_on(right)
        self.suit()
        self._shown_at = ()
        self._begin()

    def follow(self) -> None:
        """Let the camera follow the selection, or stop it."""
        following = not self.view.following and bool(self.selection.serials)
        if following:
            self.glide()
        self.view.follow_selection(following)
        if not self.selection.serials:
            self.messages.say("There is no animal to follow.")

    def ride(self) -> None:
        """Let the camera ride in the head of the first selected animal, or stop it."""
        begins, can = not self.view.riding, len(ridden(self.document)) > 0
        self.view.ride(begins and can)
        if begins and not can:
            self.messages.say("There is no animal to ride on.")

    def _follow(self, seconds: float) -> None:
        if self.view.has_dismounted:
            self.glide()
            self.view.dismount()
        if self.view.following or self.view.riding:
            self.view.follow(self.document, seconds)
        elif isinstance(self.camera, Camera) and self.camera.strays:  # whom it followed is outside the world
            self.glide()
            self.camera.look_at(*self.camera.looks_at)

    def look_from(self, yaw: float, pitch: float) -> None:
        """Turn the camera of a world with depth around what it looks at; radians."""
        if isinstance(self.camera, SpaceCamera):
            self.glide()
            self.get_off()
            self.camera.look_from(yaw, pitch)

    def get_off(self) -> None:
        """Stop riding, and looking from behind whom the camera follows, because the camera is turned."""
        if self.view.riding:
            self.glide()
            self.view.ride(False)
            self.view.dismount()
        self.view.behind = False

    def fit(self) -> None:
        """Fit the whole world into the view, one with depth from where it was seen first, and stop following."""
        self.view.following = self.view.riding = False
        self.glide()
        if isinstance(self.camera, SpaceCamera):
            self.camera.look_from(*first_view(self.simulation.world.resource(Settings)))
        self.camera.fit()

    def glide(self, begin: AnyCamera | None = None) -> None:
        """Ease the jump that the camera is about to make, or made from the view `begin`, unless motion is reduced."""
        if not self.preferences.reduce_motion:
            self.view.glide.begin(begin or self.camera)

    def suit(self) -> None:
        """Look at the world as flat or deep as it is now; what a button does ends where that is another view."""
        if (begin := self.view.suit(self.simulation.world)) is not None:
            self.hand.let_go(self)
            self.glide(begin)

    def pop(self, places: ArrayLike, radius: float) -> None:
        """Show that something was placed at places, (n, axes), unless motion is reduced; `radius`: of each, u."""
        if not self.preferences.reduce_motion:
            self.view.pops.add(places, radius)

    def front(self, name: str) -> None:
        """Open a panel, in front of the others that are docked at the same side."""
        is_new = name not in self.preferences.open
        self.preferences.open[:] = [other for other in self.preferences.open if other != name] + [name]
        for panel in self.app.panels if is_new else ():
            if panel.name == name:
                panel.opened(self)
        self.view.to_front = name

    def step_back(self) -> None:
        """Cancel what a tool is amid; else end a ride; else close the last opened panel over the world; else clear the
        selection.
        """
        over = [name for name in self.preferences.open if name in self.view.over]
        if self.hand.is_busy:
            self.hand.cancel(self)
        elif self.view.riding:
            self.view.ride(False)
        elif over:
            self.toggle_panel(over[-1])
        else:
            self.selection.choose(())

    def press_panel(self, name: str) -> None:
        """Close a panel that is visible; show one that is closed, behind another one, or hidden with all others."""
        if name in self.view.panels:
            self.toggle_panel(name)
            return
        if name in self.preferences.open:
            self.toggle_panel(name)  # so that it is opened, not only brought to the front
        self.front(name)

    def walk(self) -> None:
        """Move the keyboard focus to the next visible panel, and from the last one to the world."""
        seen = ["", *(panel.name for panel in self.app.panels if panel.name in self.view.panels)]
        at = seen.index(self.view.walked) if self.view.walked in seen else 0
        self.view.walked = self.view.to_front = seen[(at + 1) % len(seen)]

    def toggle_panel(self, name: str) -> None:
        """Open or close a panel."""
        if name in self.preferences.open:
            self.preferences.open.remove(name)
        else:
            self.preferences.open.append(name)

    def toggle_overlay(self, name: str) -> None:
        """Show an overlay that is hidden, or hide it."""
        self.shown.symmetric_difference_update({name})
        for overlay in self.app.overlays:
            if overlay.name == name and name in self.shown and (words := overlay.tells(self)):
                self.messages.say(words, about="overlay")

    def watch(self) -> None:
        """Take measures, and call `update` of all open panels, also hidden ones; called in every frame."""
        self.view.pointed = ()
        shown = self.app.charts if "charts" in self.preferences.open else ()
        # Only for an open panel Charts, because the systems of mods may be expensive.
        systems = [chart.system for chart in shown]
        self.document.measures.gather(self.simulation, systems)
        if self.document.comparison is not None:
            self.document.comparison.measures.gather(self.document.comparison.simulation, systems)
        for panel in self.app.panels:
            if panel.name in self.preferences.open:
                panel.update(self)

    def _ask_about_endless_mod(self) -> None:
        """Ask whether a mod is to be stopped that keeps a tick from ending; ask again some seconds after the answer."""
        ticks = self.playback.ticks
        if ticks is not None and not self.asking.waits and (mod := ticks.endless):
            title = translate("The mod {mod} does not end", mod=mod)
            text = translate(
                "It has been at work on this tick for seconds. If you stop it, the world goes on without it."
            )
            answers: Answers = [("Stop the mod", partial(ticks.stop_mod, mod)), ("Wait", ticks.be_patient)]
            self._about_mod = Question(title, text, answers, by_enter=False)
            self.ask(self._about_mod)

    def advance(self, seconds: float) -> bool:
        """Carry out waiting commands and due ticks; return whether the world has changed since the last frame.

        Commands are carried out in every frame, even if no tick is due, so that a click takes effect at once.

        Args:
            seconds: real time since the last frame.
        """
        if self.asking.waits or self.playback.goes:
            self.hand.put_down(self)
        self.hand.update(self)
        if not self.clock.paused:
            self.messages.withdraw(STANDING)
        self.playback.wait(round(seconds * SECOND))
        if self.playback.runs:
            self._ask_about_endless_mod()
            self._follow(seconds)
            return False
        if self._about_mod in self.asking.questions:
            self.asking.questions.remove(self._about_mod)  # the tick has ended
        timeline, shown = self.document.timeline, self.simulation
        self.view.placed.add(self.document.carry_out())
        self._show_trails()
        self.document.follow_branches()
        if timeline.differs is not None and timeline.differs[0] != self._told_tick:
            self._told_tick, why = timeline.differs
            self.messages.warn(
                translate(
                    "At tick {tick:,} this world differs from the recording: {why}",
                    tick=self._told_tick,
                    why=why,
                ),
                2 * SECONDS,
            )
        timeline.recording.budget = self.preferences.past << 20
        settings = shown.world.resource(Settings)
        self.clock.tick_rate = settings.tick_rate
        if not self.asking.waits:
            self.playback.frame(round(seconds * SECOND))
        self.playback.follow()
        self.document.follow_branches()
        settings = self.simulation.world.resource(Settings)
        self.suit()
        self.camera.look_over(settings.size, settings.torus is not None)
        if self.simulation is not shown:  # mods were added or removed on the way, which makes a new simulation
            self._begin()
            shown.close()
        self._in_past.frame(self)
        self.playback.lend()
        world = self.simulation.world
        before = self._shown_at
        count, colouring = world.resource(CommandQueue).count, self.document.colouring
        self._shown_at = timeline.branch, timeline.tick, count, self.simulation, colouring
        changed = self._shown_at != before  # also by commands carried out between two frames, for example by saving
        if changed:
            self.selection.keep_living(world)
        self._follow(seconds)
        camera = self.camera
        self._watch.note(timeline, Seen(*camera.sees) if isinstance(camera, Camera) else SeenInSpace(*camera.sees))
        return changed
