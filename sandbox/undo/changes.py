"""Finds the changes that take a command back after time has gone on.

A change takes back one thing that a command made, removed or set. It leaves a value alone that is no longer what the
command left, because something else has changed it meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from components.store.fields import FLAT
from components.store.savepoint import Savepoint, difference, same, stored_difference
from components.store.world import World
from sandbox.design.origins import Origins
from sandbox.undo.coming import EditedAlone, Remove, Restore
from sandbox.undo.values import Values, same_bits, values_before, values_lost
from sandbox.undo.world_values import PrefabAt, Setting
from systems.engine.settings import Settings
from systems.engine.system import System

Change = Remove | Restore | EditedAlone | Setting | PrefabAt | Values
"""Has `apply(world, given)`: makes the change, between ticks; serials from `given` on belong to others now."""


def settle(world: World, others: Iterable[System]) -> None:
    """Run the other systems of COMMANDS."""
    world.begin_tick()
    for system in others:
        system.process(world)
    world.commit()


def settled(before: Savepoint, world: World, others: Iterable[System]) -> Savepoint:
    """Run the other systems of COMMANDS after a command.

    Returns:
        the savepoint before the command, with the values of resources that these systems changed: a mod that failed in
        one stays stopped when the command is undone.
    """
    asked = Savepoint.of(world, {}, before.serial[:0], before.prefab[:0], before.presence[:0], {})
    settle(world, others)
    found: dict[type, dict[str, Any]] = {}
    for (kind, name), (_, now) in stored_difference(asked, world).items():
        found.setdefault(kind, dict(before.stored.get(kind, {})))[name] = now
    return replace(before, stored={**before.stored, **found}) if found else before


def changes_since(before: Savepoint, world: World) -> list[Change]:
    """Return the changes that take back everything since a savepoint, to be applied last to first.

    Depth comes first, with what only worlds with depth have: all else is as it was before then. Then new entities are
    removed, values and prefabs are restored, removed entities come back, because they need their prefabs, and settings
    follow.
    """
    found = difference(before, world)
    depth: list[Change] = [*values_lost(before)] if before.axes != world.table.axes == FLAT else []
    changes: list[Change] = [Setting(World, "seed", world.seed, before.seed)] if world.seed != before.seed else []
    edited: list[Change] = []
    for (kind, name), (then, now) in stored_difference(before, world).items():
        if (kind, name) == (Origins, "edited_alone"):
            edited += EditedAlone.between(then, now)
        else:
            (depth if (kind, name) == (Settings, "Settings.depth") else changes).append(Setting(kind, name, now, then))
    if len(found.went):
        changes.append(Restore(before.only(found.went)))
    changes += _prefabs(before, world)
    changes += [values for changed in found.changed for values in values_before(changed)]
    if len(found.came):
        changes.append(Remove(found.came))
    return [*changes, *depth, *edited]


def joined(changes: Iterable[Change], later: Iterable[Change]) -> list[Change]:
    """Return changes and later ones; if both are of the same value, as while a slider is dragged, they become one."""
    found = list(changes)
    for change in later:
        pairs = ((index, _both(known, change)) for index, known in enumerate(found))
        index, both = next((pair for pair in pairs if pair[1]), (len(found), change))
        found[index : index + 1] = [both] if both and not _is_nothing(both) else []
    return found


def _both(known: Change, later: Change) -> Change | None:
    """Return the change that undoes a later one and then a known one of the same value, if that left no gap."""
    if isinstance(known, Values) and isinstance(later, Values):
        return known.continued(later)
    if not isinstance(known, Setting | PrefabAt) or not isinstance(later, Setting | PrefabAt):
        return None
    are_of_one = replace(known, left=None, value=None) == replace(later, left=None, value=None)
    return replace(later, value=known.value) if are_of_one and same(later.value, known.left) else None


def _is_nothing(change: Change) -> bool:
    """Return whether a change restores what was left."""
    if isinstance(change, Values):
        return change.firm > 0 and all(map(same_bits, change.left[: change.firm], change.value))
    return isinstance(change, Setting | PrefabAt) and same(change.left, change.value)


def _prefabs(before: Savepoint, world: World) -> list[PrefabAt]:
    """Return the changes of prefabs, ordered so that the last is removed first and the first is restored first."""
    now, indexes = [*world.prefabs.values()], range(max(len(world.prefabs), len(before.prefabs)))
    pairs = [[each[index] if index < len(each) else None for each in (now, before.prefabs)] for index in indexes]
    changed = [PrefabAt(index, new, old) for index, (new, old) in enumerate(pairs) if not same(new, old)]
    return sorted(changed, key=lambda change: -change.index if change.left is None else change.index)
