"""Runs a child process that never outlives this one."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from subprocess import DEVNULL
from typing import IO, Any

from sandbox.files import as_text
from systems.engine.interrupts import interrupted_at_end


@contextmanager
def other_process(
    command: Sequence[str], stdin: IO[bytes] | int
) -> Iterator[tuple[subprocess.Popen[Any], Callable[[], str]]]:
    """Start a process and kill it at the end of the block. It does not get Ctrl+C.

    Yields:
        the process, and a function that returns the last line of its stderr.
    """
    with ExitStack() as stack:
        output = stack.enter_context(tempfile.TemporaryFile())

        def complaint() -> str:
            output.seek(0)
            lines = output.read().decode(errors="replace").splitlines() or ["it ended without a word"]
            return as_text(lines[-1])

        with interrupted_at_end():  # else an interrupt between the lines would leave a process running
            process = subprocess.Popen(command, stdin=stdin, stdout=DEVNULL, stderr=output, start_new_session=True)
            stack.callback(process.wait)
            stack.callback(process.kill)
        yield process, complaint
