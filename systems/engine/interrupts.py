"""Ctrl+C after what must not be interrupted: a tick, or the loading of a kernel."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 2.0  # s
_holds = False  # one such block is under way


def _interrupt_main() -> None:
    """As Ctrl+C does: the main thread wakes up also where it waits for the system."""
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


@contextmanager
def interrupted_at_end() -> Iterator[Callable[[], None]]:
    """An interrupt that comes meanwhile is raised at the end, or within where the end does not come soon.

    Python interrupts its main thread alone: in others nothing has to be held back. Nor within another such block.

    Yields:
        what raises it earlier, if one came.
    """
    global _holds
    before = signal.getsignal(signal.SIGINT)
    if _holds or threading.current_thread() is not threading.main_thread() or not callable(before):
        yield lambda: None
        return
    held: threading.Timer | None = None

    def hold(number: int, frame: FrameType | None) -> None:
        nonlocal held
        if held is None:
            held = threading.Timer(PATIENCE, _interrupt_main)
            held.daemon = True
            held.start()
        else:
            held.cancel()
            before(number, frame)  # what this raises where C calls Python is lost, and raised at the end again
            held = None

    def forget() -> bool:
        """Returns whether one was held."""
        nonlocal held
        if held is None:
            return False
        held.cancel()
        held = None
        return True

    def answer() -> None:
        if forget():
            before(signal.SIGINT, None)

    signal.signal(signal.SIGINT, hold)
    _holds = True
    try:
        yield answer
    except KeyboardInterrupt:
        forget()
        raise
    finally:
        _holds = False
        signal.signal(signal.SIGINT, before)
        answer()
