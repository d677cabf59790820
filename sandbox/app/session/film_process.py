"""`boids film`, run by another process on a recording of what a window shows."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from sandbox.app.session.command_process import CommandProcess
from sandbox.unfinished import remove_left_parts


class FilmProcess(CommandProcess):
    """A film in the making; its steps are frames.

    Attributes:
        path: where the film will be.
    """

    def __init__(self, recording: bytes, name: str, path: Path, words: Sequence[str]) -> None:
        """Begin to make it.

        Args:
            recording: the content of a `.boids` file; `name`: what the process calls it.
            words: options of `boids film`.
        Raises:
            OSError: it can't be begun.
        """
        self.path = path
        self._folder = tempfile.TemporaryDirectory(prefix="boids-film-", ignore_cleanup_errors=True)
        folder = Path(self._folder.name)
        (folder / name).write_bytes(recording)
        super().__init__(["film", name, "--progress", "--out", str(path), *words], folder)

    def close(self) -> None:
        """End it now if it is not over, without a trace."""
        was_made = self.ended
        super().close()
        if not was_made:
            remove_left_parts(self.path.parent)
        self._folder.cleanup()
