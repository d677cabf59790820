"""`boids film`, run by another process on a recording of what a window shows."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from sandbox.app.session.command_process import CommandProcess
from sandbox.unfinished import remove_left_parts

Folder = tempfile.TemporaryDirectory[str]


def film_folder() -> Folder:
    """A new folder for what a process needs."""
    return tempfile.TemporaryDirectory(prefix="boids-film-", ignore_cleanup_errors=True)


class FilmProcess(CommandProcess):
    """A film in the making; its steps are frames.

    Attributes:
        path: where the film will be.
    """

    def __init__(self, folder: Folder, name: str, path: Path, words: Sequence[str]) -> None:
        """Begin to make it.

        Args:
            folder: with the recording, by its name; it goes with the process.
            words: options of `boids film`.
        Raises:
            OSError: it can't be begun.
        """
        self.path, self._folder = path, folder
        super().__init__(["film", name, "--progress", "--out", str(path), *words], Path(folder.name))

    def close(self) -> None:
        """End it now if it is not over, without a trace."""
        was_made = self.ended
        super().close()
        if not was_made:
            remove_left_parts(self.path.parent)
        self._folder.cleanup()
