"""`boids film`, run by another process on a recording of what a window shows."""

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
from sandbox.unfinished import remove_left_parts

NICE = 10  # how far what is played comes before the film, where a system has that


class FilmProcess:
    """A film in the making. Where the window ends, however it ends, the process does so with its next frame.

    Attributes:
        path: where the film will be.
        done, count: frames that are drawn, and all of them; 0 before the first.
    """

    def __init__(self, recording: bytes, name: str, path: Path, words: Sequence[str]) -> None:
        """Begin to make it.

        Args:
            recording: the content of a `.boids` file; `name`: what the process calls it.
            words: options of `boids film`.
        Raises:
            OSError: it can't be begun.
        """
        self.path, self.done, self.count = path, 0, 0
        self._folder = tempfile.TemporaryDirectory(prefix="boids-film-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        (folder / name).write_bytes(recording)
        command = [sys.executable, "-P", "-m", "sandbox.cli.main", "film", name, "--progress", "--out", str(path)]
        self._said = folder / "said"
        with open(self._said, "wb") as said:
            # Ctrl+C is for the window alone.
            self._process = subprocess.Popen(
                [*command, *words], cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=said, start_new_session=True
            )
        if sys.platform != "win32":
            os.setpriority(os.PRIO_PROCESS, self._process.pid, NICE)
        self._since = 0.0
        self._reading = threading.Thread(target=self._read, name="film", daemon=True)
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
        lines = self._said.read_text(errors="replace").splitlines() or ["its process ended unexpectedly"]
        return as_text(re.sub(r"^boids: (--camera \S+: )?", "", lines[-1]))

    def close(self) -> None:
        """End it now if it is not over, without a trace."""
        if not self.ended:
            self._process.kill()
            self._process.wait()
            remove_left_parts(self.path.parent)
        self._reading.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._folder.cleanup()
