"""Runs a command of this program in another process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import NamedTuple

from sandbox.app.jobs.job import Job, ignore
from sandbox.files import as_text
from sandbox.language import translate

NICE = 10  # the process's nice value, so that the window has priority; not on Windows
PLACE = r"boids: |[^:]*:\d+:\d+: |--camera \S+: "  # prefixes of an error message


class Ran(NamedTuple):
    """What came of a command.

    Attributes:
        output: all that it printed, except its progress.
        problem: if it failed, its last error message, without its place; else "".
    """

    output: str
    problem: str


class CommandJob(Job):
    """A process that may print its progress as lines of finished steps and their total: "12 300".

    If the window ends, in whatever way, the process ends at its next step. The result is a `Ran`.
    """

    def __init__(
        self,
        words: str,
        command: Sequence[str],
        folder: Path,
        then: Callable[[Ran], object],
        *,
        loss: str = "",
        panel: str = "",
    ) -> None:
        """Start the process.

        Args:
            command: the command and its options; `folder`: its working directory; the others are those of `Job`.
        Raises:
            OSError: the process can't be started.
        """
        super().__init__(words, then, ignore, loss=loss, panel=panel)
        self._output: list[bytes] = []
        self._complaint = tempfile.TemporaryFile()  # noqa: SIM115 (it is closed at the end)
        # In its own process group, so that Ctrl+C reaches only the window.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "sandbox.cli.main", *command],
            cwd=folder,
            env=os.environ | {"PYTHONIOENCODING": "utf-8"},
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=self._complaint,
            process_group=0,
        )
        if sys.platform != "win32":
            os.setpriority(os.PRIO_PROCESS, self._process.pid, NICE)
        self._reading = threading.Thread(target=self._read, name=command[0], daemon=True)
        self._reading.start()

    def _read(self) -> None:
        """Read what the process prints; runs in the thread."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.fullmatch(rb"(\d+) (\d+)\s*", line):
                self.tell(int(found[1]), int(found[2]))
            else:
                self._output.append(line)

    @property
    def ended(self) -> bool:
        return not self._reading.is_alive() and self._process.poll() is not None

    def wait(self, seconds: float | None = None) -> None:
        self._reading.join(seconds)
        if not self._reading.is_alive():
            self._process.wait()

    def result(self) -> Ran:
        self._complaint.seek(0)
        complaint = self._complaint.read()
        output = b"".join([*self._output, complaint]).decode(errors="replace").strip()
        problem = _sentence(complaint.decode(errors="replace")) if self._process.returncode else ""
        self._free()
        return Ran(output, problem)

    def stop(self) -> None:
        if not self.ended:
            self._process.kill()
            self._process.wait()
        self._reading.join()
        self._free()

    def _free(self) -> None:
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._complaint.close()


def _sentence(complaint: str) -> str:
    """Return the last error message of a process."""
    lines = [line for line in complaint.splitlines() if line[:1].strip()]  # indented lines quote files
    return as_text(re.sub(f"^({PLACE})+", "", lines[-1] if lines else translate("its process ended unexpectedly")))
