"""Doing something to a world whole, and noting what takes it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from components.store.savepoint import Savepoint, difference, same, stored_difference
from components.store.world import World
from sandbox.design.origins import Origins
from sandbox.undo.change import Change
from sandbox.undo.coming import Come, Go, Handled, NextSerial
from sandbox.undo.settings import PrefabAt, Setting
from sandbox.undo.values import values_before
from systems.engine.system import System


@contextmanager
def whole(world: World) -> Iterator[Savepoint]:
    """Between two ticks: what is done to the world within is done whole, or, where it fails, not at all."""
    world.commit()
    before = Savepoint.take(world)
    try:
        yield before
    except BaseException:
        before.restore(world)
        raise


def settle(world: World, others: Iterable[System]) -> None:
    """Run the other systems of COMMANDS."""
    world.begin_tick()
    for system in others:
        system.process(world)
    world.commit()


def settings_since(before: Savepoint, world: World) -> list[Change]:
    """What takes back what became of resources, parameters and the seed since a savepoint.

    To be asked before `settle`: a mod that fails there stays stopped.
    """
    found: list[Change] = [Setting(World, "seed", world.seed, before.seed)] if world.seed != before.seed else []
    for (kind, name), (then, now) in stored_difference(before, world).items():
        is_handled = (kind, name) == (Origins, "handled")
        found += Handled.between(then, now) if is_handled else [Setting(kind, name, now, then)]
    return found


def changes_since(before: Savepoint, world: World) -> list[Change]:
    """What takes back what became of entities and prefabs since a savepoint, to be applied from the last to the first.

    Those who came go first, values and prefabs follow, and those who went come last: their prefabs must be there.
    """
    found = difference(before, world)
    changes: list[Change] = [Come(before.only(found.went))] if len(found.went) else []
    if world.next_serial != before.next_serial:
        changes.append(NextSerial(world.next_serial, before.next_serial, world.tick))
    changes += _prefabs(before, world)
    changes += [values for changed in found.changed for values in values_before(changed)]
    return [*changes, Go(found.came)] if len(found.came) else changes


def _prefabs(before: Savepoint, world: World) -> list[PrefabAt]:
    """Of those who are to go the last goes first, of those who are to come the first comes first."""
    now, places = [*world.prefabs.values()], range(max(len(world.prefabs), len(before.prefabs)))
    pairs = [[each[place] if place < len(each) else None for each in (now, before.prefabs)] for place in places]
    changed = [PrefabAt(place, new, old) for place, (new, old) in enumerate(pairs) if not same(new, old)]
    return sorted(changed, key=lambda change: -change.place if change.left is None else change.place)
