"""A resource is declared like a component: its values are plain attributes that hold what a column could."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from components.store.declare import (
    choice,
    colour,
    component,
    count,
    integer,
    number,
    prefabs,
    quantity,
    switch,
    vector,
)
from components.store.resources import resource


@resource
class Weather:
    """One field of every kind."""

    warmth: float = number(0.1, "°C", -90, 60, "how warm it is")
    days: int = integer(3, "days", 0, 365, "since the last rain")
    storm: bool = switch(False, "whether there is a storm")
    sky: str = choice("clear", "grey", default="grey", help="how the sky looks")
    light: int = colour("#ffcc88", "the colour of its light")
    wind: tuple[float, float] = vector("u/s", "where it blows")
    hidden: int = prefabs("who hides")
    rain: float = quantity(2.5, 0, 1e6, "what fell")

    def warm(self) -> None:
        """Methods stay."""
        self.warmth += 1


VALUES: dict[str, Any] = {
    "warmth": 20.5,
    "days": 7,
    "storm": True,
    "sky": "clear",
    "light": 0x112233,
    "wind": (3.0, -4.0),
    "rain": 0.25,
}


def test_it_begins_with_the_defaults_as_columns_store_them() -> None:
    weather: Any = Weather()
    assert weather.warmth == float(np.float32(0.1))
    assert (weather.days, weather.storm, weather.sky, weather.light) == (3, False, "grey", 0xFFCC88)
    assert (weather.wind, weather.hidden, weather.rain) == ((0.0, 0.0), 0, 2.5)


@pytest.mark.parametrize("name", VALUES)
def test_what_is_set_is_read(name: str) -> None:
    weather = Weather()
    setattr(weather, name, VALUES[name])
    assert getattr(weather, name) == VALUES[name]


@pytest.mark.parametrize("name", VALUES)
def test_what_is_read_may_be_set(name: str) -> None:
    weather: Any = Weather()
    before = dict(weather.stored)
    setattr(weather, name, getattr(weather, name))
    assert weather.stored == before


def test_places_stand_for_choices_and_text_for_colours() -> None:
    weather: Any = Weather()
    weather.sky, weather.light = 0, "#112233"
    assert (weather.sky, weather.light) == ("clear", 0x112233)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("warmth", 61, "Weather.warmth = 61: must be -90 to 60"),
        ("warmth", float("nan"), "Weather.warmth = nan: must be"),
        ("days", 1.5, "Weather.days = 1.5: must be a whole number"),
        ("storm", 1, "Weather.storm = 1: must be true or false"),
        ("sky", "gray", "Weather.sky = 'gray': must be one of clear, grey; did you mean 'grey'?"),
        ("wind", 5, "Weather.wind = 5: must be two numbers, (x, y)"),
        ("wind", (1, float("inf")), "Weather.wind = inf: must be"),
        ("wind", (1, 2, 3), "Weather.wind = (1, 2, 3): must be two numbers, (x, y)"),
    ],
)
def test_what_is_forbidden_changes_nothing(name: str, value: object, message: str) -> None:
    weather: Any = Weather()
    before = dict(weather.stored)
    with pytest.raises(ValueError, match=re.escape(message)):
        setattr(weather, name, value)
    assert weather.stored == before


def test_a_misspelt_value_is_an_error() -> None:
    weather: Any = Weather()
    with pytest.raises(AttributeError):
        weather.warmht = 3


def test_a_copy_of_what_it_stores_can_be_put_back() -> None:
    weather: Any = Weather()
    before = dict(weather.stored)
    weather.warm()
    weather.wind = (1, 2)
    assert weather.stored == before | {"Weather.warmth": weather.warmth, "Weather.wind.x": 1.0, "Weather.wind.y": 2.0}
    weather.stored = before
    assert weather.wind == (0, 0)


def test_on_the_class_a_value_is_its_declaration() -> None:
    assert Weather.warmth is Weather.fields["warmth"]  # type: ignore[attr-defined]
    assert Weather.fields["wind"].columns() == ("Weather.wind.x", "Weather.wind.y")  # type: ignore[attr-defined]


@pytest.mark.parametrize("declare", [component, resource])
def test_what_is_not_declared_is_refused_and_not_lost(declare: Any) -> None:
    class Ink:
        """Wrong."""

        strength: float = number(1, "", 0, 1, "right")
        field: np.ndarray = np.zeros((4, 4))

    class Bare:
        """Wrong."""

        field: np.ndarray

    class More(Bare):
        """Wrong."""

    for wrong in (Ink, Bare):
        with pytest.raises(
            ValueError, match=rf"{wrong.__name__}\.field: must be declared by number, .*: it holds nothing"
        ):
            declare(wrong)
    with pytest.raises(ValueError, match="More extends Bare, whose fields it would lose"):
        declare(More)


@pytest.mark.parametrize("wrong", [count("steps"), choice("a", "b", default="a", help="", drawn=True)])
def test_a_component_holds_no_count_and_nothing_that_is_drawn_alone(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"Boot\.steps: only a resource can hold"):
        component(type("Boot", (), {"steps": wrong}))


def test_it_is_made_of_its_values_and_equal_to_one_of_the_same() -> None:
    weather: Any = Weather(20.5, 7, sky="clear")
    assert (weather.warmth, weather.days, weather.sky, weather.storm) == (20.5, 7, "clear", False)
    assert weather == Weather(days=7, warmth=20.5, sky="clear") != Weather()
    assert repr(weather).startswith("Weather(warmth=20.5, days=7, storm=False, sky='clear'")


def test_a_count_has_no_end_that_anyone_reaches() -> None:
    @resource
    class Steps:
        """Taken."""

        taken: int = count("how many")

    steps: Any = Steps(2**70)
    steps.taken += 1
    assert steps.taken == 2**70 + 1
    for wrong in (-1, 1.5, True, 2**101):
        with pytest.raises(ValueError, match=r"Steps\.taken = .*: must be"):
            steps.taken = wrong


def test_a_value_cannot_be_called_like_what_all_have() -> None:
    with pytest.raises(ValueError, match=r"Odd.stored: the name stored is taken, choose another"):

        @resource
        class Odd:
            """Wrong."""

            stored: float = number(1, "", 0, 1, "wrong")

    with pytest.raises(ValueError, match=r"Hat.entity: the name entity is taken, choose another"):

        @component
        class Hat:
            """Wrong."""

            entity: int = integer(1, "", 0, 1, "wrong")


def test_a_vector_of_a_resource_starts_with_nothing() -> None:
    class Drift:
        x: float = number(0, "u", 0, 1, "east")
        y: float = number(0, "u", 0, 1, "north")
        now: tuple[float, float] = vector("u", "where it is", starts=("x", "y"))

    with pytest.raises(ValueError, match=r"Drift\.now starts with \('x', 'y'\): only a component's vector can"):
        resource(Drift)


def test_more_values_than_fields_and_two_for_one_field_are_refused() -> None:
    assert Weather(1.0, 2, storm=True).days == 2
    with pytest.raises(TypeError, match="Weather has 8 fields, not 9"):
        Weather(*range(9))
    with pytest.raises(TypeError, match=r"Weather\.warmth is given twice: in order and by name"):
        Weather(1.0, warmth=2.0)
