"""The Trails overlay: the paths of animals over the last two seconds."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from components.store.world import World
from sandbox.app.drawing.canvas import Canvas
from sandbox.app.drawing.places import lengths, places, places_before, speeds
from sandbox.app.drawing.ribbons import RIBBON, Ribbons
from sandbox.app.overlays.overlay import Overlay
from sandbox.app.session.memories import PerSimulation
from sandbox.app.session.session import Session
from sandbox.render.animals import Drawing
from sandbox.render.scenery import copies
from sandbox.simulation import Simulation
from systems.engine.settings import Settings

f32 = np.float32
SECONDS = 2.0  # of simulated time
MOST = 4000  # animals: if there are more, every second one has a trail, or every fourth ...
SAMPLES = 40  # per trail, at most
MOST_SAMPLES = 28_000  # of all trails: as many as a software renderer can draw without getting slower than the world
WIDTH = 2.0, 0.8  # pixels, at the animal and at the end
OPACITY = 0.75
OF_LIGHT = (3.5, 0.5), 0.6, 2.5  # width, opacity and flare in scenes that glow
FORGOTTEN = 0.5  # s: trails start anew after a longer gap between two calls of `update`, or if time went back
JUMP = 4.0, 12.0  # factor, u: a trail starts anew after a move beyond factor times what the speed allows, plus u


class Trails(Overlay):
    """Draws a fading line behind every animal, in its colour; in a crowd only behind some of them."""

    name, title, help = "trails", "Trails", "where the animals were in the last two seconds"
    keys = ("T",)
    under = True
    past = 1.5 * SECONDS

    def __init__(self) -> None:
        self._paths = PerSimulation(Paths, Paths.copy)

    def tells(self, session: Session) -> str:
        return "Trails grow as time goes on, and the world is paused." if session.clock.paused else ""

    def update(self, session: Session) -> None:
        self._paths.of(session).update(session.simulation)

    def draw(self, canvas: Canvas, session: Session) -> None:
        self._paths.of(session).draw(canvas)


class Paths:
    """The recent paths of a world's animals: their places now, a tick ago, and samples, the newest first.

    Places are unwrapped: on a torus they continue beyond its edges.
    """

    def __init__(self) -> None:
        self._ribbons: Ribbons | None = None
        self._tick = self._sampled = 0
        self._drawn = np.zeros(0, RIBBON)
        self._changed = self._is_crowd = False
        self._forget_all(2)

    def _forget_all(self, axes: int) -> None:
        self._serials = np.zeros(0, np.int64)
        self._places = np.zeros((SAMPLES + 2, 0, axes), f32)

    def copy(self) -> Paths:
        """Return a copy that is drawn on its own."""
        copied = copy(self)
        copied._places, copied._ribbons, copied._changed = self._places.copy(), None, True
        return copied

    def update(self, simulation: Simulation) -> None:
        """Continue the paths to the present places."""
        drawing, settings = simulation.world.resource(Drawing), simulation.world.resource(Settings)
        passed, axes = simulation.tick - self._tick, len(settings.size)
        is_other_kind = axes != self._places.shape[2]
        if is_other_kind:
            self._ribbons = None
        if is_other_kind or not 0 <= passed <= FORGOTTEN * settings.tick_rate:
            self._sampled = simulation.tick
            self._forget_all(axes)
        self._tick = simulation.tick
        chosen = _chosen(simulation, drawing)
        self._is_crowd = len(chosen) < len(drawing.rows)
        every, samples = _sampling(len(chosen), settings.tick_rate)
        self._follow(simulation.world, drawing.rows[chosen], samples, passed / settings.tick_rate)
        if simulation.tick - self._sampled >= every:
            self._places[3:] = self._places[2:-1].copy()
            self._places[2] = self._places[1]
            self._sampled = simulation.tick
        self._drawn = _with_copies(self._places, drawing.colours(chosen), settings.torus)
        self._changed = True

    def draw(self, canvas: Canvas) -> None:
        """Draw the paths as ribbons."""
        if self._ribbons is None:
            self._ribbons = Ribbons(canvas)
        if self._changed:
            self._ribbons.upload(self._places, self._drawn)
            self._changed = False
        if len(self._drawn):
            if canvas.collects_light:
                width, opacity, flare = OF_LIGHT
                seen = self._seen_of_crowd(canvas)
                self._ribbons.draw(canvas, width, opacity * (0.3 + 0.7 * seen), flare * seen)
            else:
                self._ribbons.draw(canvas, WIDTH, OPACITY)

    def _seen_of_crowd(self, canvas: Canvas) -> float:
        """Return the share of a crowded world's width that is visible; from near, few of its animals have a trail."""
        camera = canvas.camera
        return min(camera.screen[0] / camera.zoom / camera.world_size[0], 1.0) if self._is_crowd else 1.0

    def _follow(self, world: World, rows: NDArray[np.int32], samples: int, seconds: float) -> None:
        """Make one column per animal, ascending by serial: keep the columns of known ones, start those of new ones."""
        serials, torus = world.table.serial[rows], world.resource(Settings).torus
        now, before = places(world, rows, 1.0), places_before(world, rows)
        if len(serials) == len(self._serials) and (serials == self._serials).all() and len(self._places) == samples + 2:
            kept, known = self._places, np.ones(len(serials), bool)
        else:
            index = np.minimum(np.searchsorted(self._serials, serials), max(len(self._serials) - 1, 0))
            known = self._serials[index] == serials if len(self._serials) else np.zeros(len(serials), bool)
            kept = np.empty((samples + 2, len(serials), now.shape[1]), f32)
            count = min(len(kept), len(self._places))
            kept[:count, known] = self._places[:count, index[known]]
            kept[count:, known] = kept[count - 1, known]
            kept[:, ~known] = now[~known]
        went = now - kept[0]
        if torus is not None:
            round_it = np.array(torus, f32) * np.rint(went / np.array(torus, f32))
            if round_it[known].any():
                kept += np.where(known[:, None], round_it, 0)
            went -= round_it
        farthest = JUMP[0] * seconds * speeds(world, rows) + JUMP[1]
        begins = ~(known & (lengths(went) <= farthest))
        kept[2:, begins] = before[begins]
        kept[0], kept[1] = now, before
        self._serials, self._places = serials, kept


def _sampling(count: int, tick_rate: int) -> tuple[int, int]:
    """Return the number of ticks between two samples for this many animals, and the number of samples."""
    most = min(SAMPLES, MOST_SAMPLES // max(count, 1))
    every = max(round(SECONDS * tick_rate / most), 1)
    return every, max(round(SECONDS * tick_rate / every), 1)


def _chosen(simulation: Simulation, drawing: Drawing) -> NDArray[np.intp]:
    """Return the indices of the animals that have a trail: always the same ones, ascending by serial."""
    serial = simulation.world.table.serial[drawing.rows]
    step = 1
    while len(serial) > step * MOST:
        step *= 2
    chosen = np.flatnonzero(serial & (step - 1) == 0)
    return chosen[np.argsort(serial[chosen])][: 2 * MOST]


def _with_copies(places: Any, colours: NDArray[np.uint32], torus: tuple[float, ...] | None) -> NDArray[np.void]:
    """Return the ribbons: one per column, and on a torus further ones for copies that show beyond another edge."""
    which, shift = np.arange(places.shape[1]), np.zeros(2, f32)
    if torus is not None and len(torus) == 2 and len(which):
        which, shift = copies(places.min(0), places.max(0), torus)
    made = np.zeros(len(which), RIBBON)
    made["shift"] = shift
    made["column_colour"][:, 0], made["column_colour"][:, 1] = which, colours[which]
    return made
