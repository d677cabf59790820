"""Which mods a person enabled: ids with the digest of what was enabled, kept in a file beside the settings.

    [enabled]
    magnet = "5f70bf18a08600..."

Mods are programs with full rights: what stands not in this file, or has another content by now, is not run.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from pathlib import Path

import tomli
import tomlkit
from platformdirs import user_config_path

from sandbox.files import WriteError, free_name, make_folder, read_file, write_atomically

_DIGEST = re.compile("[0-9a-f]{64}")


def trust_file() -> Path:
    """Where it is kept which mods are enabled."""
    return user_config_path("boids-sandbox", appauthor=False) / "mods.toml"


class Trust:
    """Which mods are enabled.

    Attributes:
        enabled: the digest of each mod's content when it was enabled, by id.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or trust_file()
        self.enabled: dict[str, str] = {}

    def enable(self, id: str, digest: str) -> None:
        """Let a mod run while its content is this one.

        Raises:
            WriteError: it can't be kept; then nothing has changed.
        """
        table, document = self._kept()
        table[id] = digest
        self._keep(document)
        self.enabled[id] = digest

    def disable(self, id: str) -> None:
        """Let a mod run no more.

        Raises:
            WriteError: it can't be kept; then nothing has changed.
        """
        table, document = self._kept()
        table.pop(id, None)
        self._keep(document)
        self.enabled.pop(id, None)

    def _kept(self) -> tuple[MutableMapping[str, object], tomlkit.TOMLDocument]:
        """The file as it stands now, for another window may have written it, and its table of enabled mods."""
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
        """A file that can't be read is kept under another name, not lost."""
        try:
            self.path.rename(free_name(self.path.with_name("mods-unread.toml")))
        except OSError as error:
            raise WriteError(f"{self.path}: can't be read, nor put aside: {error.strerror}") from error

    def _keep(self, document: tomlkit.TOMLDocument) -> None:
        make_folder(self.path.parent)
        write_atomically(self.path, tomlkit.dumps(document).encode())


def read_trust(path: Path | None = None) -> tuple[Trust, str]:
    """What is enabled, and what is wrong with the file: what is not right there is not enabled."""
    trust = Trust(path)
    try:
        data = tomli.loads(read_file(trust.path).decode())
    except FileNotFoundError:
        return trust, ""
    except (OSError, ValueError, RecursionError) as error:
        return trust, f"{trust.path}: can't be read, so no mod is enabled: {error}"
    enabled = data.get("enabled", {})
    if not isinstance(enabled, dict):
        return trust, f"{trust.path}: enabled must be a table, so no mod is enabled"
    for id, digest in enabled.items():
        if isinstance(digest, str) and _DIGEST.fullmatch(digest):
            trust.enabled[id] = digest
    wrong = [id for id in enabled if id not in trust.enabled]
    return trust, f"{trust.path}: not enabled, for no digest stands there: {', '.join(wrong)}" if wrong else ""
