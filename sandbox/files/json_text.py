"""Reads JSON strictly: no duplicate keys, no NaN or Infinity, no lone surrogates."""

from __future__ import annotations

import json
from typing import Any


def read_table(text: bytes, what: str) -> dict[str, Any]:
    """Parse a JSON object; errors call the text `what`.

    Raises:
        ValueError: the text is not a JSON object, or has a duplicate key.
    """
    try:
        found = json.loads(text.decode(), object_pairs_hook=_unique, parse_constant=_no_constant)
        json.dumps(found, ensure_ascii=False).encode()  # a lone surrogate, "\ud800", can't be encoded
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
