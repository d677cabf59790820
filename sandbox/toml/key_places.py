"""Finds the places of keys and values in a TOML text."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import accumulate, takewhile
from typing import NamedTuple

import tomli

KeyPath = tuple[str | int, ...]
Keys = list[tuple[str, int]]  # the parts of a dotted key, each with the index of its first character
TOKEN = re.compile(
    r'(?P<text>"""[^"\\]*+(?:(?:\\[\s\S]|"{1,2}(?!"))[^"\\]*+)*+"{3,5}'
    r"|'''[^']*+(?:'{1,2}(?!')[^']*+)*+'{3,5}"
    r'|"(?!"")[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
    r"|'(?!'')[^'\n]*+')"
    r"|(?P<comment>\#[^\n]*+)"
    r"|(?P<line>\n\s*+)"
    r"|(?P<sign>[\[\]{}=,])"
    r"|(?P<word>(?:\d{4}-\d\d-\d\d (?=\d))?[\w.:+-]++)"  # a bare key, a number, a date
    r"|(?P<unclosed>[\"'])"
)


class Place(NamedTuple):
    """Line and column of a key or array element, counted from 1 in characters, and its value as written."""

    line: int
    column: int
    written: str = ""


class Header(NamedTuple):
    """A table's header, or the beginning of the text: its path, with an index for each `[[name]]`, and where it is."""

    path: KeyPath
    begin: int
    header_end: int
    pairs_end: int


class Pair(NamedTuple):
    """A pair that is in no braces: its path, that of its table, and where its key and its value begin."""

    path: KeyPath
    table: KeyPath
    begin: int
    value: int
    end: int


class Spans(NamedTuple):
    """All that is in a text, in order: headers, pairs, and by path the spans of values, also in braces and lists."""

    headers: list[Header]
    pairs: list[Pair]
    values: dict[KeyPath, tuple[int, int]]


def spans_of(text: str) -> Spans:
    """Return the spans of a valid text; the first header is its beginning."""
    walk = _Walk(text)
    return Spans(walk.headers, walk.pairs, walk.values)


def find_places(text: str, paths: Iterable[KeyPath]) -> dict[KeyPath, Place]:
    """Return the place of each path in a valid text; a path that is not in it gets its table's, the empty path 1, 1."""
    paths = list(paths)
    walk = _Walk(text, paths)
    return {path: _place(text, path, walk) for path in paths}


def key_before(text: str, at: int) -> int:
    """Return the index in the text of the key of the last pair or header that ends at or before another one."""
    return _Walk(text, until=at).last_key


def line_and_column(text: str, at: int) -> tuple[int, int]:
    """Return line and column, counted from 1, of the character with this index."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _place(text: str, path: KeyPath, walk: _Walk) -> Place:
    written = text[slice(*walk.values.get(path, (0, 0)))]
    while path and path not in walk.keys:
        path = path[:-1]
    return Place(*line_and_column(text, walk.keys.get(path, 0)), written)


class _Walk:
    """One pass over a valid text, or over the beginning of one; an incomplete pair at its end is ignored.

    Attributes:
        keys, values: where the keys begin, and spans of the values, of the wanted paths or of all; the first of a path
            counts, and each `[[name]]` has a path of its own.
        headers, pairs: see `Spans`; only if all paths are wanted.
        last_key: where the key begins of the last pair or header.
    """

    def __init__(self, text: str, wanted: Iterable[KeyPath] | None = None, until: int = sys.maxsize) -> None:
        self.keys: dict[KeyPath, int] = {}
        self.values: dict[KeyPath, tuple[int, int]] = {}
        self.headers, self.pairs = [Header((), 0, 0, 0)], list[Pair]()
        self.last_key = 0
        self._all = wanted is None
        self._sought = {path for path in wanted or () if path}  # wanted and not found yet
        self._wanted = {way for path in self._sought for way in accumulate((part,) for part in path)}
        self._until = until
        tokens = takewhile(lambda token: token.start() <= until, TOKEN.finditer(text))
        self._tokens = (token for token in tokens if token.lastgroup != "comment")
        with suppress(StopIteration):
            self._document()

    def _document(self) -> None:
        table: KeyPath = ()
        elements: dict[KeyPath, int] = {}
        while self._sought or self._all:
            token = next(self._tokens)
            if token[0] == "[":
                table = self._header(token, elements)
            elif token.lastgroup != "line":
                pair = self._pair(table, token)
                if self._all:
                    self.pairs.append(pair)
                    self.headers[-1] = self.headers[-1]._replace(pairs_end=pair.end)

    def _header(self, opens: re.Match[str], elements: dict[KeyPath, int]) -> KeyPath:
        token = next(self._tokens)
        is_array = token[0] == "["
        keys, closes = self._key(next(self._tokens) if is_array else token)
        self._end(keys, closes.start())
        path: KeyPath = ()
        for name, place in keys:
            path = (*path, elements[path]) if path in elements else path  # [spawn.Look] is in the last [[spawn]]
            path = (*path, name)
            self._note(path, place)
        if is_array:
            elements[path] = elements.get(path, -1) + 1
            path = (*path, elements[path])
            self._note(path, keys[-1][1])
            closes = next(self._tokens)
        if self._all:
            self.headers.append(Header(path, opens.start(), closes.end(), closes.end()))
        return path

    def _pair(self, table: KeyPath, token: re.Match[str]) -> Pair:
        keys, _ = self._key(token)
        path = table
        for name, place in keys:
            path = (*path, name)
            self._note(path, place)
        value = next(self._tokens)
        end = self._value(path, value)
        self._end(keys, end)
        return Pair(path, table, keys[0][1], value.start(), end)

    def _end(self, keys: Keys, end: int) -> None:
        if end <= self._until:
            self.last_key = keys[0][1]

    def _key(self, token: re.Match[str]) -> tuple[Keys, re.Match[str]]:
        """Read a key like `prefabs."big fish".Look`; return its parts and the sign behind it."""
        parts: Keys = []
        while token.lastgroup != "sign":
            place = token.start()
            if token.lastgroup == "text":
                parts.append((next(iter(tomli.loads(f"{token[0]} = 0"))), place))
            else:
                for name in token[0].split("."):
                    parts += [(name, place)] if name else []
                    place += len(name) + 1
            token = next(self._tokens)
        return parts, token

    def _value(self, path: KeyPath, token: re.Match[str]) -> int:
        """Read a value; return the index of its end."""
        begin, closes = token.start(), {"[": "]", "{": "}"}.get(token[0], "")
        element = 0
        while closes and (token := next(self._tokens))[0] != closes:
            if token[0] == ",":
                element += 1
            elif token.lastgroup != "line" and closes == "}":
                self._pair(path, token)
            elif token.lastgroup != "line":
                self._note((*path, element), token.start())
                self._value((*path, element), token)
        if self._all or path in self._wanted:
            self.values.setdefault(path, (begin, token.end()))
        return token.end()

    def _note(self, path: KeyPath, place: int) -> None:
        if self._all or path in self._wanted:
            self.keys.setdefault(path, place)
            self._sought.discard(path)
