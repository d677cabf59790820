"""A TOML text that follows its data: what changed is spliced into the text, and all else stays as it was written."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any

import tomli

from sandbox.toml.key_places import Header, KeyPath, Pair, Spans, spans_of
from sandbox.toml.text import WIDEST, braces, name, pair, spread_out, table, written

_COMMENTS = re.compile(r"(?:[ \t]*#[^\n]*\n)+(?=[ \t]*(?:\n|\Z))")
Table = dict[str, Any]
VALUE, PAIRS, TABLE = range(3)  # kinds of an edit; of those at one place, pairs come before tables


class SplicedText:
    """A text and its data.

    Attributes:
        data: to be edited in place. A table that is moved to another key is renamed in the text; one that is removed
            from a list takes its text along.
    """

    def __init__(self, text: str, named: Collection[str] = ()) -> None:
        """Parse a valid text.

        Args:
            named: the tables in which each added table gets a header of its own: `[prefabs.boid]`.
        """
        self.data: Table = tomli.loads(text)
        self._text, self._named, self._before = text, named, tomli.loads(text)
        self._homes = {id(each): (path, each) for path, each in _tables((), self.data)}
        self._edits: list[tuple[int, int, int, str]] = []  # span, kind, new text
        self._spans = Spans([], [], {})
        self._headers: defaultdict[KeyPath, list[Header]] = defaultdict(list)  # by each beginning of their paths
        self._pairs: defaultdict[KeyPath, list[Pair]] = defaultdict(list)
        self._begins: dict[int, int] = {}  # by the index in the text of a header, that of the blank lines above it

    def text(self) -> str:
        """Return the text for the present data.

        Raises:
            ValueError: it is written in a way that does not allow these edits.
        """
        if self.data == self._before:
            return self._text
        self._spans, self._edits = spans_of(self._text), []
        for header in self._spans.headers:
            for n in range(len(header.path) + 1):
                self._headers[header.path[:n]].append(header)
        for one in self._spans.pairs:
            for n in range(len(one.path) + 1):
                self._pairs[one.path[:n]].append(one)
        for header, below in pairwise(self._spans.headers):
            end = self._end(header)
            self._begins[below.begin] = end if self._text[end : below.begin].isspace() else below.begin
        self._change((), self._before, self.data)
        text = self._spliced()
        if tomli.loads(text) != self.data:
            raise ValueError("the text can't be edited in place")
        return text

    def _spliced(self) -> str:
        parts, done, is_new = [""], 0, False
        for begin, end, kind, new in sorted(self._edits, key=lambda edit: edit[:3]):
            if begin > done:
                parts += ["\n"] if is_new and self._text[done] != "\n" else []
                parts.append(self._text[done:begin])
                is_new = False
            if kind is not VALUE and parts[-1] and not parts[-1].endswith("\n"):
                parts.append("\n")
            parts += [new] if new else []
            done, is_new = max(done, end), is_new or kind is TABLE
        parts.append("\n" * (is_new and self._text[done : done + 1] not in ("", "\n")))
        return "".join([*parts, self._text[done:]])

    def _change(self, path: KeyPath, before: Table, now: Table) -> None:
        """Edit the text of the table that was at `path`."""
        homes = {key: self._home(value) for key, value in now.items() if isinstance(value, dict)}
        moved = {key: str(home[-1]) for key, home in homes.items() if home and home[:-1] == path}
        stay = before.keys() - moved.values()
        was = {key: moved.get(key, key if key in stay else None) for key in now}
        gone = before.keys() - was.values()
        added = {key: value for key, value in now.items() if was[key] is None}
        if self._is_in_braces(path) and (gone or added):
            self._replace(path, self._braces(path, before, now))
            return
        for key in gone:
            self._delete((*path, key))
        for key, value in now.items():
            old = was[key]
            if old is None:
                continue
            if old != key:
                self._rename((*path, old), key)
            if isinstance(value, dict) and isinstance(before[old], dict):
                self._change((*path, old), before[old], value)
            elif isinstance(value, list) and (*path, old, 0) in self._headers:
                self._change_list((*path, old), value, before[old])
            elif value != before[old]:
                self._replace((*path, old), spread_out(value, WIDEST // 2))
        self._add(path, now, added)

    def _change_list(self, path: KeyPath, now: list[Table], before: list[Table]) -> None:
        """Edit `[[path]]` tables; those that remain must keep their order."""
        homes = [self._home(each) for each in now]
        for n in {*range(len(before))} - {home[-1] for home in homes if home}:
            self._delete((*path, n))
        behind: KeyPath = path
        for each, home in zip(now, homes, strict=True):
            if home:
                behind = home
                self._change(home, before[int(home[-1])], each)
            else:
                self._insert(behind, table(_words(path), each, many=True))

    def _add(self, path: KeyPath, now: Table, added: Table) -> None:
        """Add keys to a table: as pairs, or as tables behind those before them."""
        pairs: Table = {}
        behind = path
        for key, value in now.items():
            inner = (*path, key)
            if key not in added:
                behind = inner if inner in self._headers else behind
            elif not path and isinstance(value, list) and value and isinstance(value[0], dict):
                for each in value:
                    self._insert(behind, table((key,), each, many=True))
            elif not path and isinstance(value, dict) and key in self._named:
                for one, each in value.items():
                    self._insert(behind, table((key, one), each))
            elif isinstance(value, dict) and (not path or (len(path) == 1 and path[0] in self._named)):
                self._insert(behind, table(_words(inner), value))
            else:
                pairs[key] = value
        if pairs:
            self._add_pairs(path, pairs)

    def _add_pairs(self, path: KeyPath, pairs: Table) -> None:
        home = next((header for header in self._headers.get(path, ()) if header.path == path), None)
        dotted = [one for one in self._pairs.get(path, ()) if len(one.table) < len(path) < len(one.path)]
        if home is None and not dotted:
            self._insert(path, table(_words(path), pairs))
            return
        before = "" if home else "".join(f"{name(key)}." for key in _words(path[len(dotted[-1].table) :]))
        place = self._line_end(home.pairs_end if home else dotted[-1].end)
        self._edits.append((place, place, PAIRS, "".join(before + pair(key, value) for key, value in pairs.items())))

    def _insert(self, behind: KeyPath, text: str) -> None:
        """Insert the text of a table behind the last header of a path, or behind the beginning of the text."""
        headers = self._headers.get(behind) if behind else None
        place = self._end(headers[-1] if headers else self._spans.headers[0])
        self._edits.append((place, place, TABLE, f"\n{text}"))

    def _delete(self, path: KeyPath) -> None:
        """Delete all that is at a path; comments above a header stay."""
        for header in self._headers.get(path, ()):
            self._edits.append((self._begins[header.begin], self._end(header), VALUE, ""))
        for one in self._pairs.get(path, ()):
            if one.table[: len(path)] != path:
                begin = self._text.rfind("\n", 0, one.begin) + 1
                self._edits.append((begin, self._line_end(one.end), VALUE, ""))

    def _rename(self, path: KeyPath, key: str) -> None:
        if self._is_in_braces(path) or any(one.table[: len(path)] != path for one in self._pairs.get(path, ())):
            raise ValueError("a key that is no header keeps its name")
        for header in self._headers.get(path, ()):
            words = _words((*path[:-1], key, *header.path[len(path) :]))
            self._edits.append((header.begin, header.header_end, VALUE, f"[{'.'.join(map(name, words))}]"))

    def _replace(self, path: KeyPath, new: str) -> None:
        if path not in self._spans.values:
            raise ValueError("a table with a header can't become a value")
        begin, end = self._spans.values[path]
        self._edits.append((begin, end, VALUE, new))

    def _braces(self, path: KeyPath, before: Table, now: Table) -> str:
        """Format a table in braces; values that did not change are written as they were."""
        parts = {}
        for key, value in now.items():
            same = key in before and before[key] == value and (*path, key) in self._spans.values
            parts[key] = self._text[slice(*self._spans.values[*path, key])] if same else written(value)
        return braces(parts)

    def _home(self, each: Table) -> KeyPath | None:
        """Return the path at which a table was, or None if it is new."""
        path, known = self._homes.get(id(each), ((), None))
        return path if known is each else None

    def _is_in_braces(self, path: KeyPath) -> bool:
        return path in self._spans.values

    def _end(self, header: Header) -> int:
        """Return the end of a table, with comments that directly follow it and are apart from the next header."""
        place = self._line_end(header.pairs_end)
        comments = _COMMENTS.match(self._text, place) if place else None
        return comments.end() if comments else place

    def _line_end(self, place: int) -> int:
        """Return the end, including its newline, of the line that contains the character before `place`."""
        return (self._text.find("\n", place - 1) + 1 or len(self._text)) if place else 0


def _tables(path: KeyPath, value: Any) -> Iterator[tuple[KeyPath, Table]]:
    """Yield all tables in a value, each with its path."""
    if isinstance(value, dict):
        yield path, value
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _tables((*path, key), inner)


def _words(path: KeyPath) -> tuple[str, ...]:
    """Return the path in a header: without indexes."""
    return tuple(part for part in path if isinstance(part, str))
