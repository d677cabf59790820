"""What a session records is kept on disk as it goes; what one leaves that ends unexpectedly is offered to the next."""

from __future__ import annotations

import gc
import shutil
import sys
import threading
import time
import weakref
from pathlib import Path

import pytest

from sandbox.app.files.autosave import SECONDS, Autosave
from sandbox.app.jobs.jobs import Jobs
from sandbox.app.lost import in_words, offer_lost
from sandbox.app.messages import Messages
from sandbox.app.window import FlockWindow
from sandbox.edit import Erase
from sandbox.files.journal import KEYFRAMES
from sandbox.files.read_recording import open_recording, open_state
from sandbox.files.sessions import OwnAutosaves, find_lost, keyframes_of
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation
from tests.command_line import kill_once

from .conftest import OpenWindow, at, drifting, living
from .modded import SYSTEM, named, write_mod
from .test_timeline import arrive
from .widgets import click, look

MINUTE = 60.0
CRASHES = """
import sys
from pathlib import Path
from tests.app.test_autosave import left_behind

left_behind(Path(sys.argv[1]), int(sys.argv[2]), leave=False)
print("kept", flush=True)
sys.stdin.read()
"""


def left_behind(kept: Path, ticks: int = 5, leave: bool = True, pictures: Path | None = None) -> None:
    """A session that keeps its world, and then leaves its folder as it is."""
    timeline = Timeline(Simulation(drifting(at(100, 100), at(200, 100), at(300, 100)), 1))
    timeline.simulation.scene.folder = pictures
    autosave = Autosave(kept, print, Jobs(Messages()))
    for _ in range(ticks):
        timeline.step()
    autosave.pass_time(MINUTE, timeline)
    autosave.wait()
    if leave:
        autosave.keep(timeline)
        timeline.close()


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all sessions' autosaves."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "boids-sandbox" / "autosave"


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    return open_on(drifting(at(100, 100, (10, 0))), (900, 640))


def recordings(kept: Path) -> list[Path]:
    return sorted(head.parent for head in kept.glob("*/*.boids/recording.json"))


def opened(recording: Path) -> Timeline:
    timeline = open_recording(recording, NO_MODS)
    assert not timeline.cut
    return timeline


def pass_minute(window: FlockWindow) -> None:
    window.on_update(MINUTE)
    window.autosave.wait()


def crash(kept: Path, ticks: int) -> None:
    """A session that keeps its world and is killed."""
    kill_once(CRASHES, kept, ticks)


def offer(window: FlockWindow) -> None:
    offer_lost(window.session, window.filing, window.autosave)


def test_every_few_seconds_in_which_something_changed(window: FlockWindow, kept: Path) -> None:
    window.on_update(SECONDS / 2)
    window.autosave.wait()
    assert recordings(kept) == []
    for _ in range(3):
        window.on_update(SECONDS)
        window.autosave.wait()
        (recording,) = recordings(kept)
        timeline = opened(recording)
        timeline.seek(timeline.branch.last)
        assert timeline.simulation.digest() == window.simulation.digest()
        timeline.close()


def test_a_world_that_stands_is_kept_once(window: FlockWindow, kept: Path) -> None:
    window.session.clock.paused = True
    pass_minute(window)
    assert recordings(kept) == []  # it is as it was opened
    window.session.submit(Erase(100, 100, 10))
    pass_minute(window)
    (recording,) = recordings(kept)
    written = (recording / "recording.json").stat().st_mtime_ns
    pass_minute(window)
    assert (recording / "recording.json").stat().st_mtime_ns == written


def test_the_newest_states_are_kept_with_it(window: FlockWindow, kept: Path) -> None:
    for _ in range(KEYFRAMES + 3):
        pass_minute(window)
    (recording,) = recordings(kept)
    (_, newest), *older = keyframes_of(recording)
    assert len(older) == KEYFRAMES - 1
    with open_state(recording, NO_MODS, member=newest) as state:
        assert state.digest() == window.simulation.digest()


def test_never_two_at_once(window: FlockWindow, kept: Path) -> None:
    pass_minute(window)
    for _ in range(5):
        window.on_update(MINUTE)
        threads = [thread for thread in threading.enumerate() if thread.name.startswith("autosave")]
        assert len(threads) <= 1  # none if the first one has ended
    window.autosave.wait()
    assert recordings(kept)


