"""Runs `boids mod check` beside the window, which goes on meanwhile: what is checked may do anything, or never end."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from pathlib import Path

import sandbox
from sandbox.language import said

MOST_SECONDS = 300.0


class ModCheck:
    """One run of it.

    Attributes:
        folder: of the mod.
        said: all that it printed; None while it runs.
        good: it found nothing.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.good = folder, False
        self.said: str | None = None
        self._process: subprocess.Popen[str] | None = None
        atexit.register(self.stop)
        threading.Thread(target=self._run, name="mod check", daemon=True).start()

    def stop(self) -> None:
        """Nobody waits for it any more."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()

    def _run(self) -> None:
        """In a thread."""
        paths = [str(Path(sandbox.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "sandbox.cli.main", "mod", "check", str(self.folder)],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONIOENCODING": "utf-8"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
            )
            found, _ = self._process.communicate(timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            self.stop()
            found = said("It did not end within {seconds:.0f} s: is there an endless loop?", seconds=MOST_SECONDS)
        except OSError as error:
            found = said("It can't be run: {error}", error=error)
        self.good = self._process is not None and self._process.poll() == 0
        self.said = found.strip()
