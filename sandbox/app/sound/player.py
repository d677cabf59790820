"""Plays what is heard on the audio device.

pyglet asks for samples in a thread of its own, about every sixth of a second.
"""

from __future__ import annotations

import threading
import time
from collections import deque

from pyglet.media import Player as Playing
from pyglet.media import StreamingSource, get_audio_driver
from pyglet.media.codecs import AudioData, AudioFormat
from pyglet.media.drivers.base import AbstractAudioPlayer
from pyglet.media.drivers.silent.adaptation import SilentDriver

from sandbox.app.sound.synthesizer import SILENCE, Heard, Synthesizer, as_bytes
from sandbox.app.sound.voices import RATE

AHEAD = 0.19  # s of samples that the device holds, which is how much later everything is heard
NEVER = 1e6  # s
REST = 0.5  # s of silence until the device is paused
MOST_TOLD = 256
SAMPLE = 4  # bytes of a stereo sample


class Stream(StreamingSource):
    """A source of samples without end, which other threads may tell what is heard."""

    def __init__(self, synthesizer: Synthesizer) -> None:
        self.audio_format = AudioFormat(channels=2, sample_size=16, sample_rate=RATE)  # type: ignore[assignment]
        self.synthesizer = synthesizer
        self._told: deque[tuple[float, Heard]] = deque(maxlen=MOST_TOLD)  # a device that vanished takes none
        self._asked = time.monotonic()  # when samples were asked for last

    def is_precise(self) -> bool:
        return True

    def tell(self, heard: Heard) -> None:
        """Let this be heard from now on."""
        self._told.append((time.monotonic(), heard))

    def get_audio_data(self, num_bytes: int, compensation_time: float = 0.0) -> AudioData:
        """Return the next samples; what was told since the last call begins in them as far apart as it was told."""
        synthesizer, count = self.synthesizer, num_bytes // SAMPLE
        before, self._asked = self._asked, time.monotonic()
        per_second = count / max(self._asked - before, 1e-3)
        first = at = synthesizer.at
        while self._told:
            when, heard = self._told.popleft()
            at = max(at, min(first + round((when - before) * per_second), first + count))
            synthesizer.tell(heard, at)
        sent = as_bytes(synthesizer.render(count))
        return AudioData(sent, len(sent), first / RATE, count / RATE, [])


def has_device() -> bool:
    """Return whether there is an audio device."""
    driver = get_audio_driver()  # type: ignore[no-untyped-call]
    return driver is not None and not isinstance(driver, SilentDriver)


class Player:
    """Plays the sound of one world at a time."""

    def __init__(self) -> None:
        self._seed: int | None = None
        self._stream: Stream | None = None
        self._playing: Playing | None = None
        self._since: float | None = None  # since when nothing is heard
        self._lost = False  # whether the device has vanished
        self._getting_ready: threading.Thread | None = None

    def hear(self, heard: Heard, seed: int) -> None:
        """Let this be heard from now on, in the voices of a seed; at first there is silence until they are made."""
        if self._lost:
            return
        if seed != self._seed:
            self.rest()
            if self._getting_ready is None or not self._getting_ready.is_alive():
                self._seed = seed
                self._getting_ready = threading.Thread(target=self._get_ready, args=(seed,), daemon=True)
                self._getting_ready.start()
        elif self._stream is not None and self._stream.synthesizer.seed == seed:
            self._stream.tell(heard)
            self._since = None
            self._play(True)

    def rest(self) -> None:
        """Fade to silence; called in every frame in which nothing is heard."""
        if self._lost or self._stream is None:
            return
        if self._since is None:
            self._since = time.monotonic()
            self._stream.tell(SILENCE)
        elif time.monotonic() - self._since > REST:
            self._play(False)

    def close(self) -> None:
        """Free the device."""
        self._lost = True
        if self._getting_ready is not None:
            self._getting_ready.join()
        if self._playing is not None:
            playing, self._playing = self._playing, None
            try:
                playing.delete()
            except Exception:
                return  # the device has vanished, in which case each driver has its own exceptions

    def _get_ready(self, seed: int) -> None:
        """Make the voices of a seed; runs in a thread."""
        synthesizer = Synthesizer(seed)
        synthesizer.prepare()
        if self._stream is None:
            self._stream = Stream(synthesizer)
        else:
            self._stream.synthesizer = synthesizer

    def _play(self, on: bool) -> None:
        """Let the device play or pause; if it has vanished, there is no sound from now on."""
        try:
            if self._playing is None and on and self._stream is not None:
                AbstractAudioPlayer.audio_buffer_length = AHEAD
                # pyglet would cut out samples to keep in step with a picture, which clicks.
                AbstractAudioPlayer.audio_desync_time_minor = NEVER
                AbstractAudioPlayer.audio_desync_time_critical = NEVER
                self._playing = Playing()
                self._playing.queue(self._stream)
            if self._playing is not None and self._playing.playing is not on:
                (self._playing.play if on else self._playing.pause)()
        except Exception:
            self._lost = True
