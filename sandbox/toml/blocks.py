"""Edits a TOML text in place, split into a block for each header: lines that are not edited stay as they are.

tomlkit edits the pairs of one block. It never gets the whole text, because it would reorder tables that do not follow
each other, and would count a comment between two tables to the one above it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from typing import Any

import tomlkit
from tomlkit.items import InlineTable

from sandbox.toml.places import KeyPath, table_spans
from sandbox.toml.text import WIDEST, braces, name, spread_out, written

_COMMENTS = re.compile(r"(?:[ \t]*#[^\n]*\n)+(?=[ \t]*(?:\n|\Z))")


class Block:
    """The lines of a table.

    Attributes:
        path: that of its header; `[[spawn]]` and the tables in it have an index: ("spawn", 3, "Look").
        lead: the blank lines and comments above its header.
        header: its header up to the closing bracket.
        after: new text that follows it.
        is_new: whether it was added after the text was opened.
    """

    def __init__(self, path: KeyPath, lead: str, header: str, rest: str, body: str) -> None:
        self.path, self.lead, self.header = path, lead, header
        self.after: list[str] = []
        self.is_gone = self.is_new = False
        self._rest, self._body = rest, body

    @cached_property
    def pairs(self) -> tomlkit.TOMLDocument:
        """Its pairs, to read and edit; parsed when first used."""
        return tomlkit.parse(self._body)

    @property
    def text(self) -> str:
        """The text of its header and pairs."""
        body = self.pairs.as_string() if "pairs" in vars(self) else self._body
        return _joined([self.header + self._rest, body])


class Blocks:
    """A text that is edited by the paths of its values."""

    def __init__(self, text: str) -> None:
        """Split a valid text into blocks."""
        self.blocks: list[Block] = []
        self._filed: dict[KeyPath, list[Block]] = defaultdict(list)
        done = 0
        for path, begin, header_end, pairs_end in table_spans(text):
            rest_end, body_end = _line_end(text, header_end), _comments_end(text, _line_end(text, pairs_end))
            lead, header, rest = text[done:begin], text[begin:header_end], text[header_end:rest_end]
            self._file(Block(path, lead, header, rest, text[rest_end:body_end]))
            done = body_end
        self._tail = text[done:]

    def text(self, wanted: Callable[[Block], bool] = lambda block: True) -> str:
        """Return the present text of all or some blocks. Comments above a deleted table stay."""
        parts: list[str] = []
        is_new = False
        for block in filter(wanted, self.blocks):
            if not block.is_gone:
                parts += ["\n" * (is_new and not block.lead.startswith("\n")), block.lead, block.text]
            elif "#" in block.lead:
                parts.append(block.lead)
            parts += block.after
            is_new = bool(block.after) or block.is_new
        return _joined([*parts, self._tail])

    def last(self, path: KeyPath) -> Block | None:
        """Return the last block of a table and its subtables, even if it is deleted."""
        blocks = self.blocks if len(path) < 2 else self._filed[path[:2]]
        return next((block for block in reversed(blocks) if block.path[: len(path)] == path), None)

    def set(self, path: KeyPath, value: Any) -> None:
        """Set a key of a table that is in the text.

        Raises:
            LookupError, TypeError, ValueError, TOMLKitError: the text is written in a way that does not allow it.
        """
        block = self._home(path)
        keys = path[len(block.path) :]
        inside: Any = block.pairs
        for depth, key in enumerate(keys[:-1]):
            if isinstance(inside, dict) and key not in inside:
                for inner in reversed(keys[depth + 1 :]):
                    value = {inner: value}
                keys = keys[: depth + 1]
                break
            outside, inside = inside, inside[key]
        if keys[-1] not in inside and _is_in_braces(inside):
            outside[keys[-2]] = tomlkit.value(braces({**_pairs(inside), str(keys[-1]): written(value)}))
        else:
            inside[keys[-1]] = tomlkit.value(spread_out(value, WIDEST // 2))

    def delete(self, path: KeyPath) -> None:
        """Delete a key or a whole table.

        Raises:
            LookupError, TypeError, ValueError, TOMLKitError: the text is written in a way that does not allow it.
        """
        for block in self._candidates(path):
            if block.path[: len(path)] == path:
                block.is_gone = True
            elif block.path == path[: len(block.path)]:
                keys = path[len(block.path) :]
                outside: Any = {}
                inside: Any = block.pairs
                for key in keys[:-1]:
                    outside, inside = inside, {} if isinstance(inside, dict) and key not in inside else inside[key]
                if isinstance(inside, dict) and keys[-1] not in inside:
                    continue
                del inside[keys[-1]]
                if _is_in_braces(inside):
                    outside[keys[-2]] = tomlkit.value(braces(_pairs(inside)))

    def rename(self, names: dict[str, str], within: str) -> None:
        """Rename tables inside the table `within`; names: the new ones by old name."""
        for block in self.blocks:
            if len(block.path) > 1 and block.path[0] == within and block.path[1] in names:
                block.path = (within, names[str(block.path[1])], *block.path[2:])
                block.header = f"[{'.'.join(name(str(key)) for key in block.path)}]"
            elif within in block.pairs if not block.path else block.path == (within,):
                inside: Any = block.pairs if block.path else block.pairs[within]
                if not names.keys().isdisjoint(inside):
                    raise ValueError("a key that is no header keeps its name")
        renamed, self._filed = self._filed, defaultdict(list)
        for block in (block for blocks in renamed.values() for block in blocks):
            self._filed[block.path[:2]].append(block)

    def insert(self, text: str, after: Block) -> None:
        """Insert the text of one table behind a block, as a block that can be edited itself."""
        for block in Blocks(text).blocks[1:]:
            block.lead, block.is_new = block.lead or "\n", True
            self.blocks.insert(self.blocks.index(after) + 1, block)
            self._filed[block.path[:2]].append(block)
            after = block

    def _file(self, block: Block) -> None:
        self.blocks.append(block)
        self._filed[block.path[:2]].append(block)

    def _candidates(self, path: KeyPath) -> list[Block]:
        """Return the blocks, without deleted ones, that may contain a path."""
        prefixes = dict.fromkeys((path[:2], path[:1], ()))
        return [block for prefix in prefixes for block in self._filed[prefix] if not block.is_gone]

    def _home(self, path: KeyPath) -> Block:
        """Return the block that contains a path or, if the path is new, the block to add it to."""
        found = [block for block in self._candidates(path) if block.path == path[: len(block.path)] != path]
        found.sort(key=lambda block: -len(block.path))
        for block in found:
            if block.path == path[:-1] or path[len(block.path)] in block.pairs:
                return block
        table = path[: min(2, len(path) - 1)]
        if len(found[0].path) < len(table) and (inner := self.last(table)):
            self.insert(f"[{'.'.join(name(str(key)) for key in table)}]\n", inner)
            return self._home(path)
        return found[0]


def _is_in_braces(inside: Any) -> bool:
    """Return whether this is a table in braces on one line; when tomlkit edits one, blanks and commas become uneven."""
    return isinstance(inside, InlineTable) and "\n" not in inside.as_string()


def _pairs(inside: InlineTable) -> dict[str, str]:
    return {str(key): item.as_string().strip() for key, item in inside.items()}


def _joined(parts: list[str]) -> str:
    """Join the parts to one text, each on lines of its own."""
    parts = [part for part in parts if part]
    return "".join(part if part.endswith("\n") else f"{part}\n" for part in parts[:-1]) + "".join(parts[-1:])


def _line_end(text: str, offset: int) -> int:
    """Return the end, including its newline, of the line that contains the character before `offset`."""
    return (text.find("\n", offset - 1) + 1 or len(text)) if offset else 0


def _comments_end(text: str, offset: int) -> int:
    """Return the end of the comments that directly follow a table's last line and are apart from the next header."""
    comments = _COMMENTS.match(text, offset) if offset else None
    return comments.end() if comments else offset
