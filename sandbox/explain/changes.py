"""Who did this? Says of each system what it changes of one entity in the next tick.

The tick is rehearsed system by system, and the entity's records are compared before and after each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from components.store.fields import Field, Kind
from components.store.world import World
from sandbox.explain.explanation import row_of
from sandbox.explain.rehearsal import in_tick, one_by_one, rehearsal
from sandbox.language import translate
from sandbox.simulation import Simulation

NUMBERS = Kind.NUMBER, Kind.INTEGER, Kind.AMOUNT, Kind.VECTOR
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Change:
    """A value that a system changed.

    Attributes:
        key: "Energy.level"; of a vector without its axes: "Velocity".
        field: that of the value, or of a vector's first element.
        before, after: the value, or the elements of a vector, as files write them.
    """

    key: str
    field: Field
    before: tuple[Any, ...]
    after: tuple[Any, ...]

    @property
    def words(self) -> str:
        """By how much numbers changed, "Velocity +1.2, -0.3"; of all else, what became what."""
        if self.field.kind in NUMBERS:
            return f"{self.key} {', '.join(map(_signed, self.before, self.after))}"
        return f"{self.key} {_plain(self.before[0])} → {_plain(self.after[0])}"


@dataclass(frozen=True)
class Deeds:
    """What a system did to an entity.

    Attributes:
        changes: of its values, in the order of components and fields.
        requests: what it asked COMMIT for, in words: that it dies, bears young, gets or loses a component.
    """

    changes: tuple[Change, ...]
    requests: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Each change and request in words."""
        return (*(change.words for change in self.changes), *self.requests)

    def as_json(self) -> dict[str, Any]:
        """Return the values before and after by key, and the requests, as plain lists."""
        changed = {change.key: {"before": change.before, "after": change.after} for change in self.changes}
        return {"changed": changed, "requested": self.requests}


def who_did_what(simulation: Simulation, serial: int) -> dict[str, Deeds]:
    """Return what each system does to an entity in the next tick, by its name; those that do nothing are left out.

    The tick is one without commands that may wait; the world stays as it is.

    Raises:
        ValueError: there is no entity of that serial.
    """
    world, found = simulation.world, {}
    row = row_of(world, serial)
    with rehearsal(world):
        _forget_the_last_tick(world, row)
        values, requests = _values(world, serial), _requests(world, serial)
        for system in one_by_one(world, in_tick(world)):
            values, before = _values(world, serial), values
            requests, known = _requests(world, serial), requests
            deeds = Deeds(_changes(world, before, values), tuple(word for word in requests if word not in known))
            if deeds.words:
                found[system.name] = deeds
    return found


def _forget_the_last_tick(world: World, row: int) -> None:
    """Set transient values as in a new row: no system did what the last tick left of them."""
    table = world.table
    for component in table.bit_of:
        if table.has(row, component):
            form = table.form(component)
            starts = dict(form.starts)
            for key, field in form.columns.items():
                if field.transient:
                    table.write(key, row, table.columns[starts[key]][row] if key in starts else field.default)


def _values(world: World, serial: int) -> Values:
    """Return an entity's stored values by column; none after its end."""
    table, row = world.table, world.table.row_of(serial)
    own = (component for component in table.bit_of if row >= 0 and table.has(row, component))
    return {key: table.columns[key][row] for component in own for key in table.form(component).columns}


def _changes(world: World, before: Values, after: Values) -> tuple[Change, ...]:
    """Return the changes from some values to others; a vector of which any element changed is one change."""
    table, changed = world.table, dict[str, list[str]]()
    for key in after:
        name, _, axis = key.rpartition(".")
        changed.setdefault(name if axis in table.axes else key, []).append(key)
    return tuple(
        Change(name, table.field(keys[0]), *(_shown(world, keys, values) for values in (before, after)))
        for name, keys in changed.items()
        if keys[0] in before and any(before[key].tobytes() != after[key].tobytes() for key in keys)
    )


def _shown(world: World, keys: list[str], values: Values) -> tuple[Any, ...]:
    prefabs = tuple(world.prefabs)
    return tuple(world.table.field(key).show(values[key], prefabs) for key in keys)


def _requests(world: World, serial: int) -> tuple[str, ...]:
    """Return in words what waits for COMMIT and is about an entity."""
    table, waiting, row = world.table, world.waiting, world.table.row_of(serial)
    if row < 0:
        return (translate("is gone"),)
    _, parents = waiting.births
    own = [component for component in table.bit_of if table.has(row, component)]
    will = waiting.components_of(serial, own)
    young = int((parents == serial).sum())
    dies = [translate("dies")] if row in waiting.dying else []
    bears = [translate("bears {young} young", young=young)] if young else []
    got = [component.__name__ for component in table.bit_of if component in will and component not in own]
    lost = [component.__name__ for component in own if component not in will]
    gets = [translate("gets {component}", component=name) for name in got]
    loses = [translate("loses {component}", component=name) for name in lost]
    return (*dies, *bears, *gets, *loses)


def _signed(before: float, after: float) -> str:
    change = after - before
    if change == 0:
        return "0"
    return f"{change:+,.0f}" if abs(change) >= 99.5 else f"{change:+.3g}"


def _plain(value: Any) -> str:
    return ", ".join(value) or "none" if isinstance(value, list) else str(value).lower()
