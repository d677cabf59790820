"""A window from its opening to its end."""

from __future__ import annotations

import signal
from functools import partial
from pathlib import Path
from types import FrameType

import arcade

from sandbox.app.lost import offer_lost
from sandbox.app.restart import Make, Shown, maker
from sandbox.app.window import FlockWindow
from sandbox.mods.find.fault import ModInterrupt
from sandbox.mods.load.library import Library
from sandbox.mods.run.running import RunningMods
from sandbox.simulation import Simulation
from sandbox.terminal import has_display

NEEDS = "it needs a display and OpenGL 3.3"


def made_window(
    shown: Shown,
    again: Make,
    file: Path | None = None,
    library: Library | None = None,
    running: RunningMods | None = None,
) -> FlockWindow:
    """A window on a simulation, or on one with its past; see `FlockWindow`.

    Raises:
        OSError: no window can be opened.
    """
    try:
        return FlockWindow(shown, again, file=file, library=library, running=running)
    except (ValueError, OSError):
        raise
    except Exception as error:  # pyglet has many: no display, no suitable configuration, no context
        raise OSError(f"no window can be opened: {error}; {NEEDS}") from None


def run_window(window: FlockWindow) -> None:
    """Until it is closed, by a person or by the system."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, partial(_end, window)) for number in numbers}
    window.on_update(0.0)  # no tick is due
    window.on_draw()  # the first tick may take long: nobody should look at an empty window meanwhile
    window.flip()
    try:
        arcade.run()
    except ModInterrupt:
        raise  # the next start asks before it loads mods
    except KeyboardInterrupt:
        window.modding.close()
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(window: FlockWindow, number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)  # where a frame never ends, the next one ends the program
    window.end()


def open_window(simulation: Simulation, again: Make | None = None, file: Path | None = None) -> None:
    """Show a simulation until its window is closed.

    Args:
        again: makes the same simulation anew, for restarting; see `restart.maker` for what happens without it.
        file: what it was opened from: where saving writes to, when it is a scene of the person's own.
    Raises:
        OSError: no window can be opened.
    """
    if not has_display():  # arcade would make one that nobody sees, as for pictures
        raise OSError(f"no window can be opened: {NEEDS}")
    window = made_window(simulation, again or maker(simulation), file)
    offer_lost(window.session, window.filing, window.autosave)
    run_window(window)
