"""A command of this program, run by another process while play goes on; it tells how far it is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from subprocess import DEVNULL, PIPE

from sandbox.files import as_text
from sandbox.language import said

NICE = 10  # how far what is played comes before the command, where a system has that
PLACE = r"boids: |[^:]*:\d+:\d+: |--camera \S+: "  # what stands before a sentence


class CommandProcess:
    """One that prints how many steps are done, and all, a line each: "12 300".

    Where the window ends, however it ends, the process does so with its next step.

    Attributes:
        done, count: steps that are done, and all of them; 0 before the first.
    """

    def __init__(self, words: Sequence[str], folder: Path) -> None:
        """Begin it.

        Args:
            words: the command and its options; `folder`: that it works in.
        Raises:
            OSError: it can't be begun.
        """
        self.done = self.count = 0
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (it is closed at the end)
        command = [sys.executable, "-P", "-m", "sandbox.cli.main", *words]
        # Ctrl+C is for the window alone.
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=self._said, process_group=0
        )
        if sys.platform != "win32":
            os.setpriority(os.PRIO_PROCESS, self._process.pid, NICE)
        self._since = 0.0
        self._reading = threading.Thread(target=self._read, name=words[0], daemon=True)
        self._reading.start()

    def _read(self) -> None:
        """In the thread."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.fullmatch(rb"(\d+) (\d+)\s*", line):
                self._since = self._since or time.monotonic()
                self.done, self.count = int(found[1]), int(found[2])

    @property
    def ended(self) -> bool:
        """Whether it is over, well or not."""
        return not self._reading.is_alive() and self._process.poll() is not None

    @property
    def left(self) -> float | None:
        """How long it will take from now on, s; None while nothing can be said of that."""
        if self.done < 2:
            return None
        return (time.monotonic() - self._since) / (self.done - 1) * (self.count - self.done)

    @property
    def problem(self) -> str:
        """What it said last, if it did not end well, a sentence."""
        if not self._process.returncode:
            return ""
        self._said.seek(0)
        words = self._said.read().decode(errors="replace")
        lines = [line for line in words.splitlines() if line[:1].strip()]  # others show places in files
        return as_text(re.sub(f"^({PLACE})+", "", lines[-1] if lines else said("its process ended unexpectedly")))

    def close(self) -> None:
        """End it now if it is not over."""
        if not self.ended:
            self._process.kill()
            self._process.wait()
        self._reading.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._said.close()
