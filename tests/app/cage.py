"""A window for tests that press keys and buttons at random."""

from __future__ import annotations

from pathlib import Path

from sandbox.app.window import FlockWindow


class Cage(FlockWindow):
    """A window that a monkey can't leave, with dialogs that see no folder but one."""

    folder: Path

    def keep_in(self, folder: Path) -> None:
        """Read and write files there."""
        self.folder = self.shots.folder = self.session.document.folder = folder

    @property
    def is_ambient(self) -> bool:
        """Whether the scenes are shown, and nobody can be asked."""
        return self._ambient is not None

    def leave(self) -> None:
        pass

    def set_fullscreen(self, *arguments: object, **named: object) -> None:
        """There is no screen to fill."""

    def on_update(self, delta_time: float) -> None:
        dialog = self.session.asking.dialog
        if dialog is not None and self.folder not in (dialog.folder, *dialog.folder.parents):
            self.session.asking.dialog = None
        super().on_update(delta_time)
