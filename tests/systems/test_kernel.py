"""Kernels are compiled when they are first called."""

from __future__ import annotations

import gc
import signal
import weakref
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError
from numba.core.registry import cpu_target

from components.store.declare import component, number
from components.store.world import World
from systems.engine.data import data_of
from systems.engine.kernel import Kernel, inlined, kernel, subroutine
from systems.engine.rows import for_each_row
from systems.engine.system import Phase, System
from tests.worlds import world_of


@kernel
def weight(records):
    return records[0].weight


def test_a_kernel_may_bear_the_name_of_a_field_that_it_reads():
    assert weight(np.array([(2.5,)], [("weight", np.float32)])) == 2.5


@for_each_row
def add_weight(row, records, more):
    if records[row].weight > 0:
        records[row].weight += more


def test_for_each_row_runs_a_function_for_all_of_these_rows():
    records = np.array([(1,), (0,), (3,), (4,)], [("weight", np.float32)])
    add_weight(np.array([0, 1, 3], np.int32), records, np.float32(10))
    assert records["weight"].tolist() == [11, 0, 3, 14]


@kernel
def doubled(number):
    return 2 * number


@subroutine
def tripled(number):
    return 3 * number


def test_once_it_was_called_its_module_calls_it_without_a_detour():
    late = doubled
    assert isinstance(late, Kernel)
    assert late(21) == 42
    assert doubled is late.made
    assert late(2) == doubled(2) == 4


def test_an_interrupt_while_a_kernel_is_made_comes_when_it_is_made(monkeypatch: pytest.MonkeyPatch):
    engine = cpu_target.target_context.codegen()._engine._ee
    notify = engine._object_cache_notify

    def interrupted(*arguments):
        monkeypatch.undo()
        signal.raise_signal(signal.SIGINT)  # what is raised here is lost, for LLVM calls this
        notify(*arguments)

    monkeypatch.setattr(engine, "_object_cache_notify", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tripled(2)
    assert tripled(2) == 6


ODD_NAMES = ("Class", "Count", "MyThing", "My_Thing", "Mything", "Serial", "_Hidden")


def _declared(name: str) -> type[Any]:
    return component(type(name, (), {"__annotations__": {"x": float}, "x": number(1, "", 0, 100, "a number")}))


class Gathering(System):
    """Adds up the numbers of components whose names Python or the data has for something else."""

    phase = Phase.STEER
    writes = tuple(_declared(name) for name in ODD_NAMES)

    def run(self, world: World) -> None:
        _gather(world.table.rows(), data_of(self, world))


@for_each_row
def _gather(row, data):
    others = data.class_[row].x + data.count[row].x + data.mything_[row].x + data.serial_[row].x + data.hidden[row].x
    data.my_thing[row].x = others + data.mything[row].x + data.serial[row] - data.serial[row]


def test_a_component_may_have_any_name():
    world = world_of([lambda app: app.add_system(Gathering)])
    world.spawn("boid", 2, {f"{name}.x": 2.0**n for n, name in enumerate(ODD_NAMES)})
    Gathering().run(world)
    assert world.table.columns["My_Thing.x"][:2].tolist() == [2.0**7 - 1 - 2**3] * 2


@inlined
def third(numbers):
    return numbers[2]


@kernel
def third_of(numbers):
    return third(numbers)


def test_a_kernel_that_can_not_be_compiled_keeps_nothing_of_its_callers():
    """Numba would keep the error, that the frames of all callers, and these a world."""

    def tick() -> weakref.ref[Any]:
        world = World()
        with pytest.raises(TypingError, match="tuple index out of range"):
            third_of((1.0, 2.0))
        return weakref.ref(world)

    kept = tick()
    gc.collect()
    assert kept() is None
