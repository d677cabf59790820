"""Tracks flocks over time, so that each keeps its colour.

Each update matches flocks with those of the last update: a flock gets the identity of the flock from which most of its
members come; if several flocks come from the same one, the largest of them keeps the identity, and the others are new.
A split or merged flock changes its colour only after it has lasted for a while: until then the animals keep their
former flock as their home. Flocks of earlier ticks are remembered, and recalled when time comes there again: they have
the colours that they had then.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from components.flock import Flocker
from components.motion import Position
from components.store.world import World
from sandbox.render.colour_scales import Flocks, choose_colours
from sandbox.render.remembered import APART, Remembered
from systems.engine.kernel import kernel
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.space.linked import linked_groups
from systems.space.torus import minimum_images

LASTING = 0.5  # s
LEAP = 2.0  # s: after a larger jump, or one back, each animal is at home at once in the flock where it is then
TOLD = 10  # members that flocks must have for a join or split to be reported
MOST_TOLD = 1000
NEVER = 1 << 62  # a tick
NEW = -2  # the flock of an animal that did not exist at the last update
NOW, AT_HOME = (3, 2), (0, 1)  # weights of a member's vote for its latest flock, and for its home

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Change:
    """An event: at a tick two flocks joined, or one split into two."""

    tick: int
    joined: bool


class FollowedFlocks:
    """The flocks of all flocking animals; numbers of flocks that no longer exist are reused.

    Attributes:
        count, largest: the number of flocks, and the size of the largest.
        begin, tick: `changes` has the events after `begin` and up to `tick`, at most the last MOST_TOLD.
    """

    def __init__(self) -> None:
        self.count = self.largest = self.begin = self.tick = 0
        self.changes: list[Change] = []
        self._seen: tuple[object, ...] = ()
        self._by_row: tuple[tuple[int, ...], NDArray[np.uint16]] | None = None
        self._serials = np.zeros(0, np.int64)  # of the animals in the arrays below, ascending
        self._home, self._lately, self._since = (np.zeros(0, np.int64) for _ in range(3))
        self._colour = np.zeros(0, np.int64)  # of each flock's number, an index into PALETTE; -1: none yet
        self._remembered = Remembered()

    def look(self, world: World) -> None:
        """Update the flocks from the present positions, if it is time to."""
        settings, table = world.resource(Settings), world.table
        measured = world.resource(Pipeline).by_name["flocks"]  # these are the flocks that it counts
        link = float(measured.link)  # type: ignore[attr-defined]
        rate, ahead = settings.tick_rate, world.tick - self.tick
        seen = link, table.clocks(Position, membership=[Flocker])
        if self._seen and (0 < ahead < APART * rate or (ahead == 0 and self._seen == seen)):
            return
        jumps = self._recall(world.tick) or not 0 <= ahead <= LEAP * rate
        leaps = not 0 <= world.tick - self.tick <= LEAP * rate
        if jumps or not len(self._serials):
            self.begin, self.changes = world.tick, []
        self._seen, self._by_row, self.tick = seen, None, world.tick
        rows = table.rows_by_serial(Position, Flocker)
        places = np.stack([table.columns[f"Position.{axis}"][rows] for axis in table.axes]).astype(np.float64)
        groups, sizes = linked_groups(tuple(places), link, settings.torus)
        self.count, self.largest = len(sizes), int(sizes.max(initial=0))
        self._take_over(table.serial[rows])
        before, (numbers, homes) = self._home.copy(), self._numbers(groups, len(sizes))
        if jumps:
            before[:] = NEW
        if leaps:
            self._home[:], self._since[:], homes = NEW, world.tick, numbers
        _settle(groups, numbers, homes, self.tick, LASTING * rate, self._home, self._lately, self._since)
        self._record_changes(before)
        self._choose_colours(places.T, settings.torus, _of_species(world))
        self._remembered.add(self.tick, rate, self._serials, self._home, self._lately, self._since, self._colour)

    def codes(self, world: World) -> NDArray[np.uint16]:
        """Return 1 + the index of its colour in PALETTE, or 0 if it is in no flock, for each row; (table.size + 1,)."""
        table = world.table
        if self._by_row is None or self._by_row[0] != table.clocks():
            by_row = np.zeros(table.size + 1, np.uint16)
            by_row[table.rows_of(self._serials)] = np.append(self._colour, -1)[self._home] + 1
            self._by_row = table.clocks(), by_row  # the last element is for entities that no longer live
        return self._by_row[1]

    def colours_in_use(self) -> tuple[int, ...]:
        """Return the indexes in PALETTE of the colours of flocks, that of the largest flock first, each once."""
        size = np.bincount(self._home[self._home >= 0], minlength=len(self._colour))
        by_size = np.argsort(-size, kind="stable")
        return tuple(dict.fromkeys(self._colour[by_size[size[by_size] > 0]].tolist()))

    def copy(self) -> FollowedFlocks:
        """Return the same flocks for a copy of the world."""
        twin = copy(self)
        twin.changes, twin._remembered = [*self.changes], self._remembered.copy()
        twin._home, twin._lately, twin._since = self._home.copy(), self._lately.copy(), self._since.copy()
        twin._colour, twin._seen, twin._by_row = self._colour.copy(), (None,), None
        return twin

    def forget_after(self, tick: int) -> None:
        """Forget what was of later ticks, because the timeline branches there."""
        self._remembered.forget_after(tick)
        self.changes = [change for change in self.changes if change.tick <= tick]
        if self.tick > tick:
            self.tick = NEVER

    def _recall(self, tick: int) -> bool:
        """Return whether time goes on otherwise than from the latest look; if so, go on from what was remembered."""
        found = self._remembered.last(tick)
        if self.tick <= tick and (found is None or found[0] <= self.tick):
            return False
        if found is not None:
            self.tick, moment = found
            held = (array.astype(np.int64) for array in (moment.home, moment.lately, moment.since))
            self._serials, self._colour = moment.serials, moment.colour.copy()
            self._home, self._lately, self._since = held
        return True

    def _take_over(self, serials: Numbers) -> None:
        """Set the animals, and keep what is known of them."""
        if np.array_equal(serials, self._serials):
            return
        if len(serials) and len(self._serials):
            index = np.minimum(np.searchsorted(self._serials, serials), len(self._serials) - 1)
            known = self._serials[index] == serials
            held = (np.where(known, held[index], NEW) for held in (self._home, self._lately, self._since))
        else:
            held = (np.full(len(serials), NEW) for _ in range(3))
        self._home, self._lately, self._since = held
        self._serials = serials

    def _numbers(self, groups: Numbers, count: int) -> tuple[Numbers, Numbers]:
        """Return the number of the flock that each group continues, and that of the home of most members, or NEW."""
        members = np.argsort(groups)
        ends = np.searchsorted(groups[members], np.arange(count + 1))
        flock, taken = np.full(count, NEW), np.zeros(len(self._colour) + count, bool)
        for weights in (NOW, AT_HOME):
            best, votes = np.full(count, NEW), np.zeros(count, np.int64)
            _vote(members, ends, self._lately, self._home, weights, np.zeros(len(taken), np.int64), best, votes)
            who = np.flatnonzero((flock == NEW) & (best != NEW))
            who = who[~taken[best[who]]]
            who = who[np.argsort(-votes[who], kind="stable")]
            claimed, first = np.unique(best[who], return_index=True)
            flock[who[first]], taken[claimed] = claimed, True
        for held in (self._home, self._lately):
            taken[held[held >= 0]] = True
        colour = np.append(self._colour, np.full(count, -1))
        colour[~taken] = -1
        flock[flock == NEW] = np.flatnonzero(~taken)[: np.count_nonzero(flock == NEW)]
        self._colour = colour[: max(flock.max(initial=-1), np.flatnonzero(taken).max(initial=-1)) + 1]
        return flock, best

    def _record_changes(self, before: Numbers) -> None:
        """Record which flocks joined and split after `begin`, given the homes before."""
        changed = np.flatnonzero(
            (before != self._home) & (before >= 0) & (self._home >= 0) & (self._since > self.begin)
        )
        count = len(self._colour)
        had, has = (np.bincount(home[home >= 0], minlength=count) for home in (before, self._home))
        pairs, first, moved = np.unique(
            before[changed] * count + self._home[changed], return_index=True, return_counts=True
        )
        for pair, one in zip(pairs[moved >= TOLD].tolist(), changed[first[moved >= TOLD]].tolist(), strict=True):
            old, new = divmod(pair, count)
            joined = min(had[old], had[new]) >= TOLD and 2 * has[old] < had[old]
            if joined or (had[new] == 0 and has[old] >= TOLD):
                self.changes.append(Change(int(self._since[one]), bool(joined)))
        self.changes = sorted(self.changes, key=lambda change: change.tick)[-MOST_TOLD:]

    def _choose_colours(
        self, places: NDArray[np.float64], torus: tuple[float, ...] | None, others: NDArray[np.uint32]
    ) -> None:
        """Give a colour to each flock that has members, but no colour; `others`: colours with another meaning."""
        who = np.flatnonzero(self._home >= 0)
        home, count = self._home[who], len(self._colour)
        size = np.bincount(home, minlength=count)
        if not ((size > 0) & (self._colour < 0)).any():
            return
        some = np.zeros(count, np.int64)
        some[home] = who
        offsets = minimum_images(places[who] - places[some[home]], torus)
        sums = (np.bincount(home, values, count) for values in (*offsets.T, np.square(offsets).sum(axis=1)))
        *means, square = (total / np.maximum(size, 1) for total in sums)
        mean = np.stack(means, axis=1)
        axes = mean.shape[1]
        radius = np.sqrt((axes + 2) / axes * np.maximum(square - np.square(mean).sum(axis=1), 0))  # of a disc or ball
        choose_colours(Flocks(self._colour, size, places[some] + mean, radius, torus), others)


def _of_species(world: World) -> NDArray[np.uint32]:
    """Return the colours of the prefabs of flocking animals, 0xRRGGBB."""
    own = [prefab.components for prefab in world.prefabs.values()]
    usual = world.table.components["Look"].fields["colour"].default
    found = [each["Look"].get("colour", usual) for each in own if {"Look", "Flocker"} <= each.keys()]
    return np.array(found, np.uint32)


@kernel
def _vote(members, ends, lately, home, weights, tally, best, votes):
    """For each group, find the flock with the most votes of its members, if there are any, and their number."""
    for group in range(len(best)):
        its = members[ends[group] : ends[group + 1]]
        for one in its:
            if lately[one] >= 0:
                tally[lately[one]] += weights[0]
            if home[one] >= 0:
                tally[home[one]] += weights[1]
        for one in its:
            for flock in (lately[one], home[one]):
                if flock >= 0:
                    if tally[flock] > votes[group] or (tally[flock] == votes[group] and flock < best[group]):
                        best[group], votes[group] = flock, tally[flock]
                    tally[flock] = 0


@kernel
def _settle(groups, numbers, homes, tick, lasting, home, lately, since):
    """Set the latest flock of each animal; it becomes its home after `lasting` ticks in it."""
    for one in range(len(groups)):
        group = groups[one]
        flock = numbers[group] if group >= 0 else group
        if home[one] == NEW:
            home[one] = homes[group] if group >= 0 and homes[group] != NEW else flock
        if flock != lately[one]:
            lately[one], since[one] = flock, tick
        elif tick - since[one] >= lasting:
            home[one] = flock


def followed(world: World) -> FollowedFlocks:
    """Update and return the flocks of a world."""
    flocks: FollowedFlocks = world.resources.setdefault(FollowedFlocks, FollowedFlocks())
    flocks.look(world)
    return flocks
