"""What the rules of flocking need of Perception and Flocker, prepared once for all who have the same values.

Most flocks are made of a few prefabs: their boids share a record, and a tick reads one number of each instead of thirty
values.
"""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker, Perception
from components.motion import Motion, Position, Velocity
from components.store.table import MOST_PREFABS, EntityTable
from systems.engine.kept import version_of
from systems.engine.kernel import inlined, kernel
from systems.space.parts import PARTS, for_each_part, part_of
from systems.space.prepared_rules import ATTENDS_TO_EVERYONE, RULES, prepare
from systems.space.radii import BUCKETS, no_radii, note_radius

f32, i32, i64, u64, index = np.float32, np.int32, np.int64, np.uint64, np.uint64
UPDATED_BEFORE_ALL = 8  # once every eighth row was brought up to date, the common width may have become another
SEEING_WORDS = Perception.record.itemsize // 8  # type: ignore[attr-defined]
FLOCKING_WORDS = Flocker.record.itemsize // 8  # type: ignore[attr-defined]
FLOCKING = (Position, Velocity, Motion, Perception, Flocker)
RINGS_COST = 2.5  # a candidate gathered for one boid alone, against one gathered for a whole cell


class Usual(NamedTuple):
    """By prefab the values that most of its boids have: those of the first one.

    Attributes:
        known: bool (MOST_PREFABS,), whether there was one.
        seeing, flocking: uint64, its Perception and Flocker as words.
    """

    known: NDArray[np.bool_]
    seeing: NDArray[np.uint64]
    flocking: NDArray[np.uint64]


@dataclass
class RuleTable:
    """The rules of those who flock.

    Attributes:
        made_of: the versions of rows and values it was made of.
        of: int32 (capacity,), by table row, the place of its rules in `rules`.
        rules: records of dtype RULES: of each prefab the usual ones, then those of each row that differs.
        usual: what is usual.
        common: u, the width of cells for which all together look at the fewest candidates.
        farthest: u, no one sees farther.
        everyone: someone attends to everyone, or did a moment ago.
        one_prefab: all are of the same prefab.
        updated: how many rows were brought up to date since all were looked at.
    """

    made_of: tuple[int, ...]
    of: NDArray[np.int32]
    rules: NDArray[np.void]
    usual: Usual
    common: float
    farthest: float
    everyone: bool
    one_prefab: bool
    updated: int = 0


def rule_table(table: EntityTable) -> RuleTable:
    """Of all who flock in a world; it stays right until rows or values change."""
    kept: RuleTable | None = table.kept.get(rule_table)
    now = version_of(table, Perception, Flocker)
    if kept is not None and kept.made_of == now:
        return kept
    if kept is not None and kept.made_of[1:] == now[1:] and len(kept.of) == len(table.prefab):
        rows = table.row_changes.since(kept.made_of[0])
        if rows is not None and UPDATED_BEFORE_ALL * (kept.updated + len(rows)) <= table.size:
            _update(kept, table, rows)
            kept.made_of = now
            return kept
    made = table.kept[rule_table] = _made(table, now)
    return made


def _made(table: EntityTable, made_of: tuple[int, ...]) -> RuleTable:
    flock = _flockers(table, table.rows(*FLOCKING))
    of, rules = np.zeros(len(table.prefab), i32), _aligned(MOST_PREFABS + len(table.prefab))
    rules[:MOST_PREFABS] = np.zeros((), RULES)  # rules that do nothing, for rows that no longer flock
    words = (np.zeros((MOST_PREFABS, own.shape[1]), u64) for own in (flock.seeing, flock.flocking))
    usual, found = Usual(np.zeros(MOST_PREFABS, bool), *words), _nothing_found()
    _prepare_usual(flock, usual, rules)
    _prepare(flock, usual, of, rules, found)
    width, farthest = float(_common_width(rules, found)), float(found.widest.max())
    everyone = found.manners.any() or (rules["manner"][:MOST_PREFABS][usual.known] & ATTENDS_TO_EVERYONE).any()
    return RuleTable(made_of, of, rules, usual, width, farthest, bool(everyone), int(usual.known.sum()) <= 1)


def _update(known: RuleTable, table: EntityTable, rows: NDArray[np.int64]) -> None:
    """Bring up to date what is known of these rows."""
    known.updated += len(rows)
    found, flocking = _nothing_found(parts=1), u64(table.mask(FLOCKING))
    flock = _flockers(table, rows)
    alike = _prepare_few(flock, table.size, table.presence, flocking, known.usual, known.of, known.rules, found)
    known.farthest = max(known.farthest, float(found.widest.max()))
    known.everyone = known.everyone or bool(found.manners[0])
    known.one_prefab = known.one_prefab and alike


