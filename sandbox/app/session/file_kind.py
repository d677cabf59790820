"""Kinds of files that the window opens besides worlds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from sandbox.app.session.action import CALL
from sandbox.opening import ENDINGS
from sandbox.window_part import NAME, Contract, WindowPart

if TYPE_CHECKING:
    from sandbox.app.files.dialog import FileType
    from sandbox.app.session.session import Session

Listed = Iterable[tuple[str, Path]]


@dataclass(frozen=True)
class FileKind(WindowPart):
    """A kind of file, opened by `boids play FILE`, the dialog, or a drop on the window.

    Attributes:
        name: what it is: "flyway".
        ending: how names of its files end, ".flyway".
        open: gets the session and the path.
        is_one: returns whether a file with this ending is one, for an ending that other files have too.
        listed: returns files for the action palette, each with the words to list it by.
    """

    name: str
    ending: str
    open: Callable[[Session, Path], Any]
    is_one: Callable[[Path], bool] | None = None
    listed: Callable[[Session], Listed] | None = None
    contract: ClassVar = Contract(
        "file_kind",
        {
            "name": NAME,
            "ending": (
                lambda value: isinstance(value, str) and value[:1] == "." and value.lower() not in ENDINGS,
                f'an ending like ".flyway", none of {", ".join(ENDINGS[:-1])}',
            ),
            "open": CALL,
            "is_one": (lambda value: value is None, "None: its ending says what it is"),
            "listed": (lambda value: value is None, "None: only the program's own kinds are listed"),
        },
    )


def kind_of(path: Path, kinds: Iterable[FileKind]) -> FileKind | None:
    """Return the kind of an existing file, or None."""
    if not os.path.isfile(path):
        return None
    having = (kind for kind in kinds if path.name.lower().endswith(kind.ending.lower()))
    return next((kind for kind in having if kind.is_one is None or kind.is_one(path)), None)


def dialog_kinds(kinds: Iterable[FileKind]) -> list[FileType]:
    """Return what the dialog for opening offers of these kinds: those whose files are known by their ending."""
    from sandbox.app.files.dialog import FileType  # it loads libraries of the window, which `sandbox.api` does without

    return [FileType(f"{kind.name} ({kind.ending})", (kind.ending,)) for kind in kinds if kind.is_one is None]
