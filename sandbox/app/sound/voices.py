"""The voices of a world: seamless loops of filtered noise and tones, made from a seed.

A loop is made in the frequency domain, so its end continues into its beginning. Sample k of a voice is sample k modulo
the length of its loop: it does not depend on how the samples are divided into blocks.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

RATE = 44_100  # samples per second
COARSE = 64  # samples between two points of an envelope, which is slow

Wave = NDArray[np.float64]


def _samples(seconds: float) -> int:
    return round(seconds * RATE / 4096) * 4096  # a length of small factors, for a quick Fourier transform


def _noise(rng: np.random.Generator, count: int, centre: float, octaves: float) -> Wave:
    """Return periodic noise in a band around `centre` Hz that falls off like a bell over some octaves; RMS 1."""
    frequencies = np.fft.rfftfreq(count, 1 / RATE)
    away = np.log2(np.maximum(frequencies, 1e-3) / centre) / octaves
    level: Wave = np.exp(-(away**2)) / np.sqrt(np.maximum(frequencies, 20.0))
    parts = rng.standard_normal((2, len(frequencies))) * level
    return _even(np.fft.irfft(parts[0] + 1j * parts[1], count))


def _swell(rng: np.random.Generator, count: int, fastest: float, depth: float) -> Wave:
    """Return a slow, periodic, positive envelope around 1; `fastest`: the highest frequency in it, Hz."""
    points = count // COARSE
    spectrum = np.zeros(points // 2 + 1, complex)
    last = max(round(fastest * count / RATE), 2)
    parts = rng.standard_normal((2, last))
    spectrum[1 : last + 1] = parts[0] + 1j * parts[1]
    coarse = np.exp(depth * np.clip(_even(np.fft.irfft(spectrum, points)), -2.0, 2.0))
    return np.interp(np.arange(count) / COARSE, np.arange(points), coarse, period=points)


def _tone(count: int, frequency: float, begins: float = 0.0) -> Wave:
    """Return a sine, its frequency rounded so that a whole number of waves fits into the loop."""
    waves = round(frequency * count / RATE)
    wave: Wave = np.sin(2 * np.pi * (waves * np.arange(count) / count + begins))
    return wave


def _even(wave: Wave) -> Wave:
    even: Wave = wave / np.sqrt(np.mean(wave**2))
    return even


def _breath(rng: np.random.Generator) -> Wave:
    """Many wings, from afar: a breath that swells."""
    count = _samples(13.1)
    return _noise(rng, count, 420, 1.1) * _swell(rng, count, 0.5, 0.45)


def _rush(rng: np.random.Generator) -> Wave:
    """Wings that pass closely and fast."""
    count = _samples(9.7)
    return _noise(rng, count, 1500, 0.9) * _swell(rng, count, 1.4, 0.6)


def _flutter(rng: np.random.Generator) -> Wave:
    """The wing beats of a few birds that can be told apart."""
    count = _samples(11.3)
    beats = np.zeros(count)
    for each in range(3):
        stroke = np.maximum(_tone(count, 6.5 + 1.3 * each + rng.uniform(0, 0.8), rng.uniform()), 0) ** 2
        beats += stroke * _swell(rng, count, 0.6, 0.9)
    return _noise(rng, count, 900, 1.0) * beats


def _fins(rng: np.random.Generator) -> Wave:
    """Bodies that push water aside."""
    count = _samples(10.3)
    return _noise(rng, count, 230, 0.8) * _swell(rng, count, 1.8, 0.6)


def _steps(rng: np.random.Generator) -> Wave:
    """Feet in grass: a soft rustle that comes in grains."""
    count = _samples(8.9)
    return _noise(rng, count, 1900, 0.9) * np.minimum(_swell(rng, count, 14.0, 1.3), 6.0)


def _engines(rng: np.random.Generator) -> Wave:
    """Ships: a low chord that breathes."""
    count = _samples(12.1)
    chord = [_tone(count, pitch, rng.uniform()) * _swell(rng, count, 0.4, 0.5) for pitch in (98, 98.7, 147, 196.4)]
    return sum(chord, 0.35 * _noise(rng, count, 300, 0.9))


def _water(rng: np.random.Generator) -> Wave:
    """Being under water: a deep, slow wash, and a bubble now and then."""
    count = _samples(14.9)
    wash = _noise(rng, count, 150, 1.2) * _swell(rng, count, 0.25, 0.5)
    bubbles = np.zeros(count)
    for _ in range(14):
        long, pitch = round(rng.uniform(0.03, 0.07) * RATE), rng.uniform(380, 900)
        time = np.arange(long) / RATE
        rising = 2 * np.pi * pitch * (time + 2.5 * time**2)
        at = (rng.integers(count) + np.arange(long)) % count
        bubbles[at] += rng.uniform(0.1, 0.3) * np.sin(rising) * np.hanning(long)
    return _even(wash) + bubbles


def _wind(rng: np.random.Generator) -> Wave:
    """Wind: two bands of noise, the higher of which rises in gusts."""
    count = _samples(15.7)
    gusts = _swell(rng, count, 0.3, 0.7)
    return _noise(rng, count, 210, 1.0) * gusts + 0.45 * _noise(rng, count, 640, 0.45) * gusts**2


def _crickets(rng: np.random.Generator) -> Wave:
    """Three crickets far away."""
    count = _samples(12.7)
    song = np.zeros(count)
    for each in range(3):
        pulses = np.maximum(_tone(count, 27 + 2 * each, rng.uniform()), 0) ** 2
        bouts = np.clip(1.5 * _tone(count, 0.9 + 0.23 * each, rng.uniform()), 0, 1) ** 2
        song += _tone(count, 3900 + 210 * each) * pulses * bouts * _swell(rng, count, 0.2, 0.5)
    return song


def _hum(rng: np.random.Generator) -> Wave:
    """Space: a chord so low and slow that it is almost silence."""
    count = _samples(17.3)
    chord = [
        _tone(count, pitch, rng.uniform()) * _swell(rng, count, 0.12, 0.5) / (1 + k)
        for k, pitch in enumerate((55, 82.4, 110.2, 164.9, 220.5, 329.8))
    ]
    return sum(chord, 0.12 * _noise(rng, count, 700, 0.8) * _swell(rng, count, 0.2, 0.6))


MAKERS: dict[str, Callable[[np.random.Generator], Wave]] = {
    "breath": _breath,
    "rush": _rush,
    "flutter": _flutter,
    "fins": _fins,
    "steps": _steps,
    "engines": _engines,
    "water": _water,
    "wind": _wind,
    "crickets": _crickets,
    "hum": _hum,
}
VOICES = tuple(MAKERS)


def loop_of(voice: int, seed: int) -> NDArray[np.float32]:
    """Return the loop of one of VOICES, mono, RMS 1."""
    rng = np.random.default_rng([seed % 2**64, voice])
    return _even(MAKERS[VOICES[voice]](rng)).astype(np.float32)
