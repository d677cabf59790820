"""The prepared rules of all boids; boids with equal Perception and Flocker share an entry.

Most flocks consist of a few prefabs, so a tick reads one index per boid instead of its fields.
"""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker, Perception
from components.motion import Motion, Position, Velocity
from components.store.records import form_of
from components.store.table import NEW, EntityTable
from systems.engine.kernel import inlined, kernel
from systems.flocking.prepared_rules import ATTENDS_TO_EVERYONE, RULES, prepare
from systems.space.perception import BUCKETS, count_radius, no_radii

f32, i32, i64, u64 = np.float32, np.int32, np.int64, np.uint64
FLOCKING = (Position, Velocity, Motion, Perception, Flocker)
CHANGED_BEFORE_ALL = 8  # prepare all once an eighth came or went: the best width of cells may have changed
RINGS_COST = 2.5  # cost of a candidate gathered for a single boid, relative to one gathered for a whole cell
SEEING_WORDS = form_of(Perception).record.itemsize // 8
FLOCKING_WORDS = form_of(Flocker).record.itemsize // 8
ROOM = 64  # entries at first; a power of two, as the hash table needs it
MIX = u64(0x9E3779B97F4A7C15)  # an odd number whose bits have no pattern
EMPTY = -1

Flockers = namedtuple("Flockers", "seeing flocking perception flocker")
"""By row: Perception and Flocker as 64-bit words, then both as records."""

RuleEntries = namedtuple("RuleEntries", "rules words boids slots count")
"""The entries, and a hash table by which they are found. By entry, shape (room,): its `rules`, dtype RULES, each in
one cache line; the `words` of Perception and Flocker from which they were prepared, uint64 (room, words); and for how
many `boids`, int64. `slots`: indexes of entries or EMPTY, int32 (2 * room,). `count`: the number of entries, int64
(1,)."""


@dataclass
class RuleTable:
    """The prepared rules of a flock.

    Attributes:
        clocks: those of the values and the membership of Perception and Flocker when it was brought up to date.
        of: int32 (capacity,), by row, the index of the boid's rules: a row column.
        boids, since: how many boids there were when all were prepared, and how many were prepared since.
        common: u, the width of cells with which all boids together look at the fewest candidates.
        farthest: u, an upper bound of how far any boid sees.
        everyone: whether some boid has the reach "everyone", or had it since all were prepared.
        one_prefab: whether all boids have the same prefab, and had since all were prepared.
    """

    clocks: tuple[int, ...]
    of: NDArray[np.int32]
    entries: Any
    boids: int = 0
    since: int = 0
    common: float = 0.0
    farthest: float = 0.0
    everyone: bool = False
    one_prefab: bool = True
    prefab: int = -1

    @property
    def rules(self) -> NDArray[np.void]:
        """The entries, of dtype RULES."""
        rules: NDArray[np.void] = self.entries.rules
        return rules


def rule_table(table: EntityTable) -> RuleTable:
    """Return the rule table of a world, in which new boids are prepared; all are, if values have changed."""
    known: RuleTable | None = table.derived.get(rule_table)
    clocks, of, size = table.clocks(Perception, Flocker), table.row_column("rules"), table.size
    if known is not None and known.clocks == clocks and known.of is of:
        return known
    if known is not None and known.clocks[:2] == clocks[:2]:  # the values'
        new, boids = np.flatnonzero(of[:size] == NEW), len(table.rows(Perception, Flocker))
        new = new[table.has(new, Perception, Flocker)]
        gone = known.boids + known.since + len(new) - boids
        if CHANGED_BEFORE_ALL * (known.since + len(new) + gone) <= boids:
            known.clocks, known.of, known.since = clocks, of, known.since + len(new)
            _prepare(known, table, new)
            return known
    rows = table.rows(Perception, Flocker)
    of[rows] = NEW
    room = len(known.rules) if known is not None else ROOM
    known = table.derived[rule_table] = RuleTable(clocks, of, _no_entries(room), len(rows))
    _prepare(known, table, rows)
    known.common = float(_common_width(known.entries, *no_radii(1)))
    return known


