"""Parses and checks the head of a recording: numbers, mods, branches and markers."""

from __future__ import annotations

from typing import Any

from sandbox.past.branch import Branch

MOST_TICK = 2**62
MOST_BRANCHES = 4096


def whole(table: dict[str, Any], key: str, low: int, high: int) -> int:
    """Return the integer of a key.

    Raises:
        ValueError: it is missing, no integer, or out of range.
    """
    value = table.get(key)
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{key} = {value!r:.60}: must be {low} to {high}")
    return value


def mods_said(head: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return id, version and content digest of each mod."""
    mods = head.get("mods")
    if not isinstance(mods, list) or not all(
        isinstance(mod, list) and len(mod) == 3 and all(isinstance(part, str) for part in mod) for mod in mods
    ):
        raise ValueError("mods: must be a list of [id, version, content]")
    return [tuple(mod) for mod in mods]


def branches_said(head: dict[str, Any], first: int) -> list[Branch]:
    """Return the branches, without their commands."""
    tables = head.get("branches")
    if not isinstance(tables, list) or not 0 < len(tables) <= MOST_BRANCHES:
        raise ValueError(f"branches: must be a list of 1 to {MOST_BRANCHES}")
    found: list[Branch] = []
    for table in tables:
        if not isinstance(table, dict):
            raise ValueError("branches: must be tables")
        parent = found[whole(table, "parent", 0, len(found) - 1)] if found else None
        low, high = (parent.at, parent.last) if parent else (first, first)
        at = whole(table, "at", low, high)
        found.append(Branch(parent, at, whole(table, "last", at, MOST_TICK)))
    return found


def markers_said(head: dict[str, Any], branches: list[Branch]) -> dict[tuple[Branch, int], str]:
    """Return the names of ticks, by branch and tick."""
    markers = head.get("markers")
    found = {}
    for marker in markers if isinstance(markers, list) else [None]:
        if not isinstance(marker, list) or len(marker) != 3 or not isinstance(marker[2], str):
            raise ValueError("markers: must be a list of [branch, tick, name]")
        said = dict(zip(("branch", "tick"), marker[:2], strict=True))
        branch = branches[whole(said, "branch", 0, len(branches) - 1)]
        found[branch, whole(said, "tick", branch.at, branch.last)] = marker[2]
    return found
