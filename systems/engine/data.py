"""The arrays that the kernels of a system read and write, as one named tuple: an attribute for each component.

    data = data_of(self, world)        data.position, data.velocity, ..., data.serial, data.prefab, data.presence

Which components they are follows from what the system declares.
"""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from typing import TYPE_CHECKING, Any

from components.store.world import World

if TYPE_CHECKING:
    from systems.engine.system import System

OF_ALL = ("serial", "prefab", "presence")


def data_of(system: System, world: World) -> Any:
    """Return the present arrays of a system's components, valid until rows move: a named tuple with the records of each
    component that it declares, structured (capacity,), under the component's name in small letters; and `serial`,
    `prefab` and `presence` of the table, (capacity,).
    """
    table = world.table
    records = [table.records(table.components[name]) for name in system.components]
    return data_type(system.components)(*records, table.serial, table.prefab, table.presence)


@cache
def data_type(components: tuple[str, ...]) -> Any:
    """Return the named tuple for components with these names; systems with the same ones share it."""
    return __getattr__("_".join(["Data", *components]))


@cache
def __getattr__(name: str) -> Any:
    """Return a named tuple by its name, such as `Data_Motion_Velocity`: so numba's cache finds it in any process."""
    data, *components = name.split("_")
    if data != "Data" or not all(components):
        raise AttributeError(f"{__name__} has no {name!r}")
    return namedtuple(name, (*(component.lower() for component in components), *OF_ALL), module=__name__)
