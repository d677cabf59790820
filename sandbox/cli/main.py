"""The entry point of `boids`. It imports the commands late, so that Ctrl+C never prints a traceback."""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
import time
from types import FrameType

WHOLE = "<frozen importlib._bootstrap>", f"{os.sep}llvmlite{os.sep}"  # in the names of files whose calls are finished
INTERRUPTED = 130  # status
AGAIN = 0.02  # s until an interrupt is tried again
_patience = 100


def main() -> None:
    """Run the command line, and exit; after Ctrl+C with status 130."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        if usual:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends the process: an import would print a traceback
        from sandbox.cli.commands import run_command_line

        if usual:
            signal.signal(signal.SIGINT, _interrupt)
        run_command_line()
    except BaseException as error:
        if not _is_interrupt(error):
            raise
        sys.exit(INTERRUPTED)


def program() -> None:
    """Be the program `boids`: `main`, but after Ctrl+C end at once.

    The usual end of Python after an interrupt was seen to crash, once in some thousand times: it frees what was
    half made. Here the error, which is not yet forgotten, holds it.
    """
    try:
        main()
    except SystemExit as exit:
        if exit.code != INTERRUPTED:
            raise
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        from contextlib import suppress

        atexit._run_exitfuncs()
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with suppress(OSError, ValueError):  # its reader is gone
                stream.flush()
        os._exit(INTERRUPTED)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, but only after an import or a call of LLVM.

    A library in C would print a traceback of an interrupted import, and LLVM would free twice what it has just taken.
    """
    global _patience
    caller = frame
    while caller is not None and not any(name in caller.f_code.co_filename for name in WHOLE):
        caller = caller.f_back
    if caller is None or not _patience:  # an import that takes so long may be a mod's endless loop
        sys.unraisablehook = _ignore  # an object whose constructor is interrupted can't be finalized
        signal.default_int_handler(number, frame)
    _patience -= 1
    # This takes none of the locks that the interrupted code may hold.
    _thread.start_new_thread(_interrupt_again, (_thread.get_ident(),))


def _interrupt_again(thread: int) -> None:
    """Interrupt a thread soon, also a system call in which it waits."""
    time.sleep(AGAIN)
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(thread, signal.SIGINT)


def _ignore(error: object) -> None:
    """Print nothing."""


def _is_interrupt(error: BaseException | None) -> bool:
    """Return whether Ctrl+C led to an error: an import or a library may raise another one in its place."""
    return error is not None and (isinstance(error, KeyboardInterrupt) or _is_interrupt(error.__cause__))


if __name__ == "__main__":
    program()
