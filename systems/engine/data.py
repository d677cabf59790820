"""The arrays that the kernels of a system read and write, as one named tuple: an attribute for each component.

    data = data_of(self, world)        data.position, data.velocity, ..., data.serial, data.prefab, data.presence

Which components they are follows from what the system declares.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping
from functools import cache
from keyword import iskeyword
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from components.store.world import World

if TYPE_CHECKING:
    from systems.engine.system import System

OF_ALL = ("serial", "prefab", "presence")


def data_of(system: System, world: World) -> Any:
    """Return the present arrays of a system's components, valid until rows move: a named tuple with the records of each
    component that it declares, structured (capacity,), under the component's name in small letters, with "_" behind it
    if that is taken or a keyword of Python; and `serial`, `prefab` and `presence` of the table, (capacity,).
    """
    table, (kind, records) = world.table, data_type(system.components)
    return tuple.__new__(kind, (table.serial, table.prefab, table.presence, *records(table.structured)))


@cache
def data_type(components: tuple[str, ...]) -> Any:
    """Return the named tuple for components with these names, and what returns their arrays from a mapping by name."""
    return __getattr__("_1".join(["Data", *(name.replace("_", "_0") for name in components)])), _some(components)


def _some(names: tuple[str, ...]) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    if len(names) < 2:  # `itemgetter` returns a tuple only for several
        return lambda by_name: tuple(by_name[name] for name in names)
    return itemgetter(*names)


@cache
def __getattr__(name: str) -> Any:
    """Return a named tuple by its name, such as `Data_1Motion_1Velocity`: so numba's cache finds it in any process."""
    data, *components = name.split("_1")
    if data != "Data":
        raise AttributeError(f"{__name__} has no {name!r}")
    names = list(OF_ALL)
    for component in components:
        own = component.replace("_0", "_").lower().lstrip("_")
        while own in names or iskeyword(own):
            own += "_"
        names.append(own)
    return namedtuple(name, names, module=__name__)