Flockers = namedtuple("Flockers", "rows prefab seeing flocking perception flocker")
"""Those who flock: their rows, and by row the prefab, Perception and Flocker, first as words of 64 bits."""

Found = namedtuple("Found", "widest members alike manners")
"""By part of the rows: what `no_radii` gives, of those whose rules are not the usual ones; how many of each prefab have
the usual ones; whether one of the others attends to everyone."""


def _flockers(table: EntityTable, rows: NDArray[np.integer[Any]]) -> Flockers:
    records = table.records(Perception), table.records(Flocker)
    words = (own.view(u64).reshape(len(table.prefab), -1) for own in records)
    return Flockers._make((rows, table.prefab, *words, *records))


def _nothing_found(parts: int = PARTS) -> Found:
    return Found._make((*no_radii(parts), np.zeros((parts, MOST_PREFABS), i64), np.zeros(parts, i32)))


def _aligned(count: int) -> NDArray[np.void]:
    """Records that begin where a line of the cache does: each is as long as one."""
    room = np.empty(RULES.itemsize * (count + 1), np.uint8)
    first = -room.ctypes.data % RULES.itemsize
    return room[first : first + RULES.itemsize * count].view(RULES)


@kernel
def _prepare_usual(flock, usual, rules):
    """Prepare the rules of the first boid of each prefab."""
    for row in flock.rows:
        _prepare_if_first(flock, row, flock.prefab[row], usual, rules)


@inlined
def _prepare_if_first(flock, row, prefab, usual, rules):
    if usual.known[prefab]:
        return
    usual.known[prefab] = True
    for n in range(SEEING_WORDS):
        usual.seeing[prefab, n] = flock.seeing[row, n]
    for n in range(FLOCKING_WORDS):
        usual.flocking[prefab, n] = flock.flocking[row, n]
    prepare(flock.perception[row], flock.flocker[row], rules[prefab])


@for_each_part
def _prepare(part, flock, usual, of, rules, found):
    """Find the rules of each row, and prepare those that are not the usual ones."""
    begin, end = part_of(part, len(flock.rows))
    for k in range(begin, end):
        _prepare_one(flock, index(flock.rows[k]), usual, of, rules, found, part)


@kernel
def _prepare_few(flock, size, presence, flocking, usual, of, rules, found):
    """`_prepare` for those of these rows that flock; returns whether no one is of a prefab that is not known."""
    known = True
    for row in flock.rows:
        if row < size and presence[row] & flocking == flocking:
            known &= usual.known[flock.prefab[row]]
            _prepare_one(flock, index(row), usual, of, rules, found, 0)
    return known


@inlined
def _prepare_one(flock, row, usual, of, rules, found, part):
    prefab = index(flock.prefab[row])
    if _is_usual(flock, row, usual, prefab):
        of[row] = prefab
        found.alike[part, prefab] += 1
    else:
        of[row] = MOST_PREFABS + row
        prepare(flock.perception[row], flock.flocker[row], rules[of[row]])
        note_radius(found.widest, found.members, part, rules[of[row]].sight)
        found.manners[part] |= rules[of[row]].manner & ATTENDS_TO_EVERYONE


@inlined
def _is_usual(flock, row, usual, prefab):
    """Whether a row has the usual values of its prefab, compared without a branch for each word."""
    difference = flock.seeing[row, 0] ^ usual.seeing[prefab, 0]
    for n in range(1, SEEING_WORDS):
        difference |= flock.seeing[row, n] ^ usual.seeing[prefab, n]
    for n in range(FLOCKING_WORDS):
        difference |= flock.flocking[row, n] ^ usual.flocking[prefab, n]
    return usual.known[prefab] and difference == 0


@kernel
def _common_width(rules, found):
    widest, members = found.widest, found.members
    for prefab in range(MOST_PREFABS):
        count = found.alike[:, prefab].sum()
        if count > 0:
            note_radius(widest, members, 0, rules[prefab].sight, count)
    best, cheapest = f32(0), np.inf
    for chosen in range(BUCKETS):
        width = np.float64(widest[:, chosen].max())
        if members[:, chosen].sum() == 0:
            continue
        cost = 0.0
        for bucket in range(BUCKETS):
            far = np.float64(widest[:, bucket].max())
            reads = 9 * width * width if far <= width else RINGS_COST * (2 * far + width) * (2 * far + width)
            cost += reads * members[:, bucket].sum()
        if cost < cheapest:
            best, cheapest = f32(width), cost
    return best
