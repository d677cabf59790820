"""The world: entities (esper), their table, and resources."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count as counter
from typing import Any, TypeVar

import esper
import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store import esper_variables
from components.store.entities import Entities, made_of
from components.store.esper_variables import FIRST_WITHOUT_ROW, AtWork, delete_entities, fit
from components.store.fields import Stored
from components.store.handles import tables
from components.store.prefab import Prefab, column_of, counted, records_of
from components.store.records import ComponentType, as_bytes, limits
from components.store.resources import Resource
from components.store.table import MOST_PREFABS, EntityTable
from components.store.waiting import Change, Gain, Loss, Stillborn, Waiting, distinct
from components.store.words import did_you_mean

R = TypeVar("R")
_names = counter(1)
MOST_ENTITIES = 1_000_000


@dataclass(repr=False)
class World:
    """Entities with components, and the resources that systems share.

    A world is one named esper world; `enter` makes it esper's current one. Entities with a row are made by `spawn`
    only. Between `begin_tick` and `commit` structural changes (entities made or ended, components added or removed)
    wait, so that rows don't move while kernels run. Each change is checked when it is requested; a refused one changes
    nothing.

    Attributes:
        waiting: the changes that wait.
        population: the number of living entities of each prefab, by its index, int64 (MOST_PREFABS,).
    """

    seed: int = 0
    tick: int = 0
    next_serial: int = 1
    table: EntityTable = field(default_factory=EntityTable)
    prefabs: dict[str, Prefab] = field(default_factory=dict)
    resources: dict[type, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.name = f"world {next(_names)}"
        tables[self.name] = self.table
        self._forget = weakref.finalize(self, esper_variables.forget, self.name)
        self._forget.atexit = False
        self.waiting = Waiting()
        self.population = _counts(self.table.prefab[: self.table.size])
        self._highest = 0  # the highest serial that any entity of this world ever had
        self._records: dict[str, tuple[Prefab, dict[ComponentType, NDArray[np.void]]]] = {}  # see `_records_of`

    def __repr__(self) -> str:
        return f"<World of {self.table.size:,} entities at tick {self.tick:,}>"

    def enter(self) -> None:
        """Make this esper's current world: esper's queries refer to it from now on.

        Raises:
            RuntimeError: the world is closed.
        """
        esper_variables.enter(self.name)

    def at_work(self) -> AtWork:
        """Return a context in which this is esper's current world, and no other thread works with esper."""
        return AtWork(self.name)

    def close(self) -> None:
        """Free the esper entities, handles and table of the world. A world without references is freed anyway."""
        esper_variables.leave(self.name)
        self._forget()

    def resource(self, kind: type[R]) -> R:
        """Return the world's resource of this type; if a declared one is missing, it is made with its defaults.

        Raises:
            KeyError: the type is not declared with `resource`, and `resources` has none.
        """
        if kind not in self.resources:
            if not isinstance(kind, type):
                raise TypeError(f"resource({kind!r:.60}): must be a class, like resource(Settings)")
            if issubclass(kind, Resource):
                self.resources[kind] = kind()
            else:
                raise KeyError(
                    f"the world has no resource {kind.__name__}: `app.add_resource({kind.__name__})` adds one"
                )
        return self.resources[kind]  # type: ignore[no-any-return]

    @property
    def declared(self) -> dict[str, type[Resource]]:
        """The types of the world's declared resources, by name."""
        return {kind.__name__: kind for kind in self.resources if issubclass(kind, Resource)}

    def prefab_index(self, name: str) -> int:
        """Return the index of a prefab in `prefabs`, as in the table's `prefab` column.

        Raises:
            KeyError: there is no prefab of that name.
        """
        if name not in self.prefabs:
            near = did_you_mean(str(name), self.prefabs) or f": there are {', '.join(self.prefabs)}"
            raise KeyError(f"there is no prefab {name!r}{near}")
        return list(self.prefabs).index(name)

    def spawn(self, prefab: str, count: int = 1, values: Mapping[str, ArrayLike] | None = None) -> NDArray[np.int64]:
        """Make entities of a prefab, and return their serials, int64 (count,).

        Args:
            values: by column key ("Velocity.x"), one stored value or `count` values; all others are taken from the
                prefab. A component that the prefab lacks is added if one of its fields is given.
        Raises:
            KeyError: the prefab or a field is unknown.
            ValueError: `count` is not an integer, or negative; a column can't hold a value; the number of values is
                neither 1 nor `count`; or there are too many entities.
        """
        count, index = counted(count), self.prefab_index(prefab)
        self._refuse_crowd(count)
        serials, records = np.arange(self.next_serial, self.next_serial + count), self._records_of(self.prefabs[prefab])
        self.bring(made_of(self.table, self.prefabs.values(), index, serials, records, values or {}))
        self.next_serial += count
        return serials

    def bring(self, entities: Entities) -> None:
        """Let entities enter, with their serials and all their values, each of the prefab with its index here.

        Raises:
            KeyError: the world lacks a component.
            ValueError: there is no room for them.
        """
        self._refuse_crowd(len(entities))
        self._change(entities.fitted(self.table))

    def _refuse_crowd(self, count: int) -> None:
        """Raise ValueError if there is no room for `count` more entities."""
        if not self.has_room(count):
            room = MOST_ENTITIES - self.table.size - self.waiting.coming + len(self.dying)
            raise ValueError(f"can't make {count:,} entities: there is room for {room:,} more")

    def _records_of(self, prefab: Prefab) -> dict[ComponentType, NDArray[np.void]]:
        """Return `records_of` a prefab, cached while the prefab and its components stay the same."""
        components = [self.table.components.get(name) for name in prefab.components]
        known, records = self._records.get(prefab.name, (None, {}))
        if known is not prefab or [*records] != components:
            records = records_of(self.table, prefab)
            self._records[prefab.name] = prefab, records
        return records

    def has_room(self, count: int, most: int = MOST_ENTITIES) -> bool:
        """Return whether, after all changes that wait, `count` more entities would be at most `most` in total."""
        living = self.table.size + self.waiting.coming + count
        return living <= most or living - len(self.dying) <= most

    def despawn(self, serials: ArrayLike) -> None:
        """Remove the entities with these serials; serials of entities that no longer live are ignored.

        Raises:
            ValueError: a serial is no whole number, or an entity has no row: it is esper's alone.
        """
        given = np.atleast_1d(np.asarray(serials))
        if given.size and given.dtype.kind not in "iu":
            raise ValueError(f"serials must be whole numbers, not {given.dtype}")
        wanted = given.astype(np.int64)
        if wanted.max(initial=0) >= FIRST_WITHOUT_ROW:
            raise ValueError(f"entity {wanted.max()} was not made by world.spawn: use esper.delete_entity")
        rows = self.table.rows_of(wanted)
        self.despawn_rows(rows[rows >= 0])
        if self.waiting.on and (unborn := wanted[rows < 0]).size:
            self._change(Stillborn(unborn))

    def despawn_rows(self, rows: NDArray[np.integer[Any]]) -> None:
        """Remove the entities in these rows; a row may be given several times."""
        if self.waiting.on:
            self.waiting.remove(rows)
        else:
            self._end(distinct(rows))
            self.table.close_gaps()

    @property
    def dying(self) -> NDArray[np.int64]:
        """The rows of entities whose removal was requested in this tick so far, ascending, each once."""
        return self.waiting.dying

    def reorder(self, order: NDArray[np.integer[Any]]) -> None:
        """Permute all rows: row order[i] becomes row i. Only COMMIT may do this."""
        rows = np.empty(len(order), np.int64)
        rows[order] = np.arange(len(order))
        self.waiting.move(rows)
        self.table.reorder(order)

    def add(self, serial: int, component: ComponentType, /, **values: Stored) -> None:
        """Add a component to an entity; nothing happens if the entity dies before this is carried out.

        Raises:
            KeyError: the entity is gone or was not made by `spawn`, the world lacks the component, or that has no such
                field.
            ValueError: a column can't hold a value, or the field may not have it.
        """
        self.table.row(serial)
        if component not in self.table.bit_of:
            name = getattr(component, "__name__", repr(component))
            raise KeyError(f"the world has no component {name}: `app.add_component` makes it known")
        fields = {field.name: field for field in self.table.form(component).fields}
        if unknown := [name for name in values if name not in fields]:
            near = did_you_mean(unknown[0], fields)
            raise KeyError(f"{component.__name__} has no field {unknown[0]!r}{near}")
        axes = self.table.axes
        columns = ((key, value) for name, value in values.items() for key in fields[name].columns(axes))
        ready = {key: column_of(self.table, key, value, 1) for key, value in columns}
        for key, value in ready.items():
            allowed = limits(self.table.field(key), len(self.prefabs))
            if not allowed.hold(value):
                raise ValueError(f"{key} = {value[0]}: {allowed.must}")
        self._change(Gain(serial, component, ready))

    def remove(self, serial: int, component: ComponentType) -> None:
        """Remove a component from an entity.

        Nothing happens if the entity dies, or has no other component left, before this is carried out.

        Raises:
            KeyError: the entity does not have the component.
            ValueError: it is the entity's last component.
        """
        self.get(serial, component)
        with self.at_work():
            is_last = esper.components_for_entity(serial) == (esper.try_component(serial, component),)
        if is_last:
            raise ValueError(f"{component.__name__} is the last component of entity {serial}: despawn it instead")
        self._change(Loss(serial, component))

    def redeclare(self, component: ComponentType) -> None:
        """Replace the declaration of a component, and its handles, between two ticks: see `EntityTable.redeclare`."""
        with self.at_work():
            self.table.redeclare(component)
            fit(self.table.serial[self.table.rows(component)])

    def reform(self, axes: str) -> None:
        """Store all values as in worlds with these axes, between two ticks: see `EntityTable.reform`."""
        with self.at_work():
            self.table.reform(axes)
        self._records.clear()

    def has(self, serial: int, component: ComponentType) -> bool:
        """Return whether an entity has a component."""
        with self.at_work():
            return esper.has_component(serial, component)

    def get(self, serial: int, component: type[R]) -> R:
        """Return an entity's handle of a component.

        Raises:
            KeyError: the entity does not have the component.
        """
        try:
            with self.at_work():
                return esper.component_for_entity(serial, component)
        except KeyError as error:
            if error.args != (component,):  # the entity is gone
                raise
            raise KeyError(f"entity {serial} has no {getattr(component, '__name__', repr(component))}") from None

    def begin_tick(self) -> None:
        """Let structural changes wait from now on, until `commit`."""
        self.waiting.on = True

    def commit(self) -> None:
        """Carry out the changes that wait: first all removals of entities, then the rest in order.

        From SENSE on, rows move only here.

        Raises:
            Exception: the error of the first change that failed; all other changes are carried out.
        """
        if not self.waiting:
            self.waiting.on = False
            return
        due, self.waiting, highest = self.waiting, Waiting(), self._highest
        self._end(due.dying)
        errors: list[Exception] = []
        for change in due.changes:
            try:
                self._carry_out(change, highest)
            except Exception as error:
                errors.append(error)
        self.table.close_gaps()
        if errors:
            raise errors[0]

    def cancel(self) -> None:
        """Drop all changes that wait; later ones do not wait."""
        self.waiting = Waiting()

    @property
    def asked(self) -> tuple[tuple[int, int], int]:
        """A mark for `take_back`: what waits so far, and the next serial."""
        return self.waiting.mark(), self.next_serial

    def take_back(self, asked: tuple[tuple[int, int], int]) -> None:
        """Drop all changes requested since `asked` had this value."""
        mark, self.next_serial = asked
        self.waiting.take_back(mark)

    def repopulate(self, entities: Entities) -> None:
        """Replace all entities by these, in the same rows, and drop the changes that wait."""
        self.cancel()
        table, entities = self.table, entities.fitted(self.table)
        rows = table.rows_of(entities.serial)
        stays = rows >= 0
        others = entities.serial[stays & (table.presence[rows] != entities.presence)]
        gone = np.ones(table.size, bool)
        gone[rows[stays]] = False
        with self.at_work():
            delete_entities(table.serial[: table.size][gone])
            table.assign(entities.serial, entities.prefab, entities.presence, rows)
            self.population = _counts(entities.prefab)
            for name, (own, values) in entities.records.items():
                table.plain[name][own] = as_bytes(values)
            table.changed(*entities.records)
            fit(others)
        self._highest = int(entities.serial.max(initial=self._highest))

    def _change(self, change: Change) -> None:
        if self.waiting.on:
            self.waiting.add(change)
        else:
            self._carry_out(change, self._highest)

    def _carry_out(self, change: Change, highest: int) -> None:
        """Carry out a change; `highest`: the highest serial of all entities before any change was carried out."""
        if isinstance(change, Entities):  # of a million it takes long, and other threads need not wait
            self._bring(change, highest)
            return
        with self.at_work():
            if isinstance(change, Gain):
                self._add(change)
            elif isinstance(change, Loss):
                self._remove(change)
            else:
                self.despawn(change.serials)

    def _bring(self, new: Entities, highest: int) -> None:
        table = self.table
        if (last := int(new.prefab.max(initial=-1))) >= len(self.prefabs):
            raise KeyError(f"there is no prefab {last} any more: there are {', '.join(self.prefabs)}")
        rows = table.append(len(new), new.presence)  # nothing can fail from here on
        with self.at_work():
            esper.clear_cache()
        table.prefab[rows] = new.prefab
        table.bind(rows, new.serial)
        np.add.at(self.population, new.prefab, 1)
        for name, (own, values) in new.records.items():
            table.plain[name][rows[own]] = as_bytes(values)
        if len(new) and new.serial.min() <= highest:  # one of them lived before, perhaps with other values
            table.changed(*new.records)
        self._highest = int(new.serial.max(initial=self._highest))

    def _end(self, rows: NDArray[np.int64]) -> None:
        """Remove the entities in these rows, which must be ascending and distinct."""
        if len(rows):
            np.subtract.at(self.population, self.table.prefab[rows], 1)
            with self.at_work():
                delete_entities(self.table.serial[rows])
                self.table.vacate(rows)

    def _add(self, gain: Gain) -> None:
        if not esper.entity_exists(gain.serial):
            return
        row = self.table.row(gain.serial)
        self.table.set_presence([row], [gain.component])
        self.table.changed(gain.component.__name__)
        for key, value in gain.values.items():
            self.table.columns[key][row] = value[0]
        fit(np.array([gain.serial]))

    def _remove(self, loss: Loss) -> None:
        if not esper.entity_exists(loss.serial) or not esper.has_component(loss.serial, loss.component):
            return
        if len(esper.components_for_entity(loss.serial)) == 1:  # the others were removed since this was requested
            return
        self.table.set_presence([self.table.row(loss.serial)], [loss.component], present=False)
        fit(np.array([loss.serial]))


def _counts(prefabs: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the number of occurrences of each prefab index, int64 (MOST_PREFABS,)."""
    return np.bincount(prefabs, minlength=MOST_PREFABS)
