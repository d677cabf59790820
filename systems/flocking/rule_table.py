"""The prepared rules of all boids; boids with the same Perception and Flocker share a record.

Most flocks consist of a few prefabs, so a tick reads one index per boid instead of thirty values.
"""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker, Perception
from components.motion import Motion, Position, Velocity
from components.store.table import MOST_PREFABS, EntityTable
from systems.engine.kernel import inlined, kernel
from systems.engine.rows import PARTS, for_each_part, part_of
from systems.flocking.prepared_rules import ATTENDS_TO_EVERYONE, RULES, prepare
from systems.space.perception import BUCKETS, count_radius, no_radii

f32, i32, i64, u64, index = np.float32, np.int32, np.int64, np.uint64, np.uint64
UPDATED_BEFORE_ALL = 8  # rebuild once an eighth of the rows was updated: the best width of cells may have changed
SEEING_WORDS = Perception.record.itemsize // 8  # type: ignore[attr-defined]
FLOCKING_WORDS = Flocker.record.itemsize // 8  # type: ignore[attr-defined]
FLOCKING = (Position, Velocity, Motion, Perception, Flocker)
RINGS_COST = 2.5  # cost of a candidate gathered for a single boid, relative to one gathered for a whole cell


class Usual(NamedTuple):
    """The usual values of each prefab: those of its first boid.

    Attributes:
        known: bool (MOST_PREFABS,), whether the prefab had a boid when the table was built.
        seeing, flocking: uint64 (MOST_PREFABS, words), the Perception and Flocker of that boid as 64-bit words.
    """

    known: NDArray[np.bool_]
    seeing: NDArray[np.uint64]
    flocking: NDArray[np.uint64]


@dataclass
class RuleTable:
    """The prepared rules of a flock.

    Attributes:
        made_of: the versions of the rows and values from which it was built.
        flock: the columns from which it was built.
        of: int32 (capacity,), by table row, the index of the boid's rules in `rules`.
        rules: records of dtype RULES: first the usual rules of each prefab, then one record for each row, used if its
            rules differ.
        usual: the usual values of each prefab.
        common: u, the width of cells with which all boids together look at the fewest candidates.
        farthest: u, an upper bound of how far any boid sees.
        everyone: whether some boid has the reach "everyone", or had it since the table was built.
        one_prefab: whether all boids have the same prefab.
        updated: how many rows were updated since the table was built.
    """

    made_of: tuple[int, ...]
    flock: Flockers
    of: NDArray[np.int32]
    rules: NDArray[np.void]
    usual: Usual
    common: float
    farthest: float
    everyone: bool
    one_prefab: bool
    updated: int = 0


def rule_table(table: EntityTable) -> RuleTable:
    """The rule table of a world; it is updated, or built anew, after rows or values have changed."""
    kept: RuleTable | None = table.kept.get(rule_table)
    now = table.clocks(Perception, Flocker)
    if kept is not None and kept.made_of == now:
        return kept
    if kept is not None and kept.made_of[1:] == now[1:] and len(kept.of) == len(table.prefab):
        changes = table.row_changes.since(kept.made_of[0])
        if changes is not None and UPDATED_BEFORE_ALL * (kept.updated + sum(map(len, changes))) <= table.size:
            for rows in changes:
                _update(kept, table, rows)
            kept.made_of = now
            return kept
    made = table.kept[rule_table] = _made(table, now)
    return made


def _made(table: EntityTable, made_of: tuple[int, ...]) -> RuleTable:
    rows, flock = table.rows(*FLOCKING), _flockers(table)
    of, rules = np.zeros(len(table.prefab), i32), _aligned(MOST_PREFABS + len(table.prefab))
    rules[:MOST_PREFABS] = np.zeros((), RULES)  # rules without effect, for rows that no longer flock
    words = (np.zeros((MOST_PREFABS, own.shape[1]), u64) for own in (flock.seeing, flock.flocking))
    usual, found = Usual(np.zeros(MOST_PREFABS, bool), *words), _nothing_found(PARTS)
    _prepare_usual(rows, flock, usual, rules)
    _prepare(rows, flock, usual, of, rules, found)
    width, farthest = float(_common_width(rules, found)), float(found.widest.max())
    everyone = found.manners.any() or (rules["manner"][:MOST_PREFABS][usual.known] & ATTENDS_TO_EVERYONE).any()
    return RuleTable(made_of, flock, of, rules, usual, width, farthest, bool(everyone), int(usual.known.sum()) <= 1)


