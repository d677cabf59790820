"""What the paths in a file may look like; the text is judged before the disk or the network is touched."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sandbox.toml.key_places import KeyPath
from sandbox.toml.schemas import Text, refuse
from sandbox.toml.source import TomlSource


class OwnPath(Text):
    """The path of a file of this computer: merely to look for one of another computer would call that on Windows."""

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        if isinstance(value, str) and re.match(r"\s*[/\\]{2}", value):
            return refuse(source, path, "must be a file of this computer")
        return super().read(source, path, value)


class InnerPath(Text):
    """The path of a file in the folder of the file that names it, whose content may be copied or shown."""

    def read(self, source: TomlSource, path: KeyPath, value: Any) -> Any:
        read = super().read(source, path, value)
        return refuse(source, path, wrong) if read is value and (wrong := self.wrong(value)) else read

    def wrong(self, text: str) -> str:
        """Return why a text can't be such a path; empty if it can."""
        parts = text.split("/")
        if text.isprintable() and not any(sign in text for sign in "\\:") and all(part.strip(" .") for part in parts):
            return ""
        beside = re.split(r"[/\\:]", text)[-1]
        return f'must lie in the folder of this file: copy it there, and write file = "{beside}"'


def within(folder: Path, text: str) -> Path | None:
    """Return the file at an `InnerPath` from a folder; None if there is none, or a link leads out of the folder."""
    try:
        inside = (folder / text).resolve().is_relative_to(folder.resolve())
        return folder / text if inside and (folder / text).is_file() else None
    except (OSError, ValueError, RuntimeError):  # links in a circle
        return None
