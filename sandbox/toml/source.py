"""Parses TOML files with the place of every key and value, and is safe against hostile input.

tomli reads the values; places are searched lazily, when a mistake is reported. Input that could exhaust memory or time
is refused first: large files, too many values, deep nesting, long strings, long numbers.
"""

from __future__ import annotations

import math
from collections.abc import Set
from pathlib import Path
from typing import Any, NoReturn

import tomli

from sandbox.files import read_file, reason
from sandbox.toml.key_places import TOKEN, KeyPath, find_places, key_before, line_and_column
from sandbox.toml.mistakes import Mistake, SceneError

LARGEST_FILE = 8 << 20  # bytes
DEEPEST = 16
LONGEST_TEXT = 4096  # characters of a string or key
LARGEST_INTEGER = 2**63 - 1  # TOML's own limit
MOST_TOKENS = 500_000  # words, numbers, strings, signs and lines
HEADER, PART = 8, 4  # extra cost, in tokens, of a [table], and of each part of a key beyond two
MOST_MISTAKES = 200
_DEEPER = {"[": 1, "{": 1, "]": -1, "}": -1}


class TomlSource:
    """A file's text, its data, and the mistakes found in it so far.

    Attributes:
        file: its name in messages.
        data: dicts, lists and values, as tomli returns them.
        largest: the largest whole number allowed.
    """

    largest: float = LARGEST_INTEGER

    def __init__(self, file: str, raw: bytes, most: int = LARGEST_FILE) -> None:
        """Parse a file's bytes, at most `most` of them.

        Raises:
            SceneError: not UTF-8, not TOML, a duplicate key, or beyond the limits above.
        """
        self.file = file
        self._noted: dict[KeyPath, tuple[str, bool]] = {}
        if len(raw) > most:
            raise SceneError([Mistake(file, 0, 0, f"larger than {size_said(most)}")])
        try:
            self.text = raw.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            self.text = raw[: error.start].decode("utf-8-sig", "replace").replace("\r\n", "\n")
            self._refuse_at(len(self.text), "not UTF-8: must be a text file, saved as UTF-8")
        self._refuse_hostile_text()
        self.data = self._parsed()
        self._check_values((), self.data)

    def mistake(self, path: KeyPath, sentence: str, *, shows_value: bool = False) -> None:
        """Note a mistake in the key or element at `path`; only the first one of each path is kept.

        Raises:
            SceneError: with this one there are MOST_MISTAKES.
        """
        self._noted.setdefault(path, (sentence, shows_value))
        if len(self._noted) >= MOST_MISTAKES:
            self.refuse_mistakes()

    def refuse_mistakes(self) -> None:
        """Raise the mistakes that were noted, if there are any.

        Raises:
            SceneError: with all of them.
        """
        if not self._noted:
            return
        places, lines = find_places(self.text, self._noted), self.text.split("\n")
        mistakes = []
        for path, (sentence, shows_value) in self._noted.items():
            line, column, written = places[path]
            what = f"{label(path)} = {_shortened(written)}" if shows_value and written else label(path)
            mistakes.append(Mistake(self.file, line, column, f"{what}: {sentence}".removeprefix(": "), lines[line - 1]))
        mistakes.sort()
        if len(mistakes) >= MOST_MISTAKES:
            mistakes.append(Mistake(self.file, 0, 0, "there may be more mistakes: correct these first"))
        raise SceneError(mistakes)

    def _refuse_at(self, at: int, sentence: str) -> NoReturn:
        """Raise a mistake at a character of the text, before or instead of parsing."""
        begin = self.text.rfind("\n", 0, at) + 1
        stop = self.text.find("\n", at)
        source = self.text[begin : stop if stop >= 0 else None]
        raise SceneError([Mistake(self.file, *line_and_column(self.text, at), sentence, source)])

    def _refuse_hostile_text(self) -> None:
        """Refuse text too costly for the parser: deep brackets, keys of many parts, long numbers, too many tokens."""
        depth = parts = count = 0
        begins = True  # at the beginning of a line
        for token in TOKEN.finditer(self.text):
            count, kind, began, begins = count + 1, token.lastgroup, begins, False
            if kind == "sign":
                if began and token[0] == "[" and not depth and not self.text.startswith("[[", token.start()):
                    count += HEADER
                depth, parts = max(depth + _DEEPER.get(token[0], 0), 0), 0
            elif kind == "line":
                parts, begins = 0, True
            elif kind == "word":
                parts += (dots := token[0].count("."))
                count += PART * max(dots - 1, 0)
                if token.end() - token.start() > LONGEST_TEXT:
                    self._refuse_at(token.start(), f"longer than {LONGEST_TEXT:,} characters")
            elif kind == "unclosed":
                return  # the parser will stop here, too
            if depth > DEEPEST or parts >= DEEPEST:
                self._refuse_at(token.start(), f"nested deeper than {DEEPEST}")
            if count > MOST_TOKENS:
                must = f"more than {MOST_TOKENS:,} words, numbers and signs, the most that a file may have"
                raise SceneError([Mistake(self.file, 0, 0, must)])

    def _parsed(self) -> dict[str, Any]:
        try:
            return tomli.loads(self.text)
        except tomli.TOMLDecodeError as error:
            place, sentence = error.pos, f"{error.msg[:1].lower()}{error.msg[1:]}"
            if error.msg.startswith(("Cannot", "Duplicate")):
                place = key_before(self.text, place)
                sentence = "is given twice: give each key and table once"
            elif error.msg.startswith("Unescaped"):
                place -= 2  # tomli reports the place after the invalid character, which may be the line end
            self._refuse_at(place, sentence)
        except (RecursionError, ValueError, OverflowError) as error:
            raise SceneError([Mistake(self.file, 0, 0, f"not readable as TOML: {str(error)[:200]}")]) from None

    def _check_values(self, path: KeyPath, value: dict[str, Any] | list[Any]) -> None:
        """Note values that are invalid for any key: too deep, too long, dates, numbers not finite or too large."""
        if len(path) >= DEEPEST:
            self.mistake(path, f"nested deeper than {DEEPEST}")
            return
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(child, dict | list):
                self._check_values((*path, key), child)
            elif (wrong := _why_invalid(child, self.largest)) is not None:
                self.mistake((*path, key), wrong, shows_value=True)
            if isinstance(key, str) and len(key) > LONGEST_TEXT:
                self.mistake((*path, key), f"a key must be at most {LONGEST_TEXT:,} characters")