def _prepare(known: RuleTable, table: EntityTable, rows: NDArray[Any]) -> None:
    """Prepare the rules of these rows."""
    if not len(rows):
        return
    perception, flocker = table.records(Perception), table.records(Flocker)
    seeing, flocking = (own.view(u64).reshape(len(own), -1) for own in (perception, flocker))
    flock, done, first = Flockers(seeing, flocking, perception, flocker), 0, int(known.entries.count[0])
    while (done := _encode(rows, done, flock, known.of, known.entries)) < len(rows):
        known.entries = _with_room(known.entries)
    new = known.rules[first : known.entries.count[0]]
    known.farthest = max(known.farthest, float(new["widest"].max(initial=0)))
    known.everyone = known.everyone or bool((new["flags"] & ATTENDS_TO_EVERYONE).any())
    prefabs = table.prefab[rows]
    known.prefab = known.prefab if known.prefab >= 0 else int(prefabs[0])
    known.one_prefab = known.one_prefab and bool((prefabs == known.prefab).all())


def _no_entries(room: int) -> Any:
    memory = np.empty(RULES.itemsize * (room + 1), np.uint8)
    first = -memory.ctypes.data % RULES.itemsize
    rules = memory[first : first + RULES.itemsize * room].view(RULES)
    words = np.empty((room, SEEING_WORDS + FLOCKING_WORDS), u64)
    made = RuleEntries(rules, words, np.zeros(room, i64), np.empty(2 * room, i32), np.zeros(1, i64))
    _fill_slots(made.words, 0, made.slots)
    return made


def _with_room(entries: Any) -> Any:
    """Return the same entries, with room for twice as many."""
    more, count = _no_entries(2 * len(entries.rules)), int(entries.count[0])
    for name in ("rules", "words", "boids"):
        getattr(more, name)[:count] = getattr(entries, name)[:count]
    more.count[0] = count
    _fill_slots(more.words, count, more.slots)
    return more


@kernel
def _fill_slots(words, count, slots):
    last = u64(len(slots) - 1)
    slots[:] = EMPTY
    for entry in range(count):
        slot = _hash(words, entry) & last
        while slots[slot] != EMPTY:
            slot = (slot + u64(1)) & last
        slots[slot] = entry


@kernel
def _encode(rows, done, flock, of, entries):
    """Set the entries of rows, from the `done`-th on, and make those that are missing.

    Returns:
        the number of rows that are done; less than all, if there is no room for another entry.
    """
    own, last, entry = np.empty((1, SEEING_WORDS + FLOCKING_WORDS), u64), u64(len(entries.slots) - 1), EMPTY
    for k in range(done, len(rows)):
        row = u64(rows[k])
        for n in range(SEEING_WORDS):
            own[0, n] = flock.seeing[row, n]
        for n in range(FLOCKING_WORDS):
            own[0, SEEING_WORDS + n] = flock.flocking[row, n]
        if entry == EMPTY or not _is_of(own, entries.words, entry):  # mostly it is that of the row before
            slot = _hash(own, 0) & last
            entry = entries.slots[slot]
            while entry != EMPTY and not _is_of(own, entries.words, entry):
                slot = (slot + u64(1)) & last
                entry = entries.slots[slot]
            if entry == EMPTY:
                entry = entries.count[0]
                if entry == len(entries.rules):
                    return k
                entries.slots[slot], entries.count[0], entries.boids[entry] = entry, entry + 1, 0
                for n in range(SEEING_WORDS + FLOCKING_WORDS):
                    entries.words[entry, n] = own[0, n]
                prepare(flock.perception[row], flock.flocker[row], entries.rules[entry])
        of[row] = entry
        entries.boids[entry] += 1
    return len(rows)


@inlined
def _hash(words, entry):
    mixed = u64(0)
    for n in range(SEEING_WORDS + FLOCKING_WORDS):
        mixed = (mixed ^ words[entry, n]) * MIX
        mixed ^= mixed >> u64(29)
    return mixed


@inlined
def _is_of(own, words, entry):
    """Return whether a row's own words are those of an entry; compares them all, without branches."""
    difference = u64(0)
    for n in range(SEEING_WORDS + FLOCKING_WORDS):
        difference |= own[0, n] ^ words[entry, n]
    return difference == u64(0)


@kernel
def _common_width(entries, widest, counts):
    for entry in range(entries.count[0]):
        count_radius(widest, counts, 0, entries.rules[entry].widest, entries.boids[entry])
    best, cheapest = f32(0), np.inf
    for chosen in range(BUCKETS):
        width = np.float64(widest[0, chosen])
        if counts[0, chosen] == 0:
            continue
        cost = 0.0
        for bucket in range(BUCKETS):
            far = np.float64(widest[0, bucket])
            reads = 9 * width * width if far <= width else RINGS_COST * (2 * far + width) * (2 * far + width)
            cost += reads * counts[0, bucket]
        if cost < cheapest:
            best, cheapest = f32(width), cost
    return best
