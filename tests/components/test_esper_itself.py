"""What is relied on of esper beyond its documentation, tested on esper alone: a newer version that does otherwise is
told here, and not by a world that goes wrong. `pyproject.toml` allows the tested minor version only."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import esper
import pytest

from components.store.esper_variables import (
    COMPONENTS,
    COUNTER,
    ENDING,
    ENTITIES,
    FOUND_OF_ONE,
    FOUND_OF_SEVERAL,
    PROCESSORS,
    WORLDS,
)

STATE = (COUNTER, COMPONENTS, ENTITIES, ENDING, FOUND_OF_ONE, FOUND_OF_SEVERAL, PROCESSORS)


class Hat:
    pass


class Told(dict[Any, Any]):
    """A dictionary that tells how it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def __getitem__(self, key: Any) -> Any:
        self.asked.append("index")
        return super().__getitem__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        self.asked.append("get")
        return super().get(key, default)


class Doing(esper.Processor):
    ran: list[tuple[Any, ...]]

    def process(self, *arguments: Any) -> None:
        self.ran.append(arguments)


@pytest.fixture(autouse=True)
def world() -> Iterator[str]:
    before = esper.current_world
    esper.switch_world("esper alone")
    yield esper.current_world
    esper.switch_world(before)
    esper.delete_world("esper alone")


def state() -> dict[str, Any]:
    return {name: vars(esper)[name] for name in STATE}


def test_what_it_keeps_of_a_world_stands_in_variables_of_the_module_and_comes_back_with_the_world(world: str) -> None:
    own: dict[str, Any] = {name: type(value)() for name, value in state().items()}
    own[COUNTER] = count(50)
    vars(esper).update(own)
    esper.switch_world("another")
    assert all(vars(esper)[name] is not value for name, value in own.items())
    assert set(vars(esper)[WORLDS]) >= {world, "another"}
    esper.switch_world(world)
    assert all(vars(esper)[name] is value for name, value in own.items())
    esper.delete_world("another")
    assert "another" not in vars(esper)[WORLDS]


def test_entities_are_numbered_by_the_counter_and_known_by_the_dictionaries() -> None:
    vars(esper)[COUNTER] = count(1 << 60)
    hat = Hat()
    one = esper.create_entity(hat)
    assert one == 1 << 60
    assert vars(esper)[ENTITIES][one] == {Hat: hat}
    assert vars(esper)[COMPONENTS][Hat] == {one}
    esper.delete_entity(one)
    assert vars(esper)[ENDING] == {one}
    assert not esper.entity_exists(one)


def test_queries_ask_by_get_and_changes_by_index() -> None:
    components = vars(esper)[COMPONENTS] = Told()
    one = esper.create_entity(Hat())
    for query in (
        lambda: esper.get_component(Hat),
        lambda: esper.get_components(Hat),
        lambda: esper.try_remove_component(one, Doing),
    ):
        components.asked.clear()
        query()
        assert set(components.asked) == {"get"}
    for change in (lambda: esper.add_component(one, Hat()), lambda: esper.remove_component(one, Hat)):
        components.asked.clear()
        change()
        assert "index" in components.asked


def test_a_missing_entity_is_asked_for_by_index() -> None:
    class Makes(dict[int, Any]):
        def __missing__(self, entity: int) -> dict[type, Any]:
            return {Hat: entity}

    vars(esper)[ENTITIES] = Makes()
    vars(esper)[COMPONENTS] = {Hat: {7}}
    assert esper.component_for_entity(7, Hat) == 7
    assert esper.has_component(7, Hat)
    assert esper.components_for_entity(7) == (7,)
    assert esper.get_components(Hat) == [(7, (7,))]


def test_results_of_queries_are_kept_under_what_was_asked_until_something_changes() -> None:
    one = esper.create_entity(Hat())
    for query, kept, asked in (
        (lambda: esper.get_component(Hat), FOUND_OF_ONE, Hat),
        (lambda: esper.get_components(Hat), FOUND_OF_SEVERAL, (Hat,)),
    ):
        found = query()
        assert vars(esper)[kept] == {asked: found}
        assert query() is vars(esper)[kept].get(asked)
    esper.clear_cache()
    assert [entity for entity, _ in esper.get_component(Hat)] == [one]
    assert vars(esper)[FOUND_OF_SEVERAL] == {}


def test_processors_run_by_priority_with_the_arguments_of_process() -> None:
    ran: list[tuple[Any, ...]] = []
    kinds = [type(name, (Doing,), {"ran": ran, "process": lambda self, *_: ran.append(type(self))}) for name in "ABC"]
    for kind, priority in zip(kinds, (-1, -2, 0), strict=True):
        esper.add_processor(kind(), priority=priority)
    esper.process("world")
    assert ran == [kinds[2], kinds[0], kinds[1]]
    assert [type(each) for each in vars(esper)[PROCESSORS]] == ran
    esper.remove_processor(kinds[0])
