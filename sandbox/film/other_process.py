"""Runs a child process that never outlives this one."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from subprocess import DEVNULL
from typing import IO, Any

from systems.engine.interrupts import interrupted_at_end


@contextmanager
def other_process(command: Sequence[str], stdin: IO[bytes] | int, said: IO[bytes]) -> Iterator[subprocess.Popen[Any]]:
    """Start a process and kill it at the end of the block. It does not get Ctrl+C.

    Args:
        said: receives its stderr.
    """
    with ExitStack() as stack:
        with interrupted_at_end():  # else an interrupt between the lines would leave a process running
            process = subprocess.Popen(command, stdin=stdin, stdout=DEVNULL, stderr=said, start_new_session=True)
            stack.callback(process.wait)
            stack.callback(process.kill)
        yield process
