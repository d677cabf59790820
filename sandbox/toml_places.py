"""Where each key and value of a TOML text stands, from its syntax tree."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import tomli
import tree_sitter
import tree_sitter_toml

KeyPath = tuple[str | int, ...]
_LANGUAGE = tree_sitter.Language(tree_sitter_toml.language())
_KEYS = ("bare_key", "quoted_key", "dotted_key")


class Places:
    """The places of a text: lines and columns from 1, columns in characters.

    Attributes:
        lines: the lines of the text.
    """

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self._raw = text.encode()
        self._raw_lines = self._raw.split(b"\n")
        self._tree = tree_sitter.Parser(_LANGUAGE).parse(self._raw)
        self._keys: dict[KeyPath, tree_sitter.Node] = {}
        self._values: dict[KeyPath, tree_sitter.Node] = {}
        self._index(self._tree.root_node)

    def key(self, path: KeyPath) -> tuple[int, int]:
        """Line and column of the key that `path` ends with, or of the element of an array.

        What has no place of its own (a table only implied) has that of what holds it; the file's is 1, 1.
        """
        while path:
            node = self._keys.get(path)
            if node is not None:
                return self._point(node)
            path = path[:-1]
        return 1, 1

    def value_text(self, path: KeyPath) -> str:
        """A value as it is written; "" when it has no place of its own."""
        node = self._values.get(path)
        return "" if node is None else self._raw[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def key_before(self, line: int, column: int) -> tuple[int, int] | None:
        """Where the key of the pair or table stands that ends just before a place."""
        if line > len(self.lines):
            return None
        byte = len(self.lines[line - 1][: column - 1].encode())
        point = (line - 1, max(byte - 1, 0))
        node = self._tree.root_node.descendant_for_point_range(point, point)
        while node is not None and node.type not in ("pair", "table", "table_array_element"):
            node = node.parent
        key = node and _key(node)
        return self._point(key) if key else None

    def _point(self, node: tree_sitter.Node) -> tuple[int, int]:
        row, byte = node.start_point
        return row + 1, len(self._raw_lines[row][:byte].decode("utf-8", "replace")) + 1

    def _index(self, root: tree_sitter.Node) -> None:
        """Note the place of every key and value. Each key's first place counts."""
        elements: dict[KeyPath, int] = {}
        for node in root.named_children:
            if node.type == "pair":
                self._index_pair((), node)
            elif node.type in ("table", "table_array_element") and (key := _key(node)) is not None:
                path: KeyPath = ()
                part = key
                for name, part in self._parts(key):
                    path = (*path, elements[path]) if path in elements else path  # [spawn.Look]: of the last [[spawn]]
                    path = (*path, name)
                    self._keys.setdefault(path, part)
                if node.type == "table_array_element":
                    elements[path] = elements.get(path, -1) + 1
                    path = (*path, elements[path])
                    self._keys[path] = part
                for child in node.named_children:
                    if child.type == "pair":
                        self._index_pair(path, child)

    def _index_pair(self, base: KeyPath, pair: tree_sitter.Node) -> None:
        key, value = _key(pair), pair.named_children[-1] if pair.named_children else None
        if key is None or value is None:
            return
        path = base
        for name, part in self._parts(key):
            path = (*path, name)
            self._keys.setdefault(path, part)
        self._index_value(path, value)

    def _index_value(self, path: KeyPath, value: tree_sitter.Node) -> None:
        self._values.setdefault(path, value)
        if value.type == "inline_table":
            for child in value.named_children:
                if child.type == "pair":
                    self._index_pair(path, child)
        elif value.type == "array":
            elements = (child for child in value.named_children if child.type not in ("comment", "ERROR"))
            for place, element in enumerate(elements):
                self._keys.setdefault((*path, place), element)
                self._index_value((*path, place), element)

    def _parts(self, key: tree_sitter.Node) -> Iterator[tuple[str, tree_sitter.Node]]:
        """The names of a key like `prefabs."big fish".Look`, each with its node."""
        if key.type == "dotted_key":
            for child in key.named_children:
                yield from self._parts(child)
            return
        text = self._raw[key.start_byte : key.end_byte].decode("utf-8", "replace")
        if key.type == "quoted_key":
            with suppress(tomli.TOMLDecodeError):
                text = next(iter(tomli.loads(f"{text} = 0")))
        yield text, key


def _key(node: tree_sitter.Node) -> tree_sitter.Node | None:
    return next((child for child in node.named_children if child.type in _KEYS), None)
