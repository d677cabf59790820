"""The listener: which voices and notes are heard in a world, where the camera is.

Near animals are loud and heard from their side; from far away a flock is a murmur.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from components.look import SHAPES, Look
from components.motion import Position
from components.store.world import World
from components.wind import Wind
from sandbox.app.drawing.any_camera import AnyCamera
from sandbox.app.drawing.places import speeds
from sandbox.app.drawing.space.camera import SpaceCamera
from sandbox.app.sound.notes import CHIRP, CLICK, SNAP
from sandbox.app.sound.synthesizer import NO_NOTES, NOTE, Heard
from sandbox.app.sound.voices import VOICES
from sandbox.render.animals import animals
from systems.engine.events import Happened, TickEvents
from systems.engine.settings import Settings
from systems.space.torus import minimum_images

MOST = 2000  # animals listened to; from more, these are a sample
NEAR = 12.0  # pixels: an animal of this half length has half the loudness of one close to the ear
FAST = 120.0  # u/s
LOUD = 0.3  # the level of a single animal close to the ear
GROWTH = 0.25  # the level grows with this power of the number of animals: sixteen are twice as loud as one
FEW = 25.0  # animals near the ear up to which wing beats can be told apart
STRONG = 150.0  # u/s: a strong wind
NOTES_A_TICK = 2  # of births, and of catches

BEDS: dict[str, dict[str, float]] = {
    "dusk": {"wind": 0.3, "crickets": 0.03},
    "dawn": {"wind": 0.35},
    "sea": {"water": 0.9},
    "meadow": {"wind": 0.25, "crickets": 0.02},
    "storm": {"wind": 0.55},
    "street": {"hum": 0.3, "wind": 0.12},
    "night": {"hum": 0.6},
    "garden": {"wind": 0.2, "crickets": 0.03},
    "nebula": {"hum": 0.8},
    "slate": {"hum": 0.35},
    "sunset": {"wind": 0.3, "crickets": 0.02},
    "noon": {"wind": 0.3},
    "savanna": {"wind": 0.25, "crickets": 0.04},
    "lagoon": {"water": 0.55, "wind": 0.1},
}
"""The levels of voices that are always there, by backdrop."""

WINGS, FINS, STEPS, ENGINES = range(4)
_MOVERS = {
    FINS: ("fish", "shark", "coral"),
    STEPS: ("person", "car", "sheep", "wolf", "tree"),
    ENGINES: ("ship",),
}
VOICE_OF = np.zeros(256, np.int64)  # by shape; the others have wings
for _mover, _shapes in _MOVERS.items():
    VOICE_OF[[list(SHAPES).index(shape) for shape in _shapes]] = _mover
_VOICE = {name: number for number, name in enumerate(VOICES)}


def listen(world: World, camera: AnyCamera, pace: float = 1.0, happened: tuple[TickEvents, ...] = ()) -> Heard:
    """Return what is heard now.

    Args:
        pace: simulated seconds per second that is heard.
        happened: the ticks whose births and catches are heard now.
    """
    levels = np.zeros((len(VOICES), 2))
    backdrop = world.resource(Settings).backdrop
    for voice, level in BEDS.get(backdrop, {"wind": 0.2}).items():
        levels[_VOICE[voice]] += level
    levels[_VOICE["wind"]] += _wind(world, camera)
    _add_animals(levels, world, camera, pace)
    notes = [NO_NOTES]
    for tick in happened:
        notes += [_notes(tick.catches, SNAP, world, camera), _notes(tick.births, CHIRP, world, camera)]
    # Rounded, so that the order of rows, which sums depend on in their last bits, can't be heard.
    return Heard(np.round(levels, 4), np.concatenate(notes))


def click() -> NDArray[np.void]:
    """Return the note of a tool."""
    return np.array([(CLICK, 0.7, 0.7, 1.0)], NOTE)


def _across(world: World, camera: AnyCamera, places: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return places relative to the middle of the view, in halves of its width and height: float64 (n, axes)."""
    offsets = minimum_images(places - np.array(camera.looks_at, np.float32), world.resource(Settings).torus)
    half = max(min(camera.free) / 2 / camera.zoom, 1e-9)
    found: NDArray[np.float64] = offsets.astype(np.float64) / half
    return found @ camera.axes.T if isinstance(camera, SpaceCamera) else found