def test_a_clean_exit_leaves_nothing(open_on: OpenWindow, kept: Path) -> None:
    window = open_on(drifting(at(100, 100)))
    pass_minute(window)
    assert recordings(kept)
    window.close()
    assert list(kept.iterdir()) == []


def test_windows_do_not_disturb_each_other(open_on: OpenWindow, kept: Path) -> None:
    one, other = open_on(drifting(at(100, 100))), open_on(drifting(at(100, 100)))
    for window in (one, other):
        window.switch_to()
        pass_minute(window)
    assert len({path.parent for path in recordings(kept)}) == 2
    offer(one)
    assert one.session.asking.question is None  # the other lives
    one.close()
    assert len(recordings(kept)) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="a folder is closed otherwise there")
def test_a_failure_is_told_once(window: FlockWindow, kept: Path) -> None:
    kept.parent.mkdir(parents=True)
    kept.write_text("in the way")
    for _ in range(3):
        pass_minute(window)
    told = [message.text for message in window.session.messages.log if "autosave" in message.text]
    assert len(told) == 1
    kept.unlink()
    pass_minute(window)
    timeline = opened(recordings(kept)[0])
    assert timeline.branch.last == window.simulation.tick
    timeline.close()


def test_a_folder_that_was_removed_meanwhile_is_made_again(window: FlockWindow, kept: Path) -> None:
    window.session.submit(Erase(100, 100, 5))
    pass_minute(window)
    shutil.rmtree(next(path for path in kept.iterdir() if path.is_dir()))
    pass_minute(window)  # which says that it failed
    pass_minute(window)
    timeline = opened(recordings(kept)[0])
    timeline.seek(timeline.branch.last)
    assert timeline.simulation.digest() == window.simulation.digest()
    timeline.close()


def test_another_world_takes_the_place_of_the_one_before(window: FlockWindow, kept: Path) -> None:
    pass_minute(window)
    (before,) = recordings(kept)
    window.session.act("restart")
    pass_minute(window)
    (now,) = recordings(kept)
    assert now != before
    timeline = opened(now)
    assert timeline.branch.last == window.simulation.tick < 2 * MINUTE
    timeline.close()


@pytest.mark.collected
def test_the_recording_before_is_freed_although_nothing_is_written_since(window: FlockWindow, kept: Path) -> None:
    pass_minute(window)
    before = weakref.ref(window.session.document.timeline.recording)
    window.session.act("restart")
    window.session.clock.paused = True
    for _ in range(2):
        window.on_update(0.1)
    gc.collect()
    assert before() is None


def test_what_is_done_in_the_past_is_kept_with_what_had_happened(window: FlockWindow, kept: Path) -> None:
    window.session.submit(Erase(100, 100, 5))
    for _ in range(20):
        window.on_update(0.1)
    pass_minute(window)
    now, ended = window.simulation.tick, window.simulation.digest()
    window.session.playback.move(-10)
    window.on_update(0.1)
    window.session.submit(Erase(300, 100, 50))
    window.session.clock.paused = False
    pass_minute(window)
    window.end()
    window.close()
    timeline = opened(recordings(kept)[0])
    assert [branch.at for branch in timeline.recording.branches] == [0, now - 10]
    timeline.seek(now, timeline.recording.branches[0])
    assert timeline.simulation.digest() == ended
    timeline.close()


# ---- after a crash


def test_what_a_killed_session_left_is_offered_and_opened(window: FlockWindow, kept: Path) -> None:
    crash(kept, ticks=7)
    offer(window)
    assert "ended unexpectedly" in look(window).text
    lost = recordings(kept)
    click(window, "Open")
    window.session.clock.paused = True
    arrive(window)
    assert window.simulation.tick == 7
    assert len(living(window)) == 3
    assert window.session.document.unsaved.some
    assert window.session.document.file is None
    window.session.playback.go(3)  # its past is there too
    arrive(window)
    assert living(window)[0, 0] == 100
    window.autosave.wait()
    window.on_update(0.01)
    assert len(recordings(kept)) == 1  # kept by this session now
    assert recordings(kept) != lost
    window.close()
    assert list(kept.iterdir()) == []


