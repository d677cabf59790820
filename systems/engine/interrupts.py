"""Defers Ctrl+C to the end of work that must not be interrupted, such as a tick, or holds it back from a process."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 2.0  # s
_holds = False  # whether an `interrupted_at_end` block is running


def _interrupt_main() -> None:
    """Send SIGINT to the main thread, as Ctrl+C does; this also interrupts a system call in which it waits."""
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Hold back Ctrl+C until the end of the block; threads and processes that are started in it don't get it.

    Such a process gets it after `unblock_interrupts`. Does nothing on Windows.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def unblock_interrupts() -> None:
    """Let Ctrl+C interrupt this thread from now on; one that was held back interrupts it now."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def interrupted_at_end() -> Iterator[Callable[[], None]]:
    """Raise an interrupt (Ctrl+C) that arrives in this block at its end, or after PATIENCE seconds if that is sooner.

    Does nothing in threads other than the main thread, because Python interrupts that one only, or in a nested block.

    Yields:
        A function that raises a deferred interrupt at once, if there is one.
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
            before(number, frame)  # in a callback from C the exception would be lost: it is raised at the end again
            held = None

    def forget() -> bool:
        """Drop the deferred interrupt; return whether there was one."""
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
