"""The world: entities (esper), their table, and resources."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count as counter
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import esper
import numpy as np
from numpy.typing import ArrayLike, NDArray

from components.store import esper_worlds
from components.store.esper_worlds import FIRST_WITHOUT_ROW, delete_entities, fit
from components.store.fields import Stored
from components.store.handles import tables
from components.store.new_rows import column_of, counted, records_of, refuse_unknown_fields, starts
from components.store.prefab import Prefab
from components.store.records import ComponentType, as_bytes, item_of
from components.store.resources import Resource
from components.store.table import MOST_PREFABS, EntityTable
from components.store.words import did_you_mean

R = TypeVar("R")
_names = counter(1)
MOST_ENTITIES = 1_000_000
NO_ROWS = np.zeros(0, np.int64)


class Asked(NamedTuple):
    """A queued structural change: a function that carries it out, and its effect.

    Attributes:
        serials, parents: the serials of the entities that it makes, and of their parents (0: unknown).
        entity, component, present: the component that it adds to an entity (`present`) or removes from it.
    """

    carry_out: Callable[[], None]
    serials: NDArray[np.int64] = NO_ROWS
    parents: NDArray[np.int64] = NO_ROWS
    entity: int = -1
    component: ComponentType | None = None
    present: bool = True


@dataclass
class World:
    """Entities with components, and the resources that systems share.

    A world is one named esper world; `enter` makes it esper's current one. Entities with a row are made by `spawn`
    only. Between `begin_tick` and `commit` structural changes (entities made or ended, components added or removed)
    are queued, so that rows don't move while kernels run. Each change is checked when it is requested; a refused one
    changes nothing.

    Attributes:
        coming: the number of entities that the queued changes will make.
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
        self._forget = weakref.finalize(self, esper_worlds.forget, self.name)
        self._forget.atexit = False
        self.coming = 0
        self.population = _counts(self.table.prefab[: self.table.size])
        self._highest = 0  # the highest serial that any entity of this world ever had
        self._queue: list[Asked] = []
        self._records: dict[str, tuple[Prefab, dict[ComponentType, NDArray[np.void]]]] = {}  # see `_records_of`
        self._dying: list[NDArray[np.int64]] = []
        self._locked = False

    def enter(self) -> None:
        """Make this esper's current world: esper's queries refer to it from now on.

        Raises:
            RuntimeError: the world is closed.
        """
        esper_worlds.enter(self.name)

    def close(self) -> None:
        """Free the esper entities, handles and table of the world. A world without references is freed anyway."""
        esper_worlds.leave(self.name)
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
        count, given = counted(count), values or {}
        self.prefab_index(prefab)
        records = self._records_of(self.prefabs[prefab])
        refuse_unknown_fields(self.table, given)
        components = dict.fromkeys([*records, *(self.table.components[key.split(".")[0]] for key in given)])
        serials = np.arange(self.next_serial, self.next_serial + count, dtype=np.int64)
        self.restore(prefab, serials, [*components], given, records)
        self.next_serial += count
        return serials

    def restore(
        self,
        prefab: str,
        serials: NDArray[np.int64],
        components: list[ComponentType],
        values: Mapping[str, ArrayLike],
        records: Mapping[ComponentType, NDArray[np.void]] = MappingProxyType({}),
    ) -> None:
        """Make entities with given serials, of one prefab and with exactly these components.

        Args:
            records: for each component a record to use in place of the defaults, shape (1,); `values` take precedence.
        Raises:
            KeyError: the prefab, a component or a field is unknown.
            ValueError: a column can't hold a value, the number of values is not that of the serials, or there are too
                many entities.
        """
        self.prefab_index(prefab)
        bits, count = self.table.mask(components), len(serials)
        self._refuse_crowd(count)
        made = {}
        for component in components:
            made[component.__name__] = records.get(component, self.table.default(component)).repeat(count)
        for key, value in values.items():
            made[key.split(".")[0]][item_of(key)] = column_of(self.table, key, value, count)
        for component in components:
            for key, first in starts(component):
                if key not in values:
                    made[component.__name__][item_of(key)] = made[component.__name__][item_of(first)]
        all_of_them = {name: (slice(None), as_bytes(values)) for name, values in made.items()}
        presence, lived = np.full(count, bits, np.uint64), self._lived(serials)
        self._change(
            Asked(
                lambda: self._bring(serials, self.prefab_index(prefab), presence, all_of_them, lived),
                serials,
                np.zeros(count, np.int64),
            )
        )

    def bring(
        self,
        serials: NDArray[np.int64],
        prefabs: NDArray[np.int32],
        presence: NDArray[np.uint64],
        records: Mapping[str, tuple[Any, NDArray[np.void]]],
        parents: NDArray[np.int64] | None = None,
    ) -> None:
        """Make entities with given serials, each of its own prefab and with its own components.

        Args:
            prefabs: the index of each entity's prefab.
            presence: the bits of each entity's components, as in the table's `presence`.
            records: by name of component, an index of the entities that have it, and their records as plain bytes.
            parents: the serial of each entity's parent, if it was born.
        Raises:
            ValueError: there is no room for them.
        """
        self._refuse_crowd(len(serials))
        lived, parents = self._lived(serials), np.zeros_like(serials) if parents is None else parents
        self._change(Asked(lambda: self._bring(serials, prefabs, presence, records, lived), serials, parents))

    def _lived(self, serials: NDArray[np.int64]) -> bool:
        """Return whether one of these entities lived before: it may come back with other values."""
        return bool(serials.min(initial=self._highest + 1) <= self._highest)

    def _refuse_crowd(self, count: int) -> None:
        """Raise ValueError if there is no room for `count` more entities."""
        if not self.has_room(count):
            room = MOST_ENTITIES - self.table.size - self.coming + len(self.dying)
            raise ValueError(f"can't make {count:,} entities: there is room for {room:,} more")

    def _records_of(self, prefab: Prefab) -> dict[ComponentType, NDArray[np.void]]:
        """Return `records_of` a prefab, cached while the prefab and its components stay the same."""
        refuse_unknown_fields(self.table, prefab.components)
        components = [self.table.components[name] for name in prefab.components]
        made_of, records = self._records.get(prefab.name, (None, {}))
        if made_of is not prefab or [*records] != components:
            records = records_of(self.table, prefab)
            self._records[prefab.name] = prefab, records
        return records

    def has_room(self, count: int, most: int = MOST_ENTITIES) -> bool:
        """Return whether, after all queued changes, `count` more entities would be at most `most` in total."""
        living = self.table.size + self.coming + count
        return living <= most or living - len(self.dying) <= most

    def despawn(self, serials: ArrayLike) -> None:
        """Remove the entities with these serials; serials of entities that no longer live are ignored.

        Raises:
            ValueError: an entity has no row: it is esper's alone.
        """
        wanted = np.atleast_1d(np.asarray(serials, np.int64))
        if wanted.max(initial=0) >= FIRST_WITHOUT_ROW:
            raise ValueError(f"entity {wanted.max()} was not made by world.spawn: use esper.delete_entity")
        rows = self.table.rows_of(wanted)
        self.despawn_rows(rows[rows >= 0])
        if self._locked and (unborn := wanted[rows < 0]).size:
            self._change(Asked(lambda: self.despawn(unborn)))

    def despawn_rows(self, rows: NDArray[np.integer[Any]]) -> None:
        """Remove the entities in these rows; a row may be given several times."""
        self._dying.append(np.array(rows, np.int64))
        if not self._locked:
            self._remove_dying()
            self.table.close_gaps()

    @property
    def dying(self) -> NDArray[np.int64]:
        """The rows of entities whose removal was requested in this tick so far, ascending, each once."""
        if not self._dying:
            return NO_ROWS
        return np.array(sorted(set(np.concatenate(self._dying).tolist())), np.int64)

    @property
    def unborn(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The serials of the entities that the queued changes will make, and of their parents (0: unknown)."""
        serials = [asked.serials for asked in self._queue]
        return np.concatenate([NO_ROWS, *serials]), np.concatenate([NO_ROWS, *(a.parents for a in self._queue)])

    def reorder(self, order: NDArray[np.integer[Any]]) -> None:
        """Permute all rows: row order[i] becomes row i. Only COMMIT may do this."""
        rows = np.empty(len(order), np.int64)
        rows[order] = np.arange(len(order))
        self._dying = [rows[dying] for dying in self._dying]
        self.table.reorder(order)

    def add(self, entity: int, component: ComponentType, **values: Stored) -> None:
        """Add a component to an entity; nothing happens if the entity dies before this is carried out.

        Raises:
            KeyError: the entity is gone or was not made by `spawn`, or the component has no such field.
            ValueError: a column can't hold a value.
        """
        self.table.row(entity)
        if unknown := [name for name in values if name not in component.fields]:
            raise KeyError(f"{component.__name__} has no field {unknown[0]!r}")
        columns = ((key, value) for name, value in values.items() for key in component.fields[name].columns)
        ready = {key: column_of(self.table, key, value, 1) for key, value in columns}
        self._change(Asked(lambda: self._add(entity, component, ready), entity=entity, component=component))

    def remove(self, entity: int, component: ComponentType) -> None:
        """Remove a component from an entity.

        Nothing happens if the entity dies, or has no other component left, before this is carried out.

        Raises:
            KeyError: the entity does not have the component.
            ValueError: it is the entity's last component.
        """
        self.get(entity, component)
        if esper.components_for_entity(entity) == (esper.try_component(entity, component),):
            raise ValueError(f"{component.__name__} is the last component of entity {entity}: despawn it instead")
        self._change(Asked(lambda: self._remove(entity, component), entity=entity, component=component, present=False))

    def coming_components(self, entity: int) -> set[ComponentType]:
        """Return the components that an entity will have once all queued changes are carried out."""
        row = self.table.row(entity)
        found = {component for component in self.table.bit_of if self.table.has(row, component)}
        for asked in self._queue:
            if asked.component and asked.entity == entity:
                if asked.present:
                    found.add(asked.component)
                elif len(found) > 1:  # the last one stays
                    found.discard(asked.component)
        return found

    def redeclare(self, component: ComponentType) -> None:
        """Replace the declaration of a component, and its handles, between two ticks: see `EntityTable.redeclare`."""
        self.enter()
        self.table.redeclare(component)
        fit(self.table.serial[self.table.rows(component)])

    def has(self, entity: int, component: ComponentType) -> bool:
        """Return whether an entity has a component."""
        self.enter()
        return esper.has_component(entity, component)

    def get(self, entity: int, component: type[R]) -> R:
        """Return an entity's handle of a component.

        Raises:
            KeyError: the entity does not have the component.
        """
        self.enter()
        return esper.component_for_entity(entity, component)

    @property
    def waits(self) -> bool:
        """Whether structural changes wait for `commit`."""
        return self._locked

    def begin_tick(self) -> None:
        """Queue structural changes from now on, until `commit`."""
        self._locked = True

    def commit(self) -> None:
        """Carry out the queued changes: first all removals of entities, then the rest in order. Rows move only here.

        Raises:
            Exception: the error of the first change that failed; all other changes are carried out.
        """
        self._locked = False
        self._remove_dying()
        queue, self._queue, self.coming = self._queue, [], 0
        errors: list[Exception] = []
        for asked in queue:
            try:
                asked.carry_out()
            except Exception as error:
                errors.append(error)
        self.table.close_gaps()
        if errors:
            raise errors[0]

    def cancel(self) -> None:
        """Drop all changes queued since `begin_tick`."""
        self._locked = False
        self._queue.clear()
        self._dying.clear()
        self.coming = 0

    @property
    def asked(self) -> tuple[int, int, int]:
        """A mark for `take_back`: the numbers of queued changes and removals so far, and the next serial."""
        return len(self._queue), len(self._dying), self.next_serial

    def take_back(self, asked: tuple[int, int, int]) -> None:
        """Drop all changes queued since `asked` had this value."""
        changes, deaths, self.next_serial = asked
        self.coming -= sum(len(change.serials) for change in self._queue[changes:])
        del self._queue[changes:], self._dying[deaths:]

    def repopulate(self, serials: NDArray[np.int64], prefabs: NDArray[np.int32], presence: NDArray[np.uint64]) -> None:
        """Replace all entities, with rows in the given order, and drop the queued changes.

        The caller sets their values afterwards. Entities that also live now keep their ids.
        """
        self.enter()
        self.cancel()
        table = self.table
        rows = table.rows_of(serials)
        stays = rows >= 0
        others = serials[stays & (table.presence[rows] != presence)]
        gone = np.ones(table.size, bool)
        gone[rows[stays]] = False
        delete_entities(table.serial[: table.size][gone])
        table.assign(serials, prefabs, presence)
        self.population = _counts(prefabs)
        fit(others)
        self._highest = int(serials.max(initial=self._highest))

    def _change(self, asked: Asked) -> None:
        if self._locked:
            self._queue.append(asked)
            self.coming += len(asked.serials)
        else:
            asked.carry_out()

    def _bring(
        self,
        serials: NDArray[np.int64],
        prefabs: NDArray[np.int32] | int,
        presence: NDArray[np.uint64],
        records: Mapping[str, tuple[Any, NDArray[np.void]]],
        lived: bool,
    ) -> None:
        self.enter()
        table = self.table
        rows = table.append(len(serials), presence)  # nothing can fail from here on
        esper.clear_cache()
        table.prefab[rows] = prefabs
        table.bind(rows, serials)
        np.add.at(self.population, table.prefab[rows], 1)
        for name, (own, values) in records.items():
            table.plain[name][rows[own]] = values
        if lived:
            table.changed(*records)
        self._highest = int(serials.max(initial=self._highest))

    def _remove_dying(self) -> None:
        rows, self._dying = self.dying, []
        if len(rows):
            self.enter()
            np.subtract.at(self.population, self.table.prefab[rows], 1)
            delete_entities(self.table.serial[rows])
            self.table.vacate(rows)

    def _add(self, entity: int, component: ComponentType, values: Mapping[str, NDArray[Any]]) -> None:
        self.enter()
        if not esper.entity_exists(entity):
            return
        row = self.table.row(entity)
        self.table.set_presence([row], [component])
        self.table.changed(component.__name__)
        for key, value in values.items():
            self.table.columns[key][row] = value[0]
        fit(np.array([entity]))

    def _remove(self, entity: int, component: ComponentType) -> None:
        self.enter()
        if not esper.entity_exists(entity) or not esper.has_component(entity, component):
            return
        if len(esper.components_for_entity(entity)) == 1:  # the others were removed since this was requested
            return
        self.table.set_presence([self.table.row(entity)], [component], present=False)
        fit(np.array([entity]))


def _counts(prefabs: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the number of occurrences of each prefab index, int64 (MOST_PREFABS,)."""
    return np.bincount(prefabs, minlength=MOST_PREFABS)
