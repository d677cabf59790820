"""Keeps the world of a session on disk every minute, without a pause that could be seen.

The frame's thread only copies the state, some milliseconds at 100,000 boids; sorting, packing and writing happen in a
thread, whose work is numpy's and zlib's and leaves the frame's thread alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from sandbox.edit import CommandQueue
from sandbox.simulation import Simulation
from sandbox.state.autosaves import LostSession, OwnAutosaves
from sandbox.state.held_state import HeldState, hold

SECONDS = 60.0  # between two


class Autosave:
    """Writes one state at a time; a failure is told once, until one succeeds again."""

    def __init__(self, root: Path, warn: Callable[[str], None]) -> None:
        """`root`: the folder of all sessions' autosaves."""
        self.root = root
        self._own = OwnAutosaves(root)
        self._warn = warn
        self._passed = 0.0
        self._last: tuple[str, int, int] | None = None
        self._taken_over: LostSession | None = None
        self._thread: threading.Thread | None = None
        self._wrong: str | None = None
        self._told = False

    def take_over(self, lost: LostSession) -> None:
        """The world is that of a lost session now: what it left goes as soon as a state of our own is written."""
        self._taken_over = lost
        self._passed = SECONDS

    def begin_with(self, simulation: Simulation) -> None:
        """This was opened or made anew: it needs no keeping until it changes."""
        self._last = _mark(simulation)

    def pass_time(self, seconds: float, simulation: Simulation) -> None:
        """Save when it is time, something changed and the last one is written."""
        self._passed += seconds
        if self._thread is not None and not self._thread.is_alive():
            self._end_thread()
        if self._passed < SECONDS or self._thread is not None:
            return
        self._passed = 0.0
        if self._taken_over is not None or _mark(simulation) != self._last:
            self._start(simulation)

    def wait(self) -> None:
        """Until what is being written is written."""
        if self._thread is not None:
            self._end_thread()

    def keep(self, simulation: Simulation) -> None:
        """The session ends, and its world, which is not saved, is offered at the next start."""
        self.wait()
        self._start(simulation)
        self.wait()
        self._own.leave()

    def close(self) -> None:
        """The session ends well: nothing is left of its autosaves, nor of what it took over."""
        self.wait()
        self._own.remove()
        if self._taken_over is not None:
            self._taken_over.remove()
            self._taken_over = None

    def _start(self, simulation: Simulation) -> None:
        try:
            path = self._own.next_file()
        except OSError as error:
            self._tell(str(error))
            return
        self._last, state = _mark(simulation), hold(simulation.world)
        self._thread = threading.Thread(target=self._write, args=(state, path), name="autosave")
        self._thread.start()

    def _write(self, state: HeldState, path: Path) -> None:
        """In the thread."""
        self._wrong = None
        try:
            state.write(path)
            self._own.forget_old()
        except Exception as error:  # whatever it is, the person must hear of it
            self._wrong = str(error)

    def _end_thread(self) -> None:
        assert self._thread is not None
        self._thread.join()
        self._thread = None
        if self._wrong is not None:
            self._last = None
            self._tell(self._wrong)
            return
        self._told = False
        if self._taken_over is not None:
            self._taken_over.remove()
            self._taken_over = None

    def _tell(self, wrong: str) -> None:
        if not self._told:
            self._warn(f"no autosave: {wrong}")
        self._told = True


def _mark(simulation: Simulation) -> tuple[str, int, int]:
    """What differs as soon as the world does."""
    return simulation.world.name, simulation.tick, simulation.world.resource(CommandQueue).count
