"""Sound: a world is heard softly and always the same; not while time stands, not when muted, not without a device."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from arcade import key
from numpy.typing import NDArray

import sandbox
from sandbox.app.drawing.backdrops import BACKDROPS
from sandbox.app.drawing.picture import camera_on
from sandbox.app.preferences import read_preferences, settings_file
from sandbox.app.sound.listener import BEDS, click, listen
from sandbox.app.sound.notes import CHIRP, CLICK, SNAP
from sandbox.app.sound.player import Player, Stream
from sandbox.app.sound.synthesizer import NOTE, SILENCE, Heard, Synthesizer
from sandbox.app.sound.voices import RATE, VOICES
from sandbox.app.window import FlockWindow
from sandbox.simulation import Simulation
from systems.engine.events import Events

from .conftest import OpenWindow, at, drifting
from .fields import frame, tap
from .mouse import drag, take

SECONDS, SEED = 10, 7
TICK = RATE // 60


@pytest.fixture(scope="module")
def told() -> list[Heard]:
    """What is heard in ten seconds of a scene in which birds are caught."""
    found = []
    with sandbox.load("hunters") as hunters:
        camera = camera_on(hunters, (1280, 720))
        for _ in range(60 * SECONDS):
            hunters.step()
            happened = tuple(each for each in hunters.world.resource(Events).recent if each.tick == hunters.tick - 1)
            found.append(listen(hunters.world, camera, 1.0, happened))
    return found


def played(told: list[Heard], *blocks: int) -> NDArray[np.float32]:
    """The samples, each tick rendered in blocks of these lengths, as often as they fit."""
    synthesizer, parts = Synthesizer(SEED), []
    for number, heard in enumerate(told):
        synthesizer.tell(heard, number * TICK)
        while synthesizer.at < (number + 1) * TICK:
            for block in blocks:
                parts.append(synthesizer.render(min(block, (number + 1) * TICK - synthesizer.at)))
    return np.concatenate(parts)


def wings(heard: Heard) -> NDArray[np.float64]:
    """How loud all voices of wings are together, in both ears."""
    return heard.levels[[VOICES.index(name) for name in ("breath", "flutter", "rush")]].sum(axis=0)


def decibels(value: float) -> float:
    return 20 * float(np.log10(value))


def test_ten_seconds_of_a_hunt_are_soft_and_without_a_click(told: list[Heard]) -> None:
    kinds = {kind for heard in told for kind in heard.notes["kind"].tolist()}
    assert kinds == {SNAP}
    samples = played(told, TICK)
    assert samples.shape == (SECONDS * 60 * TICK, 2)
    assert -38 < decibels(np.sqrt(np.mean(samples**2))) < -24
    assert decibels(np.abs(samples).max()) < -6
    jumps = np.abs(np.diff(samples, axis=0)).max(axis=1)
    around = np.sqrt(np.convolve(jumps**2, np.ones(256) / 256, "same"))
    assert (jumps / (around + 1e-3)).max() < 6  # a click is a jump that nothing around it is like


def test_the_samples_are_the_same_whatever_the_blocks(told: list[Heard]) -> None:
    some = told[:40]
    whole = played(some, TICK)
    assert played(some, TICK).tobytes() == whole.tobytes()
    assert played(some, 1 + TICK // 3, 64, 7).tobytes() == whole.tobytes()


def test_mute_is_silence_within_a_tenth_of_a_second_and_without_a_click(told: list[Heard]) -> None:
    loud = told[59]
    samples = played([loud] * 30 + [SILENCE] * 30, TICK)
    assert np.abs(samples[28 * TICK : 30 * TICK]).max() > 0.01
    assert not samples[30 * TICK + RATE // 10 :].any()
    before, after = (np.abs(np.diff(part, axis=0)).max() for part in np.split(samples, [30 * TICK - 1]))
    assert after < 1.5 * before


def test_a_crowd_of_catches_is_a_few_notes_and_not_too_loud() -> None:
    notes = np.array([(SNAP, 1, 1, 1)] * 500, NOTE)
    samples = played([Heard(SILENCE.levels, notes)] * 20, TICK)
    assert 0.01 < np.abs(samples).max() < 0.3


def test_a_birth_is_a_chirp() -> None:
    with sandbox.load("pasture") as pasture:
        camera, events = camera_on(pasture, (1280, 720)), pasture.world.resource(Events)
        while not len(events.births):
            pasture.step()
        heard = listen(pasture.world, camera, 1.0, (events.recent[-1],))
    caught = {SNAP} if len(events.recent[-1].catches) else set()
    assert {*heard.notes["kind"].tolist()} == {CHIRP} | caught
    assert heard.notes["left"].min() > 0


def test_each_backdrop_has_its_bed() -> None:
    assert BEDS.keys() == BACKDROPS.keys()
    assert {voice for bed in BEDS.values() for voice in bed} <= {*VOICES}


def test_near_is_louder_than_far_and_heard_from_its_side() -> None:
    scene = drifting(*(at(100 + 3 * k, 180 + 2 * k, (90, 0)) for k in range(20)), shape="bird")
    with Simulation(scene, 1) as simulation:
        simulation.step()
        camera = camera_on(simulation, (640, 360))
        far = wings(listen(simulation.world, camera))
        camera.zoom *= 4
        camera.look_at(100, 190)
        near = wings(listen(simulation.world, camera))
    assert far[0] > far[1] > 0
    assert near.sum() > 1.2 * far.sum()


# ---- the window


def hears(window: FlockWindow, seconds: float = 0.25) -> Heard | None:
    """What is heard after a frame; None: the same as before."""
    window.session.advance(seconds)
    return window.ambience.heard(window.session)


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    return open_on(drifting(at(300, 200, (90, 20)), shape="bird"))


def test_a_window_is_heard_while_time_runs(window: FlockWindow) -> None:
    heard = hears(window)
    assert heard is not None
    assert wings(heard).min() > 0
    assert hears(window, 0.0) is None
    tap(window, key.SPACE)
    assert hears(window) is SILENCE
    tap(window, key.SPACE)
    tap(window, key.SPACE, key.MOD_SHIFT)  # backwards
    assert hears(window) is SILENCE
    tap(window, key.SPACE, key.MOD_SHIFT)
    window.session.playback.held = True  # as the time bar does while its playhead is dragged
    assert hears(window) is SILENCE


def test_one_key_mutes_and_the_slider_says_how_loud_it_is(window: FlockWindow) -> None:
    usual = hears(window)
    tap(window, key.Q)
    assert window.session.preferences.muted
    assert hears(window) is SILENCE
    tap(window, key.Q)
    window.session.preferences.sound = 1.0
    louder = hears(window)
    assert usual is not None
    assert louder is not None
    assert wings(louder).sum() == pytest.approx(2 * wings(usual).sum(), rel=0.1)
    window.session.preferences.sound = 0.0
    assert hears(window) is SILENCE


def test_a_tool_clicks_once_for_a_press_even_while_paused(window: FlockWindow) -> None:
    window.session.clock.paused = True
    take(window, "boid")
    notes = []
    before = window.ambience.frame
    window.ambience.frame = lambda *_: notes.append(window.ambience.heard(window.session))  # type: ignore[method-assign]
    drag(window, (320, 180), (420, 180), (500, 200))
    for _ in range(3):
        frame(window, 0.05)
    window.ambience.frame = before  # type: ignore[method-assign]
    clicks = [kind for heard in notes if heard is not None for kind in heard.notes["kind"].tolist()]
    assert clicks == [CLICK]


def test_without_a_device_nothing_is_made_and_nothing_said(
    window: FlockWindow, capfd: pytest.CaptureFixture[str]
) -> None:
    threads = threading.active_count()
    for _ in range(3):
        frame(window, 0.1)
    assert threading.active_count() == threads
    assert not window.session.messages.shown
    assert capfd.readouterr() == ("", "")


def test_a_player_plays_pauses_and_is_closed() -> None:
    """On pyglet's silent driver where tests find no device: it asks for samples as any other."""
    player = Player()
    for _ in range(2):
        player.hear(Heard(SILENCE.levels, click()), SEED)
        assert player._getting_ready is not None
        player._getting_ready.join()
    assert player._playing is not None
    assert player._playing.playing
    player.rest()
    player._since = 0.0  # long ago
    player.rest()
    assert not player._playing.playing
    player.close()
    player.hear(SILENCE, SEED)
    player.rest()
    assert player._playing is None


def test_a_device_gets_as_many_samples_as_it_asks_for() -> None:
    stream = Stream(Synthesizer(SEED))
    levels = SILENCE.levels.copy()
    levels[VOICES.index("wind")] = 1.0
    assert not any(stream.get_audio_data(4000).data)
    stream.tell(Heard(levels, SILENCE.notes))
    asked = [stream.get_audio_data(size) for size in (4000, 400, 40_000)]
    assert [data.length for data in asked] == [4000, 400, 40_000]
    assert any(asked[-1].data)
    stream.tell(SILENCE)
    for _ in range(2):
        stream.get_audio_data(RATE)
    assert not any(stream.get_audio_data(4000).data)


def test_the_settings_keep_sound_and_mute() -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("sound = 0.25\nmuted = true\n")
    preferences, wrong = read_preferences()
    assert (preferences.sound, preferences.muted, wrong) == (0.25, True, "")
    settings_file().write_text("sound = 3\nmuted = 1\n")
    preferences, wrong = read_preferences()
    assert (preferences.sound, preferences.muted) == (0.5, False)
    assert "must be 0 to 1" in wrong
    assert "must be true or false" in wrong
