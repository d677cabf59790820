"""The dialog for choosing a file: that of the desktop, or where there is none, a list of a folder's files."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.app.files.folders import start_folder
from sandbox.app.files.native_dialog import NativeDialog
from sandbox.app.questions import Question, nothing
from sandbox.design.pictures import SUFFIXES
from sandbox.files import named
from sandbox.language import translate
from sandbox.mods.find.versions import natural

if TYPE_CHECKING:
    from sandbox.app.files.asking import Asking

Refuse = Callable[[str], object]  # gets a sentence that says why


@dataclass(frozen=True)
class FileType:
    """Files with these suffixes; all files if there are none."""

    words: str
    suffixes: tuple[str, ...]


SCENE, STATE = (
    FileType("Scene, begins anew (.toml)", (".toml",)),
    FileType("State, goes on from there (.boids)", (".boids",)),
)
RECORDING, PICTURE = FileType("recording (.boids)", (".boids",)), FileType("screenshot (.png)", (".png",))
PAGE = FileType("shared page (.html)", (".html", ".htm"))
OPENABLE, ANY = FileType("scenes, states and recordings", (".toml", ".boids")), FileType("all files", ())
PHOTO = FileType("pictures (.png, .jpg, .webp)", SUFFIXES)


@dataclass(frozen=True)
class Listed:
    """A file or folder of a list."""

    name: str
    is_folder: bool


@dataclass
class FileDialog:
    """A dialog for choosing a file.

    Attributes:
        saves: whether it is for saving, not for opening.
        kinds: kinds of files to choose from; `kind`: the chosen one.
        do: gets the chosen file, when the dialog is closed, and the function that opens it again with an error message.
        asking: shows the dialog and its questions.
        name: the text of the name box; `name_given`: whether it was set by a click, not typed.
        chosen: index of the selected entry, or None.
        wrong: why the folder can't be shown or the file was refused; or "".
        native: the desktop's own dialog while it is open.
    """

    title: str
    saves: bool
    kinds: tuple[FileType, ...]
    kind: FileType
    folder: Path
    do: Callable[[Path, Refuse], object]
    asking: Asking
    name: str = ""
    name_given: bool = False
    entries: list[Listed] = field(default_factory=list)
    chosen: int | None = None
    wrong: str = ""
    native: NativeDialog | None = None

    def __post_init__(self) -> None:
        self.go(self.folder)

    def go(self, folder: Path) -> None:
        """Show another folder; if it can't be read, stay and set `wrong`."""
        try:
            entries = listed(folder, self.kind.suffixes)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            self.wrong = translate("{folder} can't be shown: {why}", folder=folder, why=why)
            if folder == self.folder:
                self.entries = []
            return
        self.folder, self.entries, self.wrong, self.chosen = folder, entries, "", None

    def ask_natively(self) -> None:
        """Open the desktop's own dialog instead."""
        kinds = [self.kind, *(kind for kind in self.kinds if kind is not self.kind)]
        known = [(kind.words, kind.suffixes) for kind in kinds]
        path = os.path.join(self.folder, self.name)  # without a name it ends with a separator, and names the folder
        self.native = NativeDialog(self.title, path, known, saves=self.saves)

    def take(self, path: Path) -> None:
        """Accept the answer of the desktop's dialog, which has already asked before replacing a file."""
        self.native = None
        self.go(path.parent)
        self.name = path.name
        if self.saves and not self._has_suffix(path):
            self._save(path)
        else:
            self._take(path)

    def up(self) -> None:
        """Show the parent folder."""
        left = self.folder.name
        self.go(self.folder.parent)
        self.chosen = next((n for n, entry in enumerate(self.entries) if entry.name == left), None)

    def show_kind(self, kind: FileType) -> None:
        """List files of another kind; if the dialog is for saving, give the name its suffix."""
        stem, suffix = os.path.splitext(self.name)
        if self.saves and suffix.lower() in self.kind.suffixes:
            self._give_name(stem + kind.suffixes[0])
        self.kind = kind
        self.go(self.folder)

    def choose(self, number: int) -> None:
        """Select an entry; if it is a file, put its name into the name box."""
        if not self.entries:
            return
        self.chosen = min(max(number, 0), len(self.entries) - 1)
        if not self.entries[self.chosen].is_folder:
            self._give_name(self.entries[self.chosen].name)

    def enter(self, number: int) -> None:
        """Open a folder, or accept a file."""
        if self.entries[number].is_folder:
            self.go(self.folder / self.entries[number].name)
        else:
            self.choose(number)
            self.confirm()

    def confirm(self) -> None:
        """Accept the selected folder or the typed name: show a folder, open or save a file."""
        if self.chosen is not None and self.entries[self.chosen].is_folder:
            self.enter(self.chosen)
            return
        if not self.name.strip():
            self.wrong = "type a name first" if self.saves else "choose a file first"
            return
        try:
            target = Path(os.path.normpath(self.folder / Path(self.name.strip()).expanduser()))
            is_folder, is_there = target.is_dir(), target.exists()
        except (OSError, RuntimeError, ValueError):
            self.wrong = translate("{name!r} can't be the name of a file", name=self.name)
            return
        if is_folder:
            self._give_name("")
            self.go(target)
        elif self.saves:
            self._save(target)
        elif is_there:
            self._take(target)
        else:
            self.wrong = translate("there is no {name} here", name=target.name)

    def _give_name(self, name: str) -> None:
        self.name, self.name_given = name, True

    def _save(self, target: Path) -> None:
        if not self._has_suffix(target):
            target = target.with_name(target.name + self.kind.suffixes[0])
        if os.path.isdir(target):  # `os.path` returns False for an invalid name; writing then reports it
            self.wrong = translate("{name} is a folder", name=target.name)
        elif os.path.exists(target):
            text = "{folder} already contains {name}. Its contents would be lost."
            text = translate(text, name=target.name, folder=target.parent)
            answers = [("Replace", lambda: self._take(target)), ("Cancel", nothing)]
            title = translate("Replace {name}?", name=target.name)
            self.asking.ask(Question(title, text, answers, by_enter=False))
        else:
            self._take(target)

    def _has_suffix(self, path: Path) -> bool:
        return any(path.suffix.lower() in kind.suffixes for kind in self.kinds)

    def _take(self, target: Path) -> None:
        self.wrong, self.asking.dialog = "", None
        self.do(target, self._refuse)

    def _refuse(self, wrong: str) -> None:
        self.wrong, self.asking.dialog = wrong, self


