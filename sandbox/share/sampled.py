"""Gathers what is drawn of a world, twenty times a simulated second.

A **track** is one animal over the samples in which it is there without a gap. Its first and last tick are exact, also
between two samples. Where animals are too many for a page, some are left out: the same ones all the time, and none of
a kind of which there are few.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from components.look import Look
from components.store.table import MOST_PREFABS, EntityTable
from sandbox.app.drawing.rendered import Rendered
from sandbox.render.animals import Drawing, animals
from sandbox.render.colour_scales import Legend
from sandbox.render.scenery import FORM, Forms
from sandbox.render.solids import LEAVES, SLAB
from sandbox.render.things import EDGE, PLANT
from sandbox.simulation import Simulation

PER_SECOND = 20  # samples
MOST_PLACES = 1_500_000  # of animals, in all samples together
MOST_FORMS = 24 << 20  # bytes of scenery in all samples together
FINE = 64  # steps of the size of food: else all of it would be sent again while it grows
FEW = 100  # animals of a kind of which none are left out
FEWER = 0.8  # share of the animals that stay when there are too many
LEAST_SHARE = 1e-6
MOST_LOOKS = 1 << 16  # different ones, of all animals of a page
COARSER = (0, 0), (16, 0), (20, 3), (23, 6)  # how many bits of a length, and of each part of a colour, are dropped
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # times a serial, its middle bits are spread evenly

Serials = NDArray[np.int64]
Words = NDArray[np.uint32]


class Sample(NamedTuple):
    """The animals that are drawn of one tick.

    Attributes:
        serials, kinds: of the animals, ascending, (n,), and the number of the prefab of each.
        places: float32 (n, axes), u.
        looks: uint64 (n,), half the length as the bits of a float32, above 0xSSRRGGBB.
        codes: of their colours on a ramp, (n,), see `tint`, plus 1; 0: each has its own.
    """

    serials: Serials
    kinds: NDArray[np.int64]
    places: NDArray[np.float32]
    looks: NDArray[np.uint64]
    codes: NDArray[np.int64]

    def only(self, chosen: NDArray[np.bool_]) -> Sample:
        """Return the same without the other animals."""
        columns = {name: getattr(self, name)[chosen] for name in self._fields}
        return self._replace(**columns)


def sample_of(drawing: Drawing, table: EntityTable) -> Sample:
    """Return the animals that are drawn of a world."""
    rows = drawing.rows[np.argsort(table.serial[drawing.rows], kind="stable")]
    look = table.records(Look)[rows]
    looks = look["size"].copy().view(np.uint32).astype(np.uint64) << np.uint64(32)
    looks |= look["shape"].astype(np.uint64) << np.uint64(24) | look["colour"].astype(np.uint64)
    codes = np.zeros(len(rows), np.int64)
    if drawing.legend is not None:
        codes += 1 + drawing.drawn.codes[rows]
    serials, kinds = table.serial[rows].astype(np.int64), table.prefab[rows].astype(np.int64)
    return Sample(serials, kinds, table.stacked("Position", rows), looks, codes)


def words_of(forms: Forms) -> Words:
    """Return scenery as words, uint32 (n, words): round things begin where they end."""
    forms = forms.copy()
    kinds = forms["kind_colour"] >> np.uint32(24)
    if forms.dtype == FORM:
        is_round, food = kinds < EDGE, kinds == PLANT
        forms["own"][food, 0] = np.ceil(forms["own"][food, 0] * FINE) / FINE
    else:
        is_round, food = kinds != SLAB, kinds == LEAVES
        forms["radius"][food] = np.ceil(forms["radius"][food] * FINE) / FINE
    forms["begin"][is_round] = forms["end"][is_round]
    return forms.view(np.uint32).reshape(len(forms), forms.dtype.itemsize // 4)


def few_looks(looks: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return looks, with coarser lengths and then coarser colours where there are too many different ones."""
    for length, colour in COARSER:
        kept = ~np.uint64(((1 << length) - 1) << 32 | ((1 << colour) - 1) * 0x10101)
        fewer = looks & kept
        if len(np.unique(fewer)) <= MOST_LOOKS:
            break
    return fewer


