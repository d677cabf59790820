"""Notes: short sounds of events, each of which rises from silence and falls back to it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sandbox.app.sound.voices import RATE

SNAP, CHIRP, CLICK = range(3)
SECONDS = 0.11, 0.16, 0.045
LONGEST = max(SECONDS)
RISE = 0.004  # s from silence to the full level

Wave = NDArray[np.float32]


def note(kind: int, pitch: float) -> Wave:
    """Return the samples of SNAP (a catch), CHIRP (a birth) or CLICK (a tool), mono; pitch: a factor around 1."""
    time = np.arange(round(SECONDS[kind] * RATE)) / RATE
    if kind == SNAP:
        wave = np.sin(2 * np.pi * pitch * (190 * time - 480 * time**2)) * np.exp(-time / 0.022)
        wave += 0.25 * np.sin(2 * np.pi * pitch * 830 * time) * np.exp(-time / 0.006)
    elif kind == CHIRP:
        turn = 2 * np.pi * pitch * (1080 * time + 2000 * time**2)
        wave = (np.sin(turn) + 0.2 * np.sin(2 * turn)) * np.sin(np.pi * time / SECONDS[CHIRP]) ** 2
    else:
        wave = np.sin(2 * np.pi * pitch * 720 * time) * np.exp(-time / 0.008)
    rise, fall = np.minimum(time / RISE, 1.0), np.minimum((SECONDS[kind] - time) / RISE, 1.0)
    envelope = (np.sin(np.pi / 2 * rise) * np.sin(np.pi / 2 * fall)) ** 2
    samples: Wave = (wave * envelope).astype(np.float32)
    return samples
