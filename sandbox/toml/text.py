"""Formats values and tables as TOML, the way a person would write them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import tomlkit

WIDEST = 120  # columns


def written(value: Any) -> str:
    """Format a value on one line: whole numbers without a point, tables in braces."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        is_plain = value.is_integer() and abs(value) < 1e15 and str(value) != "-0.0"
        return str(int(value)) if is_plain else repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return tomlkit.string(value).as_string()
    if isinstance(value, Mapping):
        return braces({key: written(child) for key, child in value.items()})
    return f"[{', '.join(map(written, value))}]"


def braces(pairs: Mapping[str, str]) -> str:
    """Format a table in braces; its values are formatted already."""
    return f"{{ {', '.join(f'{name(key)} = {text}' for key, text in pairs.items())} }}" if pairs else "{}"


@cache
def name(key: str) -> str:
    """Format a key, in quotes if it needs them."""
    return tomlkit.key(key).as_string()


def pair(key: str, value: Any) -> str:
    """Format a line `key = value`; a list of lists that is too long for one line takes several."""
    return f"{name(key)} = {spread_out(value, WIDEST - len(key) - 4)}\n"


def spread_out(value: Any, room: int = WIDEST) -> str:
    """Format a value on one line; a list of lists takes several if the line would be longer than `room`."""
    line = written(value)
    if len(line) <= room or not (isinstance(value, list | tuple) and isinstance(value[0], list | tuple)):
        return line
    rows = ["   "]
    for item in map(written, value):
        if len(rows[-1]) + len(item) + 2 > WIDEST - 20:
            rows.append("   ")
        rows[-1] += f" {item},"
    return "\n".join(["[", *rows, "]"])


def table(header: tuple[str, ...], values: Mapping[str, Any], *, many: bool = False) -> str:
    """Format a table with its header; tables in it that are too long for one line follow under their own header."""
    path = ".".join(map(name, header))
    lines, after = [f"[[{path}]]\n" if many else f"[{path}]\n"], []
    for key, value in values.items():
        line = pair(key, value)
        if isinstance(value, Mapping) and len(line) > WIDEST:
            after.append("\n" + table((*header, key), value))
        else:
            lines.append(line)
    return "".join(lines + after)
