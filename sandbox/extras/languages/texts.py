"""Reads language tables: files with lines `"Save" = "Speichern"`, each with the English text as its key.

Built-in tables are in this folder. A person's own are in the folder `languages` beside the settings, and override the
built-in lines. docs/languages.md tells how to write one.
"""

from __future__ import annotations

from pathlib import Path
from string import Formatter

from platformdirs import user_config_path

from sandbox.toml.source import read_toml

OWN_NAME = "This language"  # the key of a language's own name
BUNDLED = Path(__file__).parent


def languages() -> dict[str, str]:
    """Return the own name of each language that has a table, by its code."""
    found: dict[str, str] = {}
    for file in (file for folder in _folders() for file in sorted(folder.glob("*.toml"))):
        try:
            found[file.stem] = read_table(file).get(OWN_NAME, found.get(file.stem, file.stem))
        except ValueError:
            found.setdefault(file.stem, file.stem)  # the message comes when it is chosen
    return found


def table_of(language: str) -> dict[str, str]:
    """Return the table of a language, empty if there is none.

    Raises:
        SceneError: a file is invalid; the message says why.
    """
    files = [folder / f"{language}.toml" for folder in _folders()]
    return {key: text for file in files if file.exists() for key, text in read_table(file).items()}


def read_table(file: Path) -> dict[str, str]:
    """Read the table in one file.

    Raises:
        SceneError: it is not TOML, or a value is not a text with the placeholders of its key.
    """
    source = read_toml(file)
    for key, text in source.data.items():
        if not isinstance(text, str):
            source.mistake((key,), 'must be a text: "Open ..." = "Öffnen …"')
        elif (have := _placeholders(text)) is None:
            source.mistake((key,), "has a { or } that is not a placeholder: write {{ or }}")
        elif have != (wanted := _placeholders(key) or set()):
            source.mistake((key,), f"must have the placeholders of its key: {' '.join(sorted(wanted)) or 'none'}")
    source.refuse_mistakes()
    return source.data


def _folders() -> tuple[Path, Path]:
    return BUNDLED, user_config_path("boids-sandbox", appauthor=False) / "languages"


def _placeholders(text: str) -> set[str] | None:
    """Return the placeholders of a text as written, such as "{count:,}"; None if the braces are invalid."""
    try:
        parts = [(name, how, spec) for _, name, spec, how in Formatter().parse(text) if name is not None]
    except ValueError:
        return None
    return {f"{{{name}{f'!{how}' if how else ''}{f':{spec}' if spec else ''}}}" for name, how, spec in parts}
