"""JSON, read strictly: every key once, numbers as JSON has them, and whole characters."""

from __future__ import annotations

import json
from typing import Any


def read_table(text: bytes, what: str) -> dict[str, Any]:
    """The table that a JSON text says; errors call it `what`.

    Raises:
        ValueError: it says none, or a key stands twice in it.
    """
    try:
        found = json.loads(text.decode(), object_pairs_hook=_unique, parse_constant=_no_constant)
        json.dumps(found, ensure_ascii=False).encode()  # "\ud800", half a character, is no text
    except (ValueError, RecursionError):
        raise ValueError(f"{what} is not a JSON text") from None
    if not isinstance(found, dict):
        raise ValueError(f"{what}: must be a table")
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")
