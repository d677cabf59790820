"""Runs ticks that take longer than a frame in a thread, while the menus respond.

Everything else reads the world, and therefore waits for the end of the tick: other events are deferred, and actions
chosen from the menus run then. A tick of a world with mods runs in the main thread, so that Ctrl+C can interrupt a mod
that never ends.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

import arcade

from sandbox.app.drawing.offscreen import Offscreen
from sandbox.app.gui.gui import Gui
from sandbox.app.session.session import Session

LONG = 0.02  # s: shorter ticks run in the main thread
FRAME = 0.008  # s: the shortest time between two frames of the menus


class LongTicks:
    """Runs the ticks of a session.

    Attributes:
        runs: a tick is running, so the window must not touch the world.
    """

    def __init__(self, window: arcade.Window, gui: Gui, session: Session, world: Offscreen) -> None:
        """`world`: what the window draws the world into."""
        self.runs = False
        self._window, self._gui, self._session, self._world = window, gui, session, world
        self._thread = ThreadPoolExecutor(1, "ticks")  # reused, because OpenMP keeps a team for each calling thread
        self._asked: list[Callable[[], object]] = []

    @property
    def expected(self) -> bool:
        """Whether the next tick is expected to be a long one."""
        clock, simulation = self._session.clock, self._session.simulation
        return not clock.paused and clock.tick_ns > LONG * 1e9 and not simulation.scene.loaded

    def run(self, tick: Callable[[], None]) -> None:
        """Run a tick; if it is expected to be long, in the thread, and draw the menus until it ends.

        Raises:
            Exception: any exception of the tick.
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
        if self._gui.events.menus_are_used and self._world.size == self._window.ctx.screen.size:
            self._window.ctx.screen.use()
            self._world.show()
            self._gui.make_menus(self._session, self._asked.append)
            self._gui.draw_menus()
            self._window.flip()

    def do_what_was_asked(self) -> None:
        """Do the actions that were chosen from the menus during a tick."""
        asked, self._asked = self._asked, []
        for do in asked:
            do()

    def close(self) -> None:
        """Stop the thread."""
        self._thread.shutdown()
