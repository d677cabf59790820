"""Ticks that take longer than a frame: they run in a thread, and the menus answer meanwhile.

All else waits for the end of the tick, for it asks the world: events are heard then, and actions done. A tick of a
world with mods runs in the window's own thread, so that Ctrl+C reaches a mod that never ends.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

import arcade

from sandbox.app.drawing.kept_frame import KeptFrame
from sandbox.app.gui.gui import Gui
from sandbox.app.session.session import Session

LONG = 0.02  # s: a shorter tick is not waited for
FRAME = 0.008  # s between two frames of the menus, at least


class LongTicks:
    """Runs the ticks of a session.

    Attributes:
        runs: a tick runs, and the window must leave the world alone.
    """

    def __init__(self, window: arcade.Window, gui: Gui, session: Session) -> None:
        self.runs = False
        self._window, self._gui, self._session = window, gui, session
        self._kept, self._is_kept = KeptFrame(window.ctx), False
        self._thread = ThreadPoolExecutor(1, "ticks")  # always the same: OpenMP keeps threads for each that asks it
        self._asked: list[str] = []

    @property
    def expected(self) -> bool:
        """Whether the next tick will be one."""
        clock, simulation = self._session.clock, self._session.simulation
        return not clock.paused and clock.tick_ns > LONG * 1e9 and not simulation.scene.loaded

    def keep_world(self) -> None:
        """The world is drawn, and no panel yet: keep that for the frames of the menus."""
        self._is_kept = self.expected
        if self._is_kept:
            self._kept.keep()

    def run(self, tick: Callable[[], None]) -> None:
        """Run a tick.

        Raises:
            Exception: what the tick raises.
        """
        if not self.expected:
            tick()
            return
        self.runs, begun = True, self._thread.submit(tick)
        try:
            while not wait([begun], FRAME).done:
                self._window.dispatch_events()
                self._show_menus()
        finally:
            wait([begun])
            self.runs = False
        begun.result()

    def _show_menus(self) -> None:
        if self._is_kept and self._gui.events.menus_are_used and self._kept.show():
            self._gui.make_menus(self._session, self._asked.append)
            self._gui.draw_menus()
            self._window.flip()

    def do_what_was_asked(self) -> None:
        """Do the actions that were chosen from the menus meanwhile."""
        asked, self._asked = self._asked, []
        for name in asked:
            self._session.act(name)

    def close(self) -> None:
        """Run no more."""
        self._thread.shutdown()
