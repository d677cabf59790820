"""A field is declared once: parsing, showing, bounds and messages follow."""

import math

import numpy as np
import pytest

from components import flock, look, motion
from components.store.fields import Kind, choice, colour, component, integer, number, prefabs, switch, vector
from components.store.table import EntityTable

PREFABS = {"boid": 0, "hawk": 1, "wren": 63}


@component
class Sample:
    """One field of every kind."""

    number: float = number(1, "u", 0, 10, "a number", above_low=True)
    integer: int = integer(3, "", 1, 64, "a whole number")
    switch: bool = switch(True, "on or off")
    choice: int = choice("metric", "topological", default="topological", help="one of two")
    colour: int = colour("#e8d9a0", "a colour")
    vector: tuple[float, float] = vector("u", "two numbers", transient=True)
    prefabs: int = prefabs("a set")


DECLARED = [
    field
    for kind in (motion.Position, motion.Velocity, motion.Motion, flock.Perception, flock.Flocker, look.Look)
    for field in kind.fields.values()
]


@pytest.mark.parametrize(
    ("name", "written", "stored"),
    [
        ("number", 2.5, 2.5), ("number", 10, 10.0), ("number", 1e-7, 1e-7), ("number", np.float32(3), 3.0),
        ("integer", 64, 64), ("switch", False, False), ("choice", "metric", 0),
        ("colour", "#00ff7f", 0x00FF7F), ("colour", "#E8D9A0", 0xE8D9A0),
        ("prefabs", ["hawk", "wren"], 1 << 1 | 1 << 63), ("prefabs", [], 0),
    ],
)  # fmt: skip
def test_what_is_written_is_stored(name, written, stored):
    found = Sample.fields[name].parse(written, PREFABS)
    assert found == stored
    assert type(found) is type(stored)


@pytest.mark.parametrize("name", ["number", "integer", "switch", "choice", "colour", "prefabs"])
def test_what_is_shown_parses_to_the_same(name):
    field = Sample.fields[name]
    names = tuple(sorted(PREFABS, key=PREFABS.__getitem__))
    values = {"number": [0.1, 1 / 3, 9.99], "integer": [1, 7, 64], "switch": [False, True], "choice": [0, 1]}
    for stored in values.get(name, [0, 0x0000FF] if name == "colour" else [0, 1, 3]):
        kept = field.dtype.type(stored)
        assert field.dtype.type(field.parse(field.show(kept, names), {n: k for k, n in enumerate(names)})) == kept


def test_a_number_is_shown_as_people_write_it():
    assert Sample.fields["number"].show(np.float32(0.1)) == 0.1


@pytest.mark.parametrize(
    ("name", "written", "message"),
    [
        ("number", 11, "must be above 0, at most 10 (u)"),
        ("number", 0, "must be above 0, at most 10 (u)"),
        ("number", 1e-60, "must be above 0, at most 10 (u)"),
        ("number", math.nan, "must be above 0, at most 10 (u)"),
        ("number", math.inf, "must be above 0, at most 10 (u)"),
        ("number", 10**400, "must be above 0, at most 10 (u)"),
        ("number", "5", "must be a number, above 0, at most 10 (u)"),
        ("number", True, "must be a number, above 0, at most 10 (u)"),
        ("integer", 0, "must be 1 to 64"),
        ("integer", 10**1000, "must be 1 to 64"),
        ("integer", 2.0, "must be a whole number, 1 to 64"),
        ("switch", 1, "must be true or false"),
        ("choice", "metrical", "must be one of metric, topological; did you mean 'metric'?"),
        ("choice", 0, "must be one of metric, topological"),
        ("prefabs", "boid", 'must be a list of prefab names like ["boid"]'),
        ("prefabs", ["hawkk"], "there is no prefab 'hawkk'; did you mean 'hawk'?"),
    ]
    + [
        ("colour", bad, 'must be a colour like "#e8d9a0"')
        for bad in ("red", "#fff", "#+12345", "#1_2345", "#gg0000", 7)
    ],
)
def test_what_is_wrong_is_refused_and_the_message_says_what_is_right(name, written, message):
    with pytest.raises(ValueError, match=r"^must|^there") as refused:
        Sample.fields[name].parse(written, PREFABS)
    assert str(refused.value) == message


def test_a_component_is_named_by_its_fields_keys_and_columns():
    assert Sample.fields["number"].key == "Sample.number"
    assert Sample.fields["vector"].columns == ("Sample.vector.x", "Sample.vector.y")
    table = EntityTable()
    table.declare(Sample)
    assert {key: column.dtype.name for key, column in table.columns.items()} == {
        "Sample.number": "float32", "Sample.integer": "int32", "Sample.switch": "bool", "Sample.choice": "int32",
        "Sample.colour": "uint32", "Sample.vector.x": "float32", "Sample.vector.y": "float32",
        "Sample.prefabs": "uint64",
    }  # fmt: skip


@pytest.mark.parametrize("field", DECLARED, ids=lambda field: field.key)
def test_every_declared_field_keeps_its_default_its_bounds_and_nothing_beyond(field):
    assert field.help
    if field.kind is Kind.VECTOR:
        return
    assert field.parse(field.show(field.default)) == field.default
    if field.kind in (Kind.NUMBER, Kind.INTEGER):
        assert field.unit or field.kind is Kind.INTEGER
        whole = int if field.kind is Kind.INTEGER else float
        assert field.parse(whole(field.high)) == field.high
        assert field.above_low or field.parse(whole(field.low)) == field.low
        for beyond in (whole(field.low) - 1, whole(field.high) + 1):
            with pytest.raises(ValueError, match="must be"):
                field.parse(beyond)
