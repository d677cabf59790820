"""What panels, tools, overlays and actions get: a document, the view of it, and the services of the window.

They read the world, and change it through `submit` alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from sandbox.app.drawing.camera import Camera
from sandbox.app.messages import SECONDS
from sandbox.app.preferences import Preferences
from sandbox.app.questions import Question
from sandbox.app.restart import Make, Shown
from sandbox.app.session.action import actions_of, keys_of
from sandbox.app.session.document import Document
from sandbox.app.session.hand import Hand
from sandbox.app.session.playback import Playback
from sandbox.app.session.services import Services
from sandbox.app.session.view import View
from sandbox.clock import SECOND, Clock
from sandbox.edit import Command, CommandQueue
from sandbox.language import said
from sandbox.past.views import Seen, Watch
from sandbox.simulation import Simulation
from systems.engine.app import App
from systems.engine.settings import Settings

BRANCHED = (
    "You changed the past: from here on something else happens. What had happened is kept. "
    "The thin line above the time bar leads back to it."
)


class Session:
    """A person at work.

    Attributes:
        app: all panels, tools, overlays, charts and actions that there are now.
        actions: those of the app by name, with the switches of its panels, overlays and tools.
        acted: how often each action was done, by its name.
        hand: holds a tool.
        playback: lets time pass, and goes through the past.
        messages, asking, selection, shown: those of the services, the document and the view.
    """

    def __init__(
        self, document: Document, view: View, services: Services, hand: Hand, app: App, preferences: Preferences
    ) -> None:
        self.document, self.view, self.services, self.hand = document, view, services, hand
        self.app, self.preferences = app, preferences
        self.actions = actions_of(app)
        self.acted: Counter[str] = Counter()
        self.messages, self.asking = services.messages, services.asking
        self.selection, self.shown = document.selection, view.shown
        self._missed_panels: set[str] = set()  # open when they went with their mod
        self._missed_overlays: set[str] = set()
        self.playback = Playback(document, view)
        self._watch = Watch()
        self._told_branch = False
        self._told_tick: int | None = None  # from which on the world is not the recorded one
        self._shown_at: tuple[object, ...] = ()  # the moment of the world that the last frame ended with
        self._begun: list[Any] = []  # the parts that know which world is shown
        self._begin()

    @property
    def simulation(self) -> Simulation:
        return self.document.simulation

    @property
    def camera(self) -> Camera:
        return self.view.camera

    @property
    def clock(self) -> Clock:
        return self.view.clock

    @property
    def capture(self) -> Callable[[str], None] | None:
        """Takes the next key instead of what that key does; who waits for one says so in every frame."""
        return self.asking.capture

    @capture.setter
    def capture(self, take: Callable[[str], None] | None) -> None:
        self.asking.capture = take

    def submit(self, command: Command, *, joins: bool = False) -> bool:
        """Ask for an edit; returns whether it can be done, and says why not.

        Args:
            joins: it is undone together with the command before it.
        """
        return self.document.submit(command, joins=joins)

    def ask(self, question: Question, *, first: bool = False) -> None:
        """Have a question answered after those that wait, or first of all; what a drag has begun ends.

        One that waits already is asked once.
        """
        self.asking.ask(question, first=first)

    def act(self, name: str) -> None:
        """Do an action by its name, as its key would."""
        action = self.actions[name]
        if action.possible is None or action.possible(self):
            action.do(self)
            self.acted[name] += 1

    def with_key(self, words: str, name: str) -> str:
        """Words about an action, and what to press for it: "pause (Space)"."""
        keys = keys_of(self.actions[name], self.preferences)
        return f"{said(words)} ({keys[0]})" if keys else said(words)

    def show(self, shown: Shown, again: Make) -> None:
        """Work on another simulation from now on, or on one with its past."""
        self.hand.begin(self)
        self.document.show(shown, again)
        self.view.show(self.simulation)
        self.playback.begin()
        if (tick := self.document.timeline.opens_at) is not None:  # a recording: it stands there
            self.clock.paused = True
            self.playback.go(tick)
        self._told_tick = None
        self._shown_at = ()
        self._begin()

    def _begin(self, *, known: Sequence[Any] = ()) -> None:
        """Tell parts which world is shown, but those that are `known` to have been told."""
        self._begun = [*self.app.panels, *self.app.tools, *self.app.overlays]
        for part in self._begun:
            if not any(part is other for other in known):
                part.begin(self)

    def install(self, app: App) -> None:
        """Have these panels, tools, overlays, charts, actions and scenes instead of those that were there.

        What goes is closed, put down and shown no more, until one of the same name comes.
        Between two frames: the lists of `app` are replaced in place.
        """
        panels, overlays = {panel.name for panel in self.app.panels}, {overlay.name for overlay in self.app.overlays}
        for part in fields(App):
            getattr(self.app, part.name)[:] = getattr(app, part.name)
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
        """Show a second world beside this one, which begins as it is now, or show only the one that is worked on."""
        self.hand.let_go(self)
        self.document.compare(self.document.comparison is None)

    def work_on(self, right: bool) -> None:
        """Of two worlds that are compared, work on the right one, or on the left one."""
        self.hand.let_go(self)
        self.document.work_on(right)
        self._shown_at = ()
        self._begin()

    def follow(self) -> None:
        """Have the camera go with what is selected, or stay again."""
        self.view.following = not self.view.following and bool(self.selection.serials)
        if not self.selection.serials:
            self.messages.say("Select somebody to follow first.")

    def fit(self) -> None:
        """Show the whole world; nobody is followed any more, who would draw the camera away."""
        self.view.following = False
        self.camera.fit()

    def front(self, name: str) -> None:
        """Open a panel before the others of its side."""
        self.preferences.open[:] = [other for other in self.preferences.open if other != name] + [name]
        self.view.to_front = name

    def press_panel(self, name: str) -> None:
        """Open a panel, or close it; one that is open behind another comes to the front."""
        behind = name in self.preferences.open and self.view.panels and name not in self.view.panels
        (self.front if behind else self.toggle_panel)(name)

    def walk(self) -> None:
        """Give the keyboard to the first panel that is seen, then to the next, and after the last to the world."""
        seen = ["", *(panel.name for panel in self.app.panels if panel.name in self.view.panels)]
        at = seen.index(self.view.walked) if self.view.walked in seen else 0
        self.view.walked = self.view.to_front = seen[(at + 1) % len(seen)]

    def toggle_panel(self, name: str) -> None:
        """Open a panel, or close it."""
        if name in self.preferences.open:
            self.preferences.open.remove(name)
        else:
            self.preferences.open.append(name)

    def toggle_overlay(self, name: str) -> None:
        """Switch an overlay on, or off."""
        self.shown.symmetric_difference_update({name})

    def watch(self) -> None:
        """Measure, and tell the open panels of a frame, also those that are hidden: some gather what they show."""
        self.view.pointed = ()
        shown = self.app.charts if "charts" in self.preferences.open else ()
        # Those of mods may be expensive.
        systems = [chart.system for chart in shown]
        self.document.measures.gather(self.simulation, systems)
        if self.document.comparison is not None:
            self.document.comparison.measures.gather(self.document.comparison.simulation, systems)
        for panel in self.app.panels:
            if panel.name in self.preferences.open:
                panel.watch(self)

    def advance(self, seconds: float) -> bool:
        """Let real time pass: waiting commands, whole ticks; returns whether the world changed since the last frame.

        Commands are carried out in every frame, also where no tick is due: a click is answered at once.
        """
        if self.asking.waits or self.playback.goes:
            self.hand.let_go(self)
        self.hand.frame(self)
        timeline, shown = self.document.timeline, self.simulation
        shown.settle_commands()
        queue = shown.world.resource(CommandQueue)
        while queue.refused:
            self.messages.warn(queue.refused.pop())
        timeline.take_up()
        if self.document.follow_branch() and len(timeline.recording.branches) > 1 and not self._told_branch:
            self.messages.say(BRANCHED, 2 * SECONDS)
            self._told_branch = True
        if timeline.differs is not None and timeline.differs[0] != self._told_tick:
            self._told_tick, why = timeline.differs
            self.messages.warn(
                said(
                    "At tick {tick:,} this world is not the recorded one: {why}",
                    tick=self._told_tick,
                    why=why,
                ),
                2 * SECONDS,
            )
        timeline.recording.budget = self.preferences.past << 20
        settings = shown.world.resource(Settings)
        self.clock.tick_rate = settings.tick_rate
        self.camera.look_over((settings.width, settings.height), settings.torus is not None)
        if not self.asking.waits:
            self.playback.frame(round(seconds * SECOND))
        self.document.follow_comparison()
        self.document.follow_branch()
        if self.simulation is not shown:  # mods came or went on the way
            self._begin()
            shown.close()
        world = self.simulation.world
        before = self._shown_at
        count, colouring = world.resource(CommandQueue).count, self.document.colouring
        self._shown_at = timeline.branch, timeline.tick, count, world, colouring
        changed = self._shown_at != before  # also by what was carried out between two frames: saving does that
        if changed:
            self.selection.keep_living(world)
        if self.view.following:
            self.view.follow(self.document)
        self._watch.note(timeline, Seen(*self.camera.sees))
        return changed
