"""Carries out changes of a world with rollback, and computes the changes that undo them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from components.store.savepoint import Savepoint, difference, same, stored_difference
from components.store.world import World
from sandbox.design.origins import Origins
from sandbox.undo.change import Change
from sandbox.undo.coming import Handled, NextSerial, Remove, Restore
from sandbox.undo.settings import PrefabAt, Setting
from sandbox.undo.values import values_before
from systems.engine.system import System


@contextmanager
def rolled_back_on_error(world: World) -> Iterator[Savepoint]:
    """Yield a savepoint taken between two ticks; if the block fails, the world is rolled back to it."""
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
    """Return the changes that undo those of resources, parameters and the seed since a savepoint.

    Must be called before `settle`, so that a mod that fails there stays stopped.
    """
    found: list[Change] = [Setting(World, "seed", world.seed, before.seed)] if world.seed != before.seed else []
    for (kind, name), (then, now) in stored_difference(before, world).items():
        is_handled = (kind, name) == (Origins, "handled")
        found += Handled.between(then, now) if is_handled else [Setting(kind, name, now, then)]
    return found


def changes_since(before: Savepoint, world: World) -> list[Change]:
    """Return the changes that undo those of entities and prefabs since a savepoint, to be applied last to first.

    New entities are removed first, then values and prefabs are restored, and removed entities come back last, because
    they need their prefabs.
    """
    found = difference(before, world)
    changes: list[Change] = [Restore(before.only(found.went))] if len(found.went) else []
    if world.next_serial != before.next_serial:
        changes.append(NextSerial(world.next_serial, before.next_serial, world.tick))
    changes += _prefabs(before, world)
    changes += [values for changed in found.changed for values in values_before(changed)]
    return [*changes, Remove(found.came)] if len(found.came) else changes


def _prefabs(before: Savepoint, world: World) -> list[PrefabAt]:
    """Return the changes of prefabs, ordered so that the last is removed first and the first is restored first."""
    now, places = [*world.prefabs.values()], range(max(len(world.prefabs), len(before.prefabs)))
    pairs = [[each[place] if place < len(each) else None for each in (now, before.prefabs)] for place in places]
    changed = [PrefabAt(place, new, old) for place, (new, old) in enumerate(pairs) if not same(new, old)]
    return sorted(changed, key=lambda change: -change.place if change.left is None else change.place)
