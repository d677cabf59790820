"""Runs a command of this program in another process, in parallel to the window, and reads its progress."""

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
from sandbox.language import translate

NICE = 10  # the process's nice value, so that the window has priority; not on Windows
PLACE = r"boids: |[^:]*:\d+:\d+: |--camera \S+: "  # prefixes of an error message


class CommandProcess:
    """A process that prints its progress as lines of finished steps and their total: "12 300".

    If the window ends, in whatever way, the process ends at its next step.

    Attributes:
        done, count: the number of finished steps, and of all steps; 0 before the first line.
    """

    def __init__(self, words: Sequence[str], folder: Path) -> None:
        """Start the process.

        Args:
            words: the command and its options; `folder`: its working directory.
        Raises:
            OSError: the process can't be started.
        """
        self.done = self.count = 0
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (it is closed at the end)
        command = [sys.executable, "-P", "-m", "sandbox.cli.main", *words]
        # In its own process group, so that Ctrl+C reaches only the window.
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=self._said, process_group=0
        )
        if sys.platform != "win32":
            os.setpriority(os.PRIO_PROCESS, self._process.pid, NICE)
        self._since = 0.0
        self._reading = threading.Thread(target=self._read, name=words[0], daemon=True)
        self._reading.start()

    def _read(self) -> None:
        """Read the progress; runs in the thread."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.fullmatch(rb"(\d+) (\d+)\s*", line):
                self._since = self._since or time.monotonic()
                self.done, self.count = int(found[1]), int(found[2])

    @property
    def ended(self) -> bool:
        """Whether the process has ended, with or without success."""
        return not self._reading.is_alive() and self._process.poll() is not None

    @property
    def left(self) -> float | None:
        """The estimated remaining time, s; None while no estimate is possible."""
        if self.done < 2:
            return None
        return (time.monotonic() - self._since) / (self.done - 1) * (self.count - self.done)

    @property
    def problem(self) -> str:
        """The last error message, if the process failed; else ""."""
        if not self._process.returncode:
            return ""
        self._said.seek(0)
        words = self._said.read().decode(errors="replace")
        lines = [line for line in words.splitlines() if line[:1].strip()]  # indented lines quote files
        return as_text(re.sub(f"^({PLACE})+", "", lines[-1] if lines else translate("its process ended unexpectedly")))

    def close(self) -> None:
        """Kill the process if it is still running, and free its resources."""
        if not self.ended:
            self._process.kill()
            self._process.wait()
        self._reading.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._said.close()