def _why_invalid(value: object, largest: float) -> str | None:
    """Return the reason why a value is invalid for any key, or None."""
    if isinstance(value, str):
        return f"must be at most {LONGEST_TEXT:,} characters" if len(value) > LONGEST_TEXT else None
    if isinstance(value, float):
        return None if math.isfinite(value) else "must be a finite number"
    if isinstance(value, int):
        return None if abs(value) <= largest else "too large a number"
    return "null has no meaning here" if value is None else "dates and times have no meaning here"


def _shortened(written: str) -> str:
    """Shorten a value to one short line."""
    words = " ".join(written[:200].split())
    return words if len(words) <= 40 else f"{words[:39]}…"


def size_said(size: int) -> str:
    """Format a number of bytes."""
    for bytes_of_unit, unit in ((1 << 30, "GB"), (1 << 20, "MB")):
        if size >= bytes_of_unit:
            return f"{size / bytes_of_unit:.0f} {unit}"
    return f"{size / 1024:.0f} kB"


def read_toml(path: Path | str, most: int = LARGEST_FILE) -> TomlSource:
    """Read and parse a file of at most `most` bytes.

    Raises:
        SceneError: it can't be read; see also `TomlSource`.
    """
    try:
        raw = read_file(path, most + 1)
    except OSError as error:
        raise SceneError([Mistake(str(path), 0, 0, f"can't be read: {reason(error)}")]) from None
    return TomlSource(str(path), raw, most)


def keys_of(path: Path | str) -> Set[str]:
    """Return the keys of a TOML file outside of its tables, by which kinds of files differ; none of any other file."""
    if Path(path).suffix.lower() != ".toml":
        return frozenset()
    try:
        return tomli.loads(read_file(path, LARGEST_FILE).decode()).keys()
    except (OSError, ValueError, RecursionError):
        return frozenset()


def read_value(text: str) -> Any:
    """Return a value written as in TOML; a bare word is text."""
    try:
        return tomli.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def label(path: KeyPath) -> str:
    """Format a path as text, relative to its prefab or spawn: "Flocker.cohesion_strength", "at[0]"."""
    return dotted(path[2:] if len(path) > 2 and path[0] in ("spawn", "prefabs") else path)


def dotted(path: KeyPath) -> str:
    """Format a whole path as text: "prefabs.boid.Flocker.cohesion_strength"."""
    words = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    words = words.removeprefix(".")
    return words if len(words) <= 80 else f"{words[:79]}…"