def test_its_pictures_are_looked_for_where_they_were(window: FlockWindow, kept: Path, tmp_path: Path) -> None:
    left_behind(kept, pictures=tmp_path)
    (recording,) = recordings(kept)
    assert not any(str(tmp_path).encode() in file.read_bytes() for file in recording.rglob("*") if file.is_file())
    offer(window)
    click(window, "Open")
    assert window.simulation.scene.folder == tmp_path


def test_thrown_away_it_is_gone_and_the_one_before_is_offered(window: FlockWindow, kept: Path) -> None:
    left_behind(kept, ticks=1)
    time.sleep(1.1)  # folders are named by the second
    left_behind(kept, ticks=2)
    offer(window)
    click(window, "Discard")
    assert len(recordings(kept)) == 1
    click(window, "Open")
    window.session.clock.paused = True
    arrive(window)
    assert window.simulation.tick == 1


def test_later_it_is_offered_again(window: FlockWindow, open_on: OpenWindow, kept: Path) -> None:
    left_behind(kept)
    offer(window)
    other = open_on(drifting())
    offer(other)
    assert other.session.asking.question is None  # it is offered once at a time
    window.switch_to()
    click(window, "Later")
    other.switch_to()
    offer(other)
    assert other.session.asking.question is not None


def test_a_broken_state_is_said_and_not_needed(window: FlockWindow, kept: Path) -> None:
    left_behind(kept, ticks=5)
    (recording,) = recordings(kept)
    state = recording / keyframes_of(recording)[0][1]
    state.write_bytes(state.read_bytes()[:-100])
    offer(window)
    click(window, "Open")
    window.session.clock.paused = True
    arrive(window)
    assert window.simulation.tick == 5
    assert any("it is left out" in message.text for message in window.session.messages.log)


def test_of_a_broken_recording_the_newest_state_is_opened(window: FlockWindow, kept: Path) -> None:
    left_behind(kept, ticks=5)
    (recording,) = recordings(kept)
    (recording / "start.npy").write_bytes(b"rubbish")
    offer(window)
    click(window, "Open")
    assert window.simulation.tick == 5
    said = " ".join(message.text for message in window.session.messages.log)
    assert "damaged" in said
    (put_aside,) = (kept.parent / "unreadable").iterdir()
    assert put_aside.name in said
    assert (put_aside / "recording.json").exists()


def test_where_all_is_broken_the_world_stays(window: FlockWindow, kept: Path) -> None:
    left_behind(kept)
    (recording,) = recordings(kept)
    for name in ("start.npy", *(member for _, member in keyframes_of(recording))):
        (recording / name).write_bytes(b"rubbish")
    running = window.simulation
    offer(window)
    click(window, "Open")
    assert window.simulation is running
    assert len(list((kept.parent / "unreadable").iterdir())) == 1
    assert find_lost(kept) is None


def test_who_writes_a_mod_loses_little(open_on: OpenWindow, kept: Path, tmp_path: Path) -> None:
    """What happened with an older version of a mod can't be run again; the world as it is now can be opened."""
    install = "\n\ndef install(app):\n    app.add_system(Drift)\n"
    mod = write_mod(tmp_path / "mods", SYSTEM + install)
    window = open_on(drifting(at(100, 100, (10, 0)), at(300, 100)), (900, 640), library=named(mod))
    window.session.submit(Erase(300, 100, 5))
    pass_minute(window)
    write_mod(tmp_path / "mods", SYSTEM + install + "# another version\n")
    window.modding.reload("lode")
    for _ in range(2):
        pass_minute(window)
    there = living(window)
    window.end()
    window.close()
    again = open_on(drifting(), library=named(mod))
    offer(again)
    click(again, "Open")
    assert (living(again) == there).all()
    assert any("its files have changed" in message.text for message in again.session.messages.log)
    assert len(list((kept.parent / "unreadable").iterdir())) == 1


def test_a_session_that_was_killed_before_it_kept_anything_is_not_offered(kept: Path) -> None:
    session = OwnAutosaves(kept)
    session.next_recording()
    assert find_lost(kept) is None
    session.leave()  # what the system does when it dies
    assert find_lost(kept) is None
    assert list(kept.iterdir()) == []


def test_an_age_is_told_in_words() -> None:
    assert [in_words(seconds) for seconds in (40, 65, 200, 7300, 90000)] == [
        "40 s ago",
        "1 minute ago",
        "3 minutes ago",
        "2 hours ago",
        "1 day ago",
    ]
