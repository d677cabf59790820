"""Another process that works for this one, and never outlives that."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from subprocess import DEVNULL
from typing import IO, Any

from systems.engine.interrupts import interrupted_at_end


@contextmanager
def other_process(command: Sequence[str], stdin: IO[bytes] | int, said: IO[bytes]) -> Iterator[subprocess.Popen[Any]]:
    """Begin it; it is ended where the block ends. Ctrl+C is for this process alone.

    Args:
        said: where its complaints go.
    """
    with ExitStack() as stack:
        with interrupted_at_end():  # else one might be begun that nobody knows
            process = subprocess.Popen(command, stdin=stdin, stdout=DEVNULL, stderr=said, start_new_session=True)
            stack.callback(process.wait)
            stack.callback(process.kill)
        yield process
