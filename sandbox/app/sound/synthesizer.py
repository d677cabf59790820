"""The synthesizer: samples of a world's sound, a pure function of the seed and of what it is told when.

Levels follow what is told in ramps, so that nothing clicks. The samples don't depend on the blocks in which they are
rendered.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.app.sound.notes import note
from sandbox.app.sound.voices import RATE, VOICES, loop_of

RAMP = round(0.09 * RATE)  # samples until a new level is reached
MOST_NOTES = 16  # heard at the same time; the others are left out
APART = round(0.2 * RATE)  # samples between two notes of one kind: of a crowd, the first and loudest are heard
LOUDEST = 0.45  # no sample is louder; those near it are compressed softly
LEVEL = 0.03  # RMS of a voice at level 1
NOTE_LEVEL = 0.05  # amplitude of a note at gain 1

Samples = NDArray[np.float32]
NOTE = np.dtype([("kind", np.int64), ("left", np.float64), ("right", np.float64), ("pitch", np.float64)])
"""A short sound: SNAP, CHIRP or CLICK, its gain in each ear, and a factor of its pitch around 1."""


class Heard(NamedTuple):
    """What is heard from a moment on.

    Attributes:
        levels: of each of VOICES in the left and the right ear, 0 to about 1, float64 (voices, 2).
        notes: what begins at this moment, NOTE (n,), the loudest first.
    """

    levels: NDArray[np.float64]
    notes: NDArray[np.void]

    def louder(self, factor: float) -> Heard:
        """Return the same, louder by a factor."""
        notes = self.notes.copy()
        for ear in ("left", "right"):
            notes[ear] *= factor
        return Heard(self.levels * factor, notes)


NO_NOTES = np.zeros(0, NOTE)
SILENCE = Heard(np.zeros((len(VOICES), 2)), NO_NOTES)


class Synthesizer:
    """Renders stereo samples, in order.

    Attributes:
        seed: of the voices.
        at: the number of the next sample.
    """

    def __init__(self, seed: int) -> None:
        self.seed, self.at = seed, 0
        self._loops: dict[int, Samples] = {}
        # The levels of all voices as lines from moment to moment, the last of which continues.
        self._moments = [0]
        self._levels = [SILENCE.levels]
        self._notes: list[tuple[int, Samples, float, float]] = []  # the first sample, mono samples, gains
        self._next: dict[int, int] = {}  # by kind, the first sample at which another note may begin

    def prepare(self) -> None:
        """Make all loops now, instead of when each is first heard."""
        for voice in range(len(VOICES)):
            self._loop(voice)

    def tell(self, heard: Heard, at: int) -> None:
        """Tell what is heard from sample `at` on, which is not rendered yet and not before what was told last."""
        if not np.array_equal(heard.levels, self._levels[-1]):
            now, index = self._level(at), int(np.searchsorted(self._moments, at))
            self._moments[index:], self._levels[index:] = [at, at + RAMP], [now, heard.levels]
        sounding = sum(begin + len(samples) > at for begin, samples, *_ in self._notes)
        for kind, left, right, pitch in heard.notes.tolist():
            if sounding < MOST_NOTES and at >= self._next.get(kind, 0):
                self._notes.append((at, note(kind, pitch), NOTE_LEVEL * left, NOTE_LEVEL * right))
                self._next[kind] = at + APART
                sounding += 1

    def render(self, count: int) -> Samples:
        """Return the next samples: float32 (count, 2), each from -1 to 1."""
        begin, end = self.at, self.at + count
        mixed = np.zeros((count, 2))
        at = np.arange(begin, end)
        moments, levels = np.array(self._moments), np.array(self._levels)
        for voice in range(len(VOICES)):
            own = levels[:, voice]
            if not own.any():
                continue
            loop = self._loop(voice)
            for ear in (0, 1):  # the right ear hears the other half of the loop, which makes the sound wide
                level = np.interp(at, moments, own[:, ear])
                mixed[:, ear] += LEVEL * level * loop[(at + ear * (len(loop) // 2)) % len(loop)]
        for first, samples, left, right in self._notes:
            low, high = max(first, begin), min(first + len(samples), end)
            if low < high:
                part = samples[low - first : high - first]
                mixed[low - begin : high - begin] += part[:, None] * (left, right)
        self.at = end
        self._forget()
        return (LOUDEST * np.tanh(mixed / LOUDEST)).astype(np.float32)

    def _level(self, at: int) -> NDArray[np.float64]:
        index = int(np.searchsorted(self._moments, at, "right")) - 1
        if index == len(self._moments) - 1:
            return self._levels[index]
        begin, end = self._moments[index : index + 2]
        before, after = self._levels[index : index + 2]
        return before + (after - before) * ((at - begin) / (end - begin))

    def _forget(self) -> None:
        """Drop lines and notes that have ended."""
        while len(self._moments) > 1 and self._moments[1] <= self.at:
            del self._moments[0], self._levels[0]
        self._notes = [each for each in self._notes if each[0] + len(each[1]) > self.at]

    def _loop(self, voice: int) -> Samples:
        if voice not in self._loops:
            self._loops[voice] = loop_of(voice, self.seed)
        return self._loops[voice]


def as_bytes(samples: Samples) -> bytes:
    """Return stereo samples as 16-bit integers, which every device takes."""
    return (samples * 32767).astype("<i2").tobytes()
