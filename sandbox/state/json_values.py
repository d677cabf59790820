"""Reading the JSON text of a snapshot: values that must be there, of a kind, and within bounds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from components.store.fields import Field, Kind, Stored, did_you_mean, field_called

MOST_TEXT = 4096
MOST_NUMBER = 2**62  # so that serials never leave int64


def read_json(text: bytes) -> Any:
    """What a JSON text says.

    Raises:
        ValueError: it is none, or a key stands twice in it.
    """
    try:
        found = json.loads(text.decode(), object_pairs_hook=_unique, parse_constant=_no_constant)
        json.dumps(found, ensure_ascii=False).encode()  # "\ud800", half a character, is no text
        return found
    except (ValueError, RecursionError):
        raise ValueError("meta is not a JSON text") from None


def table_of(what: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{what}: must be a table")
    return value


def value_in(table: Mapping[str, Any], key: str, kind: type) -> Any:
    """A value of the table that must be there and of this kind."""
    if key not in table:
        raise ValueError(f"meta: {key} is missing")
    if type(table[key]) is not kind:
        raise ValueError(f"meta: {key} must be a {kind.__name__}, not {short(table[key])}")
    return table[key]


def whole_in(table: Mapping[str, Any], key: str, most: int = MOST_NUMBER) -> int:
    value: int = value_in(table, key, int)
    if not 0 <= value <= most:
        raise ValueError(f"meta: {key} = {short(value)}: must be 0 to {most}")
    return value


def short(value: object) -> str:
    return json.dumps(value)[:40]


def text_in(table: Mapping[str, Any], key: str) -> str:
    value: str = value_in(table, key, str)
    if len(value) > MOST_TEXT:
        raise ValueError(f"meta: {key} must have at most {MOST_TEXT} characters")
    return value


def values_of(
    values: Mapping[str, Any], declared: Mapping[str, Field], prefabs: Mapping[str, int], where: str
) -> dict[str, Stored]:
    """Stored values of the declared fields that a table names."""
    found = {}
    for name, value in values.items():
        field = field_called(name, declared)
        if field is None or not field.in_files:
            near = did_you_mean(name, declared)
            raise ValueError(f"{where}there is no field {name!r}{near}")
        try:
            found[field.name] = field.parse(value, prefabs)
        except (ValueError, OverflowError) as error:
            raise ValueError(f"{where}{field.key} = {short(value)}: {error}") from None
    return found


def exactly(field: Field, value: Any) -> Any:
    """A value as files write it, but a number in full: what is in no column was never rounded to float32."""
    return float(value) if field.kind is Kind.NUMBER else field.show(value)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")