@dataclass
class Sampled:
    """What was gathered.

    Attributes:
        room: for places of animals, in all samples together.
        share: of the animals of the kinds of which there are many that were kept, 0 to 1.
        ticks: of the samples.
        first: how the world was drawn at first.
        prefabs: the names of all prefabs; where some are gone later, as there were when there were most.
        legend: the first meaning of colours that there was.
        scenery: what is there from one of the samples on, see `words_of`, by the number of the sample.
        most: the largest number of animals of a sample, also of those left out.
        came, went: the ticks in which animals came and went, and their serials.
    """

    room: int
    share: float = 1.0
    ticks: list[int] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    first: Rendered = field(init=False)
    prefabs: list[str] = field(default_factory=list)
    legend: Legend | None = None
    scenery: dict[int, Words] = field(default_factory=dict)
    most: int = 0
    came: list[tuple[int, Serials]] = field(default_factory=list)
    went: list[tuple[int, Serials]] = field(default_factory=list)
    _every: int = 1
    _living: Serials | None = None
    _many: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(MOST_PREFABS, bool))

    @property
    def kept(self) -> str:
        """How many were kept, in words; "" if all were."""
        return "" if self.share == 1 else f"of the kinds with many, only {self.share:.0%} are shown"

    def take(self, simulation: Simulation) -> None:
        """Gather a sample of the present tick."""
        world = simulation.world
        rendered = Rendered.of(simulation, world)
        if not self.samples:
            self.first = rendered
        self.prefabs = max([*world.prefabs], self.prefabs, key=len)
        self.legend = self.legend or rendered.drawing.legend
        self._take_scenery(words_of(rendered.forms))
        sample = sample_of(rendered.drawing, world.table)
        self.most = max(self.most, len(sample.serials))
        known = self._many.sum()
        self._many |= np.bincount(sample.kinds, minlength=MOST_PREFABS) > FEW
        self.ticks.append(simulation.tick)
        self.samples.append(sample.only(self._kept(sample)))
        if self.share < 1 and self._many.sum() > known:
            self._leave_out()
        while self.share > LEAST_SHARE and self._many.any() and self._count() > self.room:
            self.share *= FEWER
            self._leave_out()

    def watch(self, simulation: Simulation) -> None:
        """Note which animals came and went in the present tick."""
        table, before = simulation.world.table, self._living
        living = self._living = np.sort(table.serial[animals(table)]).astype(np.int64)
        if before is not None and not np.array_equal(before, living):
            self.came.append((simulation.tick, np.setdiff1d(living, before, assume_unique=True)))
            self.went.append((simulation.tick, np.setdiff1d(before, living, assume_unique=True)))

    def _take_scenery(self, words: Words) -> None:
        """Gather the scenery where it changes; where that is too much, every second, fourth, eighth ... sample."""
        number = len(self.samples)
        if number % self._every == 0:
            before = next(reversed(self.scenery.values()), None)
            if before is None or not np.array_equal(words, before):
                self.scenery[number] = words
        while self._every <= number and sum(one.nbytes for one in self.scenery.values()) > MOST_FORMS:
            self._every *= 2
            self.scenery = {-(-n // self._every) * self._every: one for n, one in self.scenery.items()}

    def _count(self) -> int:
        return sum(len(one.serials) for one in self.samples)

    def _leave_out(self) -> None:
        self.samples = [one.only(self._kept(one)) for one in self.samples]

    def _kept(self, sample: Sample) -> NDArray[np.bool_]:
        """Return which animals of a sample stay."""
        spread = sample.serials.astype(np.uint64) * SPREAD >> np.uint64(32)
        kept: NDArray[np.bool_] = ~self._many[sample.kinds] | (spread < self.share * 2.0**32)
        return kept


def due(begin: int, end: int, rate: int) -> set[int]:
    """Return the ticks of the samples from one tick to another; `rate`: ticks per second."""
    step = max(Fraction(rate, PER_SECOND), Fraction(1))
    return {min(begin + round(n * step), end) for n in range(math.ceil((end - begin) / step) + 1)}


class Tracks(NamedTuple):
    """The tracks of all animals, by serial and then by time, int64 (n,) each.

    Attributes:
        serial, kind: of each.
        first, samples: the index of its first sample, and in how many it is.
        born, died: the tick in which it came, and the one in which it was gone.
    """

    serial: Serials
    kind: Serials
    first: Serials
    samples: Serials
    born: Serials
    died: Serials


class Rows(NamedTuple):
    """What the samples have of each track, one after the other, (m, ...); `begins`: whether a track begins here."""

    begins: NDArray[np.bool_]
    places: NDArray[np.float32]
    looks: NDArray[np.uint64]
    codes: NDArray[np.int64]


def tracks_of(made: Sampled) -> tuple[Tracks, Rows]:
    """Arrange what was gathered by tracks."""
    lengths = [len(sample.serials) for sample in made.samples]
    number = np.repeat(np.arange(len(lengths)), lengths)
    serial, kind, places, looks, codes = map(np.concatenate, zip(*made.samples, strict=True))
    order = np.lexsort((number, serial))
    serial, kind, number = serial[order], kind[order], number[order]
    begins = np.ones(len(serial), bool)
    begins[1:] = (serial[1:] != serial[:-1]) | (number[1:] != number[:-1] + 1)
    at = np.flatnonzero(begins)
    count = np.diff(np.append(at, len(serial)))
    first, ticks = number[at], np.array(made.ticks)
    born = _latest(made.came, serial[at], ticks[first], ticks[0])
    ended = np.minimum(first + count, len(ticks) - 1)
    died = _latest(made.went, serial[at], ticks[ended], ticks[-1] + 1)
    died = np.where(first + count == len(ticks), ticks[-1] + 1, died)
    tracks = Tracks(serial[at], kind[at], first, count, np.where(first == 0, ticks[0], born), died)
    return tracks, Rows(begins, places[order], looks[order], codes[order])


def _latest(events: list[tuple[int, Serials]], serials: Serials, until: Serials, otherwise: int) -> Serials:
    """Return the latest tick, up to `until`, of an event of each serial; `otherwise`: where there is none."""
    ticks = np.array([tick for tick, _ in events])
    which = np.concatenate([np.zeros(0, np.int64), *(those for _, those in events)])
    if not len(which):
        return np.full(len(serials), otherwise)
    known, rank = np.unique(which, return_inverse=True)
    event = np.repeat(np.arange(len(events)), [len(those) for _, those in events])
    keys = np.sort(rank * len(events) + event)
    wanted = np.searchsorted(known, serials) * len(events) + np.searchsorted(ticks, until, side="right")
    at = np.searchsorted(keys, wanted) - 1
    found, number = np.divmod(keys[np.maximum(at, 0)], len(events))
    return np.where((at >= 0) & (known[found] == serials), ticks[number], otherwise)