def _update(known: RuleTable, table: EntityTable, rows: NDArray[np.int64]) -> None:
    """Update the rules of these rows."""
    known.updated += len(rows)
    flocking = u64(table.mask(FLOCKING))
    usual, farthest, everyone = _prepare_few(
        rows, known.flock, table.size, table.presence, flocking, known.usual, known.of, known.rules
    )
    known.farthest, known.everyone = max(known.farthest, farthest), known.everyone or everyone
    known.one_prefab = known.one_prefab and usual


Flockers = namedtuple("Flockers", "prefab seeing flocking perception flocker")
"""By row: the prefab, then Perception and Flocker as 64-bit words, then both as records."""

Found = namedtuple("Found", "widest members alike manners")
"""By part of the rows: the radii (see `no_radii`) of boids with unusual rules; the number of boids of each prefab with
the usual rules; the bit ATTENDS_TO_EVERYONE if a boid with unusual rules has it."""


def _flockers(table: EntityTable) -> Flockers:
    records = table.records(Perception), table.records(Flocker)
    words = (own.view(u64).reshape(len(table.prefab), -1) for own in records)
    return Flockers._make((table.prefab, *words, *records))


@kernel
def _nothing_found(parts):
    widest, members = no_radii(parts)
    return Found(widest, members, np.zeros((parts, MOST_PREFABS), i64), np.zeros(parts, i32))


def _aligned(count: int) -> NDArray[np.void]:
    """An array of rules, aligned so that each record is one cache line."""
    room = np.empty(RULES.itemsize * (count + 1), np.uint8)
    first = -room.ctypes.data % RULES.itemsize
    return room[first : first + RULES.itemsize * count].view(RULES)


@kernel
def _prepare_usual(rows, flock, usual, rules):
    """Prepare the rules of the first boid of each prefab."""
    for row in rows:
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
def _prepare(part, rows, flock, usual, of, rules, found):
    """Set the rules of each row, and prepare those that are not the usual ones of its prefab."""
    begin, end = part_of(part, len(rows))
    for k in range(begin, end):
        row = index(rows[k])
        if _prepare_one(flock, row, usual, of, rules):
            found.alike[part, of[row]] += 1
        else:
            count_radius(found.widest, found.members, part, rules[of[row]].sight)
            found.manners[part] |= rules[of[row]].manner & ATTENDS_TO_EVERYONE


@kernel
def _prepare_few(rows, flock, size, presence, flocking, usual, of, rules):
    """`_prepare` for those of these rows that flock.

    Returns:
        whether the usual rules of all their prefabs are known; how far the boids with unusual rules see at most
        (float32, u); and whether one of these attends to everyone.
    """
    known, farthest, manners = True, f32(0), i32(0)
    for row in rows:
        if row < size and presence[row] & flocking == flocking:
            known &= usual.known[flock.prefab[row]]
            if not _prepare_one(flock, index(row), usual, of, rules):
                farthest = max(farthest, rules[of[row]].sight)
                manners |= rules[of[row]].manner
    return known, farthest, manners & ATTENDS_TO_EVERYONE != 0


@inlined
def _prepare_one(flock, row, usual, of, rules):
    """Set the rules of a row, and prepare them if needed; return whether they are the usual ones of its prefab."""
    prefab = index(flock.prefab[row])
    is_usual = _is_usual(flock, row, usual, prefab)
    if is_usual:
        of[row] = prefab
    else:
        of[row] = MOST_PREFABS + row
        prepare(flock.perception[row], flock.flocker[row], rules[of[row]])
    return is_usual


@inlined
def _is_usual(flock, row, usual, prefab):
    """Whether a row has the usual values of its prefab; compares all words without branches."""
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
            count_radius(widest, members, 0, rules[prefab].sight, count)
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