def _ears(side: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Return the gains of both ears, (..., 2), for sides from -1 (left) to 1."""
    angle = (np.clip(side, -1, 1) * 0.8 + 1) * (np.pi / 4)
    gains: NDArray[np.float64] = np.stack([np.cos(angle), np.sin(angle)], axis=-1) * np.sqrt(2)
    return gains


def _add_animals(levels: NDArray[np.float64], world: World, camera: AnyCamera, pace: float) -> None:
    table, every = world.table, animals(world.table)
    rows = every[:: max(-(-len(every) // MOST), 1)]  # neighbours have rows side by side, so these are everywhere
    if not len(rows):
        return
    across = _across(world, camera, table.stacked("Position", rows))
    looks = table.records(Look)[rows]
    pixels = looks["size"].astype(np.float64) * camera.zoom
    near = pixels / (pixels + NEAR)
    weights = near**2 / (1 + np.sum(across**2, axis=1) ** 2)
    hurry = np.minimum(speeds(world, rows).astype(np.float64) * pace / FAST, 2.0)
    power = weights * hurry**2 * (len(every) / len(rows))
    movers = VOICE_OF[np.minimum(looks["shape"], 255)]

    def by_mover(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(movers, values, len(_MOVERS) + 1).astype(np.float64)

    total = by_mover(power)
    share = 1 / np.maximum(total, 1e-12)
    loud = np.minimum(LOUD * total**GROWTH, 1.1)
    heard = loud[:, None] * _ears(by_mover(power * across[:, 0]) * share)
    few = 1 / (1 + total[WINGS] / FEW)
    close = by_mover(power * near * hurry)[WINGS] * share[WINGS]
    levels[_VOICE["breath"]] += heard[WINGS] * (1 - 0.6 * few)
    levels[_VOICE["flutter"]] += heard[WINGS] * few
    levels[_VOICE["rush"]] += heard[WINGS] * min(0.8 * close, 0.6)
    levels[_VOICE["fins"]] += heard[FINS]
    levels[_VOICE["steps"]] += 0.5 * heard[STEPS]
    levels[_VOICE["engines"]] += 0.6 * heard[ENGINES]


def _wind(world: World, camera: AnyCamera) -> NDArray[np.float64]:
    """Return the level of the wind in both ears: by the strength of each zone, and how much of the view it fills."""
    table = world.table
    rows = table.rows(Position, Wind)
    if not len(rows):
        return np.zeros(2)
    across = _across(world, camera, table.stacked("Position", rows))
    zones = table.records(Wind)[rows]
    half = max(min(camera.free) / 2 / camera.zoom, 1e-9)
    outside = np.maximum(np.hypot(across[:, 0], across[:, 1]) - zones["radius"] / half, 0.0)
    filled = np.minimum(zones["radius"] / half, 1.0) / (1 + outside**2)
    level = np.abs(zones["strength"].astype(np.float64)) / STRONG * filled
    total = float(np.sum(level))
    if total <= 0:
        return np.zeros(2)
    side = float(np.sum(level * across[:, 0])) / total
    return _ears(side) * (0.6 * min(total, 1.0))


def _notes(happened: Happened, kind: int, world: World, camera: AnyCamera) -> NDArray[np.void]:
    """Return the loudest notes of a tick's births or catches."""
    placed = happened.placed(world.table.axes)
    if not len(placed):
        return NO_NOTES
    across = _across(world, camera, placed.places)
    gains = 0.9 / (1 + np.sum(across**2, axis=1)) / (1 + 0.15 / camera.zoom)
    loudest = np.argsort(-np.round(gains, 6), kind="stable")[:NOTES_A_TICK]
    notes = np.zeros(len(loudest), NOTE)
    ears = gains[loudest, None] * _ears(across[loudest, 0])
    serials = placed.serials[loudest]
    notes["kind"], notes["left"], notes["right"] = kind, ears[:, 0], ears[:, 1]
    notes["pitch"] = 0.84 + 0.04 * (serials * 5 % 9)
    return notes
