"""The entry point of `boids`. It imports the commands late, so that Ctrl+C never prints a traceback."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command line, and exit; after Ctrl+C with status 130."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    try:
        if usual:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends the process: an import would print a traceback
        from sandbox.cli.commands import run_command_line

        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run_command_line()
    except BaseException as error:
        if not _is_interrupt(error):
            raise
        sys.exit(130)


def _is_interrupt(error: BaseException | None) -> bool:
    """Return whether Ctrl+C led to an error: an import or a library may raise another one in its place."""
    return error is not None and (isinstance(error, KeyboardInterrupt) or _is_interrupt(error.__cause__))


if __name__ == "__main__":
    main()
