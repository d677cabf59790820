"""A field is declared once: parsing, showing, bounds and messages follow."""

import math
import re
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components import flock, guidance, life, look, motion, predation, terrain, wind
from components.store.declare import choice, colour, component, grid, integer, number, prefabs, quantity, switch, vector
from components.store.fields import AMOUNT_SCALE, Field, Kind
from components.store.handles import Component
from components.store.prefab import Prefab
from components.store.records import limits
from components.store.table import EntityTable
from components.store.world import World
from tests.values import anything

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
    amount: int = quantity(2.5, 0, 1e6, "of which nothing is lost")


DECLARED = [
    field
    for module in (motion, flock, look, predation, terrain, wind, life, guidance)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Component) and kind is not Component
    for field in kind.fields.values()
]


@pytest.mark.parametrize(
    ("name", "written", "stored"),
    [
        ("number", 2.5, 2.5), ("number", 10, 10.0), ("number", 1e-7, 1e-7), ("number", np.float32(3), 3.0),
        ("integer", 64, 64), ("switch", False, False), ("choice", "metric", 0),
        ("colour", "#00ff7f", 0x00FF7F), ("colour", "#E8D9A0", 0xE8D9A0),
        ("prefabs", ["hawk", "wren"], 1 << 1 | 1 << 63), ("prefabs", [], 0),
        ("amount", 1, AMOUNT_SCALE), ("amount", 0.1, round(0.1 * AMOUNT_SCALE)), ("amount", 1e6, 10**6 * AMOUNT_SCALE),
        ("amount", 1e-9, 0), ("amount", np.int32(5000), 5000 * AMOUNT_SCALE),
        ("amount", np.float32(0.5), AMOUNT_SCALE // 2),
    ],
)  # fmt: skip
def test_what_is_written_is_stored(name, written, stored):
    found = Sample.fields[name].parse(written, PREFABS)
    assert found == stored
    assert type(found) is type(stored)


@pytest.mark.parametrize("name", ["number", "integer", "switch", "choice", "colour", "prefabs", "amount"])
def test_what_is_shown_parses_to_the_same(name):
    field = Sample.fields[name]
    names = tuple(sorted(PREFABS, key=PREFABS.__getitem__))
    values = {"number": [0.1, 1 / 3, 9.99], "integer": [1, 7, 64], "switch": [False, True], "choice": [0, 1]}
    values |= {"amount": [0, 1, 104_858, AMOUNT_SCALE, 10**12 + 1, 10**6 * AMOUNT_SCALE]}
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
        ("amount", -0.1, "must be 0 to 1,000,000"),
        ("amount", 1_000_001, "must be 0 to 1,000,000"),
        ("amount", math.nan, "must be 0 to 1,000,000"),
        ("amount", 10**400, "must be 0 to 1,000,000"),
        ("amount", "5", "must be a number, 0 to 1,000,000"),
        ("amount", True, "must be a number, 0 to 1,000,000"),
        ("prefabs", "boid", 'must be a list of prefab names like ["boid"]'),
        ("prefabs", ["hawkk"], "there is no prefab 'hawkk'; did you mean 'hawk'?"),
        ("prefabs", [["boid"]], "there is no prefab ['boid']"),
        ("prefabs", [{}], "there is no prefab {}"),
        ("prefabs", [1], "there is no prefab 1"),
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


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda: number(5, "", 0, 1, "n"), "default = 5: must be 0 to 1"),
        (lambda: number(5, "", 10, 1, "n"), "the lowest, 10, is above the highest, 1"),
        (lambda: number(0, "u", 0, 1, "n", above_low=True), "default = 0: must be above 0, at most 1 (u)"),
        (lambda: number(math.nan, "", 0, 1, "n"), "default = nan: must be 0 to 1"),
        (lambda: number(math.inf, "", 0, 1, "n"), "default = inf: must be 0 to 1"),
        (
            lambda: number(1, "", 0, math.inf, "n"),
            "highest = inf: must be a number, -3.402823466e+38 to 3.402823466e+38",
        ),
        (
            lambda: number(1, "", math.nan, 1, "n"),
            "lowest = nan: must be a number, -3.402823466e+38 to 3.402823466e+38",
        ),
        (
            lambda: number(1, "", 0, 2, "n", inherits="keeep"),
            "inherits = 'keeep': must be one of keep, zero, mutate; did you mean 'keep'?",
        ),
        (lambda: quantity(1, 0, 2, "q", inherits="mutate"), "inherits = 'mutate': must be one of keep, zero, half"),
        (lambda: integer(1, "", 0.5, 9, "i"), "lowest = 0.5: must be a whole number"),  # type: ignore[arg-type]
        (lambda: number(1, "", 0, 9, "n", was="old name"), "was = 'old name': must be the former name of the field"),
        (lambda: integer(1.5, "", 0, 9, "i"), "default = 1.5: must be a whole number, 0 to 9"),
        (lambda: switch(1, "s"), "default = 1: must be true or false"),
        (lambda: colour("red", "c"), "default = 'red': must be a colour like \"#e8d9a0\""),
        (lambda: colour("#f00", "c"), "default = '#f00': must be a colour like \"#e8d9a0\""),
        (lambda: choice("a", "b", default="c", help="c"), "default = 'c': must be one of a, b"),
        (
            lambda: choice("a", "a", default="a", help="c"),
            "the choices are ('a', 'a'): must be different words, at least one",
        ),
        (lambda: grid(5, "", 1, 2, "g"), "a grid has cells wider than 0 and holds -1,000,000 to 1,000,000, 0 among it"),
        (lambda: number(1, 2, 0, 1, "n"), "unit = 2: must be a text"),
    ],
)
def test_what_is_declared_wrongly_is_refused_at_once(declare, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        declare()


def test_an_integer_must_fit_into_its_column():
    with pytest.raises(
        ValueError, match=r"^Herd.size must be 0 to 2,147,483,648: an integer is at most 2,147,483,647$"
    ):

        @component
        class Herd:
            size: int = integer(1, "", 0, 2**31, "how many")


@given(written=anything(), name=st.sampled_from([name for name in Sample.fields if name != "vector"]))
def test_whatever_is_written_is_refused_or_fits_its_column(written, name):
    field = Sample.fields[name]
    with suppress(ValueError):
        assert limits(field, 64).hold(np.array([field.parse(written, PREFABS)], field.dtype))


@pytest.mark.parametrize("kind", [number, quantity])
def test_zero_has_one_sign(kind):
    field = kind(1, "u", -9, 9, "one") if kind is number else kind(1, -9, 9, "one")
    for zero in (-0.0, np.float32(-0.0), 0):
        assert math.copysign(1, field.parse(zero)) == 1


def test_a_component_is_named_by_its_fields_keys_and_columns():
    assert Sample.fields["number"].key == "Sample.number"
    assert Sample.fields["vector"].columns() == ("Sample.vector.x", "Sample.vector.y")
    table = EntityTable()
    table.declare(Sample)
    assert {key: column.dtype.name for key, column in table.columns.items()} == {
        "Sample.number": "float32", "Sample.integer": "int32", "Sample.switch": "bool", "Sample.choice": "int32",
        "Sample.colour": "uint32", "Sample.vector.x": "float32", "Sample.vector.y": "float32",
        "Sample.prefabs": "uint64", "Sample.amount": "int64",
    }  # fmt: skip


@pytest.mark.parametrize("field", DECLARED, ids=lambda field: field.key)
def test_every_declared_field_keeps_its_default_its_bounds_and_nothing_beyond(field):
    assert field.help
    if field.kind is Kind.VECTOR:
        return
    assert field.parse(field.show(field.default)) == field.default
    if field.kind is Kind.AMOUNT:
        assert field.parse(field.high) == int(field.high) * AMOUNT_SCALE
        assert field.parse(field.low) == int(field.low) * AMOUNT_SCALE
        for beyond in (field.low - 1e-6, field.high + 1e-3):
            with pytest.raises(ValueError, match="must be"):
                field.parse(beyond)
    if field.kind in (Kind.NUMBER, Kind.INTEGER):
        assert field.unit or field.kind is Kind.INTEGER
        whole = int if field.kind is Kind.INTEGER else float
        assert field.parse(whole(field.high)) == field.high
        assert field.above_low or field.parse(whole(field.low)) == field.low
        for beyond in (whole(field.low) - 1, whole(field.high) + 1):
            with pytest.raises(ValueError, match="must be"):
                field.parse(beyond)


def test_a_million_of_the_largest_amounts_fit_a_sum():
    amounts = [field for field in DECLARED if field.kind is Kind.AMOUNT and field.unit != "s"]  # nobody adds up ages
    largest = max(field.parse(field.high) for field in amounts)
    assert 1_000_000 * largest < 2**63


def test_an_amount_is_a_number_to_those_who_hold_its_handle():
    world = World(prefabs={"eater": Prefab("eater", {"Energy": {}})})
    world.table.declare(life.Energy)
    world.spawn("eater", values={"Energy.level": AMOUNT_SCALE // 4})
    energy = world.get(int(world.table.serial[0]), life.Energy)
    assert (energy.level, energy.capacity) == (0.25, 200)
    energy.level = 7.5
    assert world.table.columns["Energy.level"][0] == 7.5 * AMOUNT_SCALE
    energy.level = energy.capacity
    assert world.table.columns["Energy.level"][0] == 200 * AMOUNT_SCALE
    with pytest.raises(ValueError, match=r"Energy\.level = 2000000: must be 0 to 1,000,000"):
        energy.level = 2_000_000
    assert energy.level == 200


@pytest.mark.parametrize(
    ("low", "high", "unit", "words"),
    [
        (0, 1e6, "u", "must be 0 to 1,000,000 (u)"),
        (-1e4, 9999.9, "", "must be -10,000 to 9,999.9"),
        (0, 2**62, "", "must be 0 to 4,611,686,018,427,387,904"),
        (0, 1e6, "1/s² (direct) or 1/s (desired)", "must be 0 to 1,000,000, in 1/s² (direct) or 1/s (desired)"),
        (-math.inf, 3e38, "", "must be -inf to 3e+38"),
    ],
)
def test_bounds_are_written_for_people(low: float, high: float, unit: str, words: str) -> None:
    assert Field(Kind.NUMBER, 0, unit, low, high).bounds() == words