def choose(
    folder: Path | None,
    asking: Asking,
    title: str,
    kinds: tuple[FileType, ...],
    name: str,
    do: Callable[[Path, Refuse], object],
    kind: FileType | None = None,
) -> None:
    """Show the dialog until the user cancels, or chooses a file that `do` does not refuse; see `FileDialog`.

    Args:
        folder: the one used last.
        kinds: kinds of files to choose from; `kind`: the one chosen at first, by default the first.
        name: the file name suggested at first.
    """
    saves = kinds[0] not in (OPENABLE, PHOTO)
    dialog = FileDialog(title, saves, kinds, kind or kinds[0], start_folder(folder), do, asking, name)
    asking.end_dialog()
    if asking.natively:
        dialog.ask_natively()
    asking.dialog = dialog


def listed(folder: Path, suffixes: tuple[str, ...]) -> list[Listed]:
    """Return the entries of a folder: folders, then files, each by name, without hidden and undecodable names.

    Raises:
        OSError: the folder can't be read.
    """
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            is_folder = os.path.isdir(entry.path)
            if not is_folder and not os.path.isfile(entry.path):
                continue  # a broken link
            right = is_folder or not suffixes or os.path.splitext(entry.name)[1].lower() in suffixes
            if right and not entry.name.startswith(".") and named(entry.name) == entry.name:
                found.append(Listed(entry.name, is_folder))
    return sorted(found, key=lambda listed: (not listed.is_folder, natural(listed.name.casefold())))
