"""Checks an entry that is not from a file: converts it to a `[[spawn]]` table, and reads that as a file's."""

from __future__ import annotations

from typing import Any

from components.store.fields import by_key, declared
from components.store.world import World
from sandbox.design.entries import read_entry, written_entry
from sandbox.design.scene import Entry
from sandbox.design.scene_schema import Keys
from sandbox.edit.command import find_prefab
from sandbox.toml.schemas import Many, Numbers
from sandbox.toml.value_source import ValueSource, plain

KEYS = declared(Keys)
PLACES = Many(Numbers(KEYS["x"], KEYS["y"], KEYS["z"], help="a place (u)"), "[[x, y], [x, y], ...]")


def check_entry(world: World, entry: Entry) -> None:
    """Check all values of an entry.

    Raises:
        ValueError: a value is invalid; the message says what would be right.
    """
    find_prefab(world, entry.prefab)
    known = by_key(field for form in world.table.forms.values() for field in form.fields)
    read_entry(world, written_entry(entry, known, tuple(world.prefabs)))


def check_places(world: World, places: Any) -> None:
    """Check a list of places; only in a world with depth may they have three numbers.

    Raises:
        ValueError: a place is invalid; the message says what would be right.
    """
    source = ValueSource({"places": to_file_types(places)})
    PLACES.read(source, ("places",), source.data["places"])
    source.refuse_mistakes()
    if any(len(place) > len(world.table.axes) for place in places):
        raise ValueError("places of three numbers: this world is flat")


def to_file_types(value: Any) -> Any:
    """Convert a value to the types that files have; raise ValueError if it has no such type."""
    try:
        return plain(value)
    except TypeError as error:
        raise ValueError(str(error)) from None
