"""Where keys and values of a TOML text stand, from its syntax tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import accumulate
from typing import NamedTuple

import tomli
import tree_sitter
import tree_sitter_toml
from tree_sitter import Node

KeyPath = tuple[str | int, ...]
_LANGUAGE = tree_sitter.Language(tree_sitter_toml.language())
_KEYS = ("bare_key", "quoted_key", "dotted_key")
_STATEMENTS = ("pair", "table", "table_array_element")


class Place(NamedTuple):
    """Line and column of a key, or of an element of an array, from 1, in characters; and its value as written."""

    line: int
    column: int
    written: str = ""


class TableLines(NamedTuple):
    """Where a table stands, in bytes of UTF-8."""

    begin: int
    header_end: int
    pairs_end: int


def table_lines(raw: bytes) -> list[TableLines]:
    """Where each table with a header stands, in their order; first what stands before all of them.

    Raises:
        ValueError: it is written in a way that the grammar does not know.
    """
    root = tree_sitter.Parser(_LANGUAGE).parse(raw).root_node
    if root.has_error:
        raise ValueError("written in a way that the grammar of TOML does not know")
    found = [TableLines(0, 0, 0)]
    for node in _children(root):
        if node.type == "pair":
            found[0] = TableLines(0, 0, node.end_byte)
        elif node.type in _STATEMENTS:
            header_end = next(child.end_byte for child in node.children if child.type in ("]", "]]"))
            pairs = [child.end_byte for child in _children(node) if child.type == "pair"]
            found.append(TableLines(node.start_byte, header_end, max(pairs, default=header_end)))
    return found


class Places:
    """The places of a text, found by walking only to the paths that are asked for."""

    def __init__(self, text: str) -> None:
        self._raw = text.encode("utf-8", "replace")
        self._lines = self._raw.split(b"\n")
        self._root = tree_sitter.Parser(_LANGUAGE).parse(self._raw).root_node

    def find(self, paths: Iterable[KeyPath]) -> dict[KeyPath, Place]:
        """The place of each path; what has none of its own has that of what holds it; the file's is 1, 1."""
        paths = list(paths)
        walk = _Walk(self._raw, {way for path in paths for way in accumulate((part,) for part in path)})
        walk.document(self._root)
        return {path: self._place(path, walk) for path in paths}

    def key_before(self, line: int, column: int) -> tuple[int, int] | None:
        """Where the key stands of the pair or table that ends just before a place, itself from `Place`s."""
        before = self._lines[line - 1].decode()[: column - 1]
        point = (line - 1, max(len(before.encode()) - 1, 0))
        node = self._root.descendant_for_point_range(point, point)
        while node is not None and node.type not in _STATEMENTS:
            node = node.parent
        key = _key(node) if node is not None else None
        return self._point(key) if key else None

    def _place(self, path: KeyPath, walk: _Walk) -> Place:
        value = walk.values.get(path)
        written = "" if value is None else self._raw[value.start_byte : value.end_byte].decode("utf-8", "replace")
        while path:
            if path in walk.keys:
                return Place(*self._point(walk.keys[path]), written)
            path = path[:-1]
        return Place(1, 1, written)

    def _point(self, node: Node) -> tuple[int, int]:
        row, byte = node.start_point
        return row + 1, len(self._lines[row][:byte].decode("utf-8", "replace")) + 1


class _Walk:
    """Notes the nodes of the wanted paths; the first of a path counts, and each `[[name]]` by itself."""

    def __init__(self, raw: bytes, wanted: set[KeyPath]) -> None:
        self.raw, self.wanted = raw, wanted
        self.last = {path[:-1]: 0 for path in wanted}
        for path in wanted:
            if isinstance(path[-1], int):
                self.last[path[:-1]] = max(self.last[path[:-1]], path[-1])
        self.keys: dict[KeyPath, Node] = {}
        self.values: dict[KeyPath, Node] = {}

    def document(self, root: Node) -> None:
        elements: dict[KeyPath, int] = {}
        for node in _children(root):
            key = _key(node) if node.type in _STATEMENTS else None
            if key is None:
                continue
            if node.type == "pair":
                self.pair((), node)
                continue
            path: KeyPath = ()
            part = key
            for name, part in self.parts(key):
                path = (*path, elements[path]) if path in elements else path  # [spawn.Look]: of the last [[spawn]]
                path = (*path, name)
                self.note(path, part)
            if node.type == "table_array_element":
                elements[path] = elements.get(path, -1) + 1
                path = (*path, elements[path])
                self.note(path, part)
            if path in self.wanted:
                for child in _children(node):
                    self.pair(path, child)

    def note(self, path: KeyPath, node: Node) -> None:
        if path in self.wanted:
            self.keys.setdefault(path, node)

    def pair(self, path: KeyPath, node: Node) -> None:
        key = _key(node) if node.type == "pair" else None
        if key is None:
            return
        for name, part in self.parts(key):
            path = (*path, name)
            self.note(path, part)
        *_, value = (child for child in _children(node) if child.type != "comment")  # one behind the value
        if path in self.wanted and value.type not in _KEYS:
            self.value(path, value)

    def value(self, path: KeyPath, node: Node) -> None:
        self.values.setdefault(path, node)
        if path not in self.last:
            return
        if node.type == "inline_table":
            for child in _children(node):
                self.pair(path, child)
        elif node.type == "array":
            elements = (child for child in _children(node) if child.type not in ("comment", "ERROR"))
            for place, element in zip(range(int(self.last[path]) + 1), elements):
                self.note((*path, place), element)
                if (*path, place) in self.wanted:
                    self.value((*path, place), element)

    def parts(self, key: Node) -> Iterator[tuple[str, Node]]:
        """The names of a key like `prefabs."big fish".Look`, each with its node."""
        if key.type == "dotted_key":
            for child in key.named_children:
                yield from self.parts(child)
            return
        text = self.raw[key.start_byte : key.end_byte].decode("utf-8", "replace")
        if key.type == "quoted_key":
            with suppress(tomli.TOMLDecodeError):
                text = next(iter(tomli.loads(f"{text} = 0")))
        yield text, key


def _children(node: Node) -> Iterator[Node]:
    """The named children, one after the other: a list of millions would take gigabytes."""
    cursor = node.walk()
    more = cursor.goto_first_child()
    while more:
        child = cursor.node
        if child is not None and child.is_named:
            yield child
        more = cursor.goto_next_sibling()


def _key(node: Node) -> Node | None:
    """The key of a pair or a table's header."""
    first = (node.child(place) for place in range(min(node.child_count, 3)))
    return next((child for child in first if child.type in _KEYS), None)
