"""Opens the file dialog, for opening or saving."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sandbox.app.files.file_dialog import WORLDS, FileDialog, Kind
from sandbox.app.files.start_folder import start_folder
from sandbox.app.session.asking import Asking
from sandbox.app.session.document import Document
from sandbox.design.pictures import SUFFIXES

PHOTO = Kind("pictures (.png, .jpg, .webp)", SUFFIXES)


def choose(
    document: Document,
    asking: Asking,
    title: str,
    kinds: tuple[Kind, ...],
    name: str,
    do: Callable[[Path], str],
    kind: Kind | None = None,
) -> None:
    """Show the dialog until the user cancels or `do` succeeds; `do` returns an error message, or "".

    Args:
        kinds: kinds of files to choose from; `kind`: the one chosen at first, by default the first.
        name: the file name suggested at first.
    """

    def done(path: Path) -> str:
        asking.dialog = None
        wrong = do(path)
        if wrong:
            asking.dialog = dialog
        return wrong

    saves = kinds[0] not in (WORLDS, PHOTO)
    folder = start_folder(document.folder)
    dialog = FileDialog(title, saves, kinds, folder, done, asking.ask, name, kind or kinds[0])
    asking.end_dialog()
    if asking.by_system:
        dialog.ask_by_system()
    asking.dialog = dialog
