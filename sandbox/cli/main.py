"""The entry point of `boids`. It imports the commands late, so that Ctrl+C never prints a traceback."""

from __future__ import annotations

import signal
import sys
from types import FrameType

IMPORTING = "<frozen importlib._bootstrap>"


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
        sys.exit(130)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; during an import end the process, because a library in C would print a traceback."""
    caller = frame
    while caller is not None:
        if caller.f_code.co_filename == IMPORTING:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        caller = caller.f_back
    signal.default_int_handler(number, frame)


def _is_interrupt(error: BaseException | None) -> bool:
    """Return whether Ctrl+C led to an error: an import or a library may raise another one in its place."""
    return error is not None and (isinstance(error, KeyboardInterrupt) or _is_interrupt(error.__cause__))


if __name__ == "__main__":
    main()
