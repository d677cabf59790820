"""Reloads mods whose files change while the window is open, after asking once for each mod.

A few files are checked in every frame, all of them twice a second.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path

from sandbox.app.questions import Question, nothing
from sandbox.app.session.modding import RIGHTS, SECONDS_TO_READ
from sandbox.app.session.session import Session
from sandbox.language import translate
from sandbox.mods.find.content import is_content, read_content
from sandbox.mods.find.finding import Origin
from sandbox.mods.find.manifest import ModError
from sandbox.mods.find.states import ModState

SECONDS = 0.5  # between two scans of all files
IN_A_FRAME = 20  # files and folders checked per frame

Stamp = Mapping[str, tuple[int, int]]  # by path: modification time, ns, and size


class ModWatch:
    """Scans folders for changed files, a few files per frame."""

    def __init__(self) -> None:
        self._passed = 0.0
        self._walk: Iterator[None] | None = None
        self._seen: dict[Path, Stamp] = {}  # by the last scan
        self._reported: dict[Path, Stamp] = {}  # as last returned

    def pass_time(self, seconds: float, folders: Collection[Path]) -> list[Path]:
        """Check a few files; return folders that are new or have changed, once two scans in a row found the same."""
        self._passed += seconds
        if self._walk is None:
            if self._passed < SECONDS:
                return []
            self._passed, self._found = 0.0, dict[Path, Stamp]()
            self._walk = self._scan(list(folders))
        for _ in range(IN_A_FRAME):
            if next(self._walk, True):
                self._walk = None
                return self._changed()
        return []

    def _scan(self, folders: list[Path]) -> Iterator[None]:
        for folder in folders:
            stamp: dict[str, tuple[int, int]] = {}
            for path, about in _files(str(folder), ""):
                if about is not None:
                    stamp[path] = about.st_mtime_ns, about.st_size
                yield
            self._found[folder] = stamp

    def _changed(self) -> list[Path]:
        rest = [folder for folder, stamp in self._found.items() if stamp == self._seen.get(folder)]
        changed = [folder for folder in rest if self._reported.get(folder) != self._found[folder]]
        self._seen = self._found
        self._reported.update({folder: self._found[folder] for folder in changed})
        return changed


def _files(folder: str, inner: str) -> Iterator[tuple[str, os.stat_result | None]]:
    """Yield each file in `folder`, `inner` of a mod, with its stat result; yield each folder before, with None."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not is_content(name := f"{inner}{entry.name}"):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    yield entry.path, None
                    yield from _files(entry.path, f"{name}/")
                else:
                    yield entry.path, entry.stat()
    except OSError:
        return  # the folder is being changed: the next scan finds out


class ModFiles:
    """Watches the mods that are loaded, and the enabled ones that failed to load."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._watch = ModWatch()
        self._waiting: list[str] = []  # mods whose files have changed
        self._may_reload: set[str] = set()
        self._asked: tuple[str, Question] | None = None
        self._failed: dict[Path, str] = {}
        self._failed_as: dict[str, str] = {}  # by mod, the digest of the content that failed
        self._looked = -1  # `modding.changed` when `_failed` was made

    def pass_time(self, seconds: float) -> None:
        """Reload changed mods; for the first change of a mod in a session, ask before."""
        watched = {mod.folder: mod.id for mod in self._session.services.modding.library.loaded} | self._failing()
        changed = [watched[folder] for folder in self._watch.pass_time(seconds, watched) if folder in watched]
        self._waiting += [mod for mod in changed if mod not in self._waiting]
        if self._asked and self._asked[0] not in watched.values():  # the mod was switched off meanwhile
            self._session.asking.questions[:] = [
                one for one in self._session.asking.questions if one is not self._asked[1]
            ]
            self._asked = None
        while self._waiting and not self._session.asking.waits:
            self._files_changed(self._waiting.pop(0))

    def _failing(self) -> dict[Path, str]:
        modding = self._session.services.modding
        if self._looked != modding.changed:
            self._looked, self._failed = modding.changed, {}
            for one in modding.library.listed() if modding.library.wanted else ():
                if one.state is ModState.FAILED:
                    self._failed[one.found.folder] = one.id
                    self._failed_as[one.id] = _digest(one.found.folder)
        return self._failed

    def _files_changed(self, mod: str) -> None:
        modding = self._session.services.modding
        loaded = next((known for known in modding.library.loaded if known.id == mod), None)
        if loaded and _digest(loaded.folder) == loaded.content.digest:
            return
        folder = loaded.folder if loaded else None
        of_it = (one for one in modding.library.listed() if (one.found.folder == folder if loaded else one.id == mod))
        listed = next(of_it, None)
        if loaded and not listed:
            text = translate(
                "The folder of {mod} is gone: {folder}. The loaded version keeps running until this window closes.",
                mod=mod,
                folder=folder,
            )
            self._session.messages.warn(text, SECONDS_TO_READ)
        if listed is None or (not loaded and _digest(listed.found.folder) == self._failed_as.get(mod)):
            return
        do = partial(modding.reload, mod) if loaded else partial(modding.enable, listed)
        if mod in self._may_reload or listed.found.origin is Origin.NAMED:
            do()
            return

        def load_now() -> None:
            self._may_reload.add(mod)
            do()

        title = listed.found.manifest.title if listed.found.manifest else mod
        text = translate(
            "Files of {title} in {folder} have changed. Reload and enable it? Until this window closes, "
            "every later change is reloaded and enabled at once; the version enabled last stays on at the next start.",
            title=title,
            folder=listed.found.folder,
        )
        text += f"\n\n{translate(RIGHTS)}"
        answers = [("Reload", load_now), ("Keep the loaded version", nothing)]
        self._asked = mod, Question(translate("{title} has changed", title=title), text, answers, by_enter=False)
        self._session.ask(self._asked[1])


def _digest(folder: Path) -> str:
    """Return the digest of a mod's content; "" if it can't be read."""
    try:
        return read_content(folder).digest
    except ModError:
        return ""
