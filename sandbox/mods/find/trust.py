"""Which mods a person enabled: the digests of their contents by id, in a file beside the settings.

    [enabled.magnet]
    5f70bf18a08600... = "/home/me/mods/magnet"

Mods are programs with full rights, so content that is not in this file is not run. A mod may be in several folders,
with different content in each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, MutableMapping
from pathlib import Path

import tomli
import tomlkit
from platformdirs import user_config_path

from sandbox.files import WriteError, free_name, make_folder, read_file, write_atomically
from sandbox.mods.find.content import Content, read_content
from sandbox.mods.find.finding import Found, Origin
from sandbox.mods.find.manifest import ModError

_DIGEST = re.compile("[0-9a-f]{64}")


def trust_file() -> Path:
    """Return the path of the file that says which mods are enabled."""
    return user_config_path("boids-sandbox", appauthor=False) / "mods.toml"


class Trust:
    """The enabled mods.

    Attributes:
        enabled: for each mod, by id, the folders by the digest of their content; "" if the folder is unknown.
        wrong: what is wrong with the file, a sentence, or empty. Entries with mistakes are not enabled.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Read the file; `path` replaces the default one of the user."""
        self.path = path or trust_file()
        self.enabled: dict[str, dict[str, str]] = {}
        self.wrong = self._read()

    def _read(self) -> str:
        """Read the file into `enabled`; return what is wrong with it, or an empty string."""
        try:
            data = tomli.loads(read_file(self.path).decode())
        except FileNotFoundError:
            return ""
        except (OSError, ValueError, RecursionError) as error:
            return f"{self.path}: can't be read, so no mod is enabled: {error}"
        enabled = data.get("enabled", {})
        if not isinstance(enabled, dict):
            return f"{self.path}: enabled must be a table, so no mod is enabled"
        self.enabled = {id: digests for id, stored in enabled.items() if (digests := _digests(stored))}
        wrong = [id for id in enabled if id not in self.enabled]
        return f"{self.path}: not enabled, because they have no digest: {', '.join(wrong)}" if wrong else ""

    def allows(self, id: str, digest: str) -> bool:
        """Return whether a mod may run with this content."""
        return digest in self.enabled.get(id, {})

    def knows(self, id: str, folder: Path) -> bool:
        """Return whether a mod in this folder was once enabled, whatever its content was."""
        return not {str(folder), ""}.isdisjoint(self.enabled.get(id, {}).values())

    def preferred(self, found: Iterable[Found]) -> dict[Found, Content | None]:
        """Return the mods that go before others with the same id, because a person named or enabled them.

        These are, for each id, the mods that may run, with their contents; if there are none, those whose files have
        changed since they were enabled, with None.
        """
        may_run: dict[Found, Content | None] = {}
        changed: dict[Found, Content | None] = {}
        for one in found:
            is_named = one.origin is Origin.NAMED
            if one.manifest is None or not (is_named or one.id in self.enabled):
                continue
            try:
                content = read_content(one.folder)
            except ModError:
                content = None
            if content and (is_named or self.allows(one.id, content.digest)):
                may_run[one] = content
            elif is_named or self.knows(one.id, one.folder):
                changed[one] = None
        known = {one.id for one in may_run}
        return may_run | {one: None for one in changed if one.id not in known}

    def enable(self, id: str, digest: str, folder: Path | str = "") -> None:
        """Enable a mod with this content, and no longer with earlier content of this folder.

        Raises:
            WriteError: the file can't be written; nothing has changed.
        """
        table, document = self._kept()
        others = {known: there for known, there in _digests(table.get(id)).items() if there not in ("", str(folder))}
        table[id] = others | {digest: str(folder)}
        self._keep(document)
        self.enabled[id] = others | {digest: str(folder)}

    def disable(self, id: str) -> None:
        """Disable a mod.

        Raises:
            WriteError: the file can't be written; nothing has changed.
        """
        table, document = self._kept()
        table.pop(id, None)
        self._keep(document)
        self.enabled.pop(id, None)

    def _kept(self) -> tuple[MutableMapping[str, object], tomlkit.TOMLDocument]:
        """Read the file anew, because another window may have written it; return its table of mods and all of it."""
        document = tomlkit.document()
        try:
            document = tomlkit.parse(read_file(self.path).decode())
        except FileNotFoundError:
            pass
        except (OSError, ValueError, RecursionError):
            self._put_aside()
        table = document.get("enabled")
        if not isinstance(table, MutableMapping):
            table = document["enabled"] = tomlkit.table()
        return table, document

    def _put_aside(self) -> None:
        """Rename a file that can't be read, so that it is not overwritten."""
        try:
            self.path.rename(free_name(self.path.with_name("mods-unread.toml")))
        except OSError as error:
            raise WriteError(f"{self.path}: can't be read or moved aside: {error.strerror}") from error

    def _keep(self, document: tomlkit.TOMLDocument) -> None:
        make_folder(self.path.parent)
        write_atomically(self.path, tomlkit.dumps(document).encode())


def _digests(stored: object) -> dict[str, str]:
    """Return the folders by digest from the file's entry for one mod, which may also be a digest alone."""
    stored = {stored: ""} if isinstance(stored, str) else stored
    if not isinstance(stored, Mapping):
        return {}
    return {
        str(digest): str(folder)
        for digest, folder in stored.items()
        if isinstance(folder, str) and _DIGEST.fullmatch(str(digest))
    }
