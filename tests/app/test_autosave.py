"""The world is kept on disk every minute; what a session leaves that ends unexpectedly is offered to the next."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import sandbox
from sandbox.app.lost import in_words, offer_lost
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import Erase
from sandbox.state.autosaves import KEPT, OwnAutosaves, find_lost

from .conftest import OpenWindow, at, drifting, living
from .widgets import click, look

MINUTE = 60.0
ROOT = Path(__file__).parent.parent.parent
CRASHES = """
import sys
from tests.app.conftest import drifting, at
from sandbox.app.files.autosave import Autosave
from sandbox.simulation import Simulation
from pathlib import Path

simulation = Simulation(drifting(at(100, 100), at(200, 100), at(300, 100)), 1)
simulation.step(int(sys.argv[2]))
autosave = Autosave(Path(sys.argv[1]), print)
autosave.pass_time(60.0, simulation)
autosave.wait()
print("kept", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all sessions' autosaves."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "boids-sandbox" / "autosave"


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    return open_on(drifting(at(100, 100, (10, 0))), (900, 640))


def states(kept: Path) -> list[Path]:
    return sorted(kept.glob("*/*.npz"))


def pass_minute(window: FlockWindow) -> None:
    window.on_update(MINUTE)
    window.autosave.wait()


def crash(kept: Path, ticks: int = 5) -> None:
    """A session that keeps its world and is killed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    process = subprocess.Popen(
        [sys.executable, "-c", CRASHES, str(kept), str(ticks)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=environment,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"kept\n"
    process.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
    process.communicate()


def offer(window: FlockWindow) -> None:
    offer_lost(window.session, window.filing, window.autosave)


def test_every_minute_in_which_something_changed(window: FlockWindow, kept: Path) -> None:
    window.on_update(MINUTE - 1)
    window.autosave.wait()
    assert states(kept) == []
    window.on_update(1.0)
    window.autosave.wait()
    assert len(states(kept)) == 1
    with sandbox.load(states(kept)[0]) as state:
        assert state.digest() == window.simulation.digest()


def test_a_world_that_stands_is_kept_once(window: FlockWindow, kept: Path) -> None:
    window.session.clock.paused = True
    pass_minute(window)
    assert states(kept) == []  # it is as it was opened
    window.session.submit(Erase(100, 100, 10))
    for _ in range(3):
        pass_minute(window)
    assert len(states(kept)) == 1


def test_the_newest_five_are_kept(window: FlockWindow, kept: Path) -> None:
    for _ in range(KEPT + 3):
        pass_minute(window)
    assert len(states(kept)) == KEPT
    with sandbox.load(states(kept)[-1]) as newest, sandbox.load(states(kept)[0]) as oldest:
        assert newest.digest() == window.simulation.digest()
        assert oldest.tick < newest.tick


def test_never_two_at_once(window: FlockWindow, kept: Path) -> None:
    pass_minute(window)
    threads = []
    for _ in range(5):
        window.on_update(MINUTE)
        threads += [thread for thread in threading.enumerate() if thread.name == "autosave"]
        assert sum(thread.name == "autosave" for thread in threading.enumerate()) <= 1
    window.autosave.wait()
    assert threads


def test_a_clean_exit_leaves_nothing(open_on: OpenWindow, kept: Path) -> None:
    window = open_on(drifting(at(100, 100)))
    pass_minute(window)
    assert states(kept)
    window.close()
    assert list(kept.iterdir()) == []


def test_windows_do_not_disturb_each_other(open_on: OpenWindow, kept: Path) -> None:
    one, other = open_on(drifting(at(100, 100))), open_on(drifting(at(100, 100)))
    for window in (one, other):
        window.switch_to()
        pass_minute(window)
    assert len({path.parent for path in states(kept)}) == 2
    offer(one)
    assert one.session.asking.question is None  # the other lives
    one.close()
    assert len(states(kept)) == 1
    other.switch_to()
    pass_minute(other)
    assert len(states(kept)) == 2


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
    assert len(states(kept)) == 1


def test_a_folder_that_was_removed_meanwhile_is_made_again(window: FlockWindow, kept: Path) -> None:
    pass_minute(window)
    states(kept)[0].unlink()
    next(path for path in kept.iterdir() if path.is_dir()).rmdir()
    pass_minute(window)
    assert len(states(kept)) == 1


def test_while_the_past_is_shown_the_present_is_what_is_kept(window: FlockWindow, kept: Path) -> None:
    window.session.submit(Erase(100, 100, 5))
    for _ in range(20):
        window.on_update(0.1)
    now = window.simulation.tick
    window.session.playback.move(-10)
    window.on_update(0.1)
    assert window.simulation.tick == now - 10
    pass_minute(window)
    assert states(kept) == []
    window.end()
    window.close()
    assert sandbox.load(states(kept)[-1]).tick == now


# ---- after a crash


def test_what_a_killed_session_left_is_offered_and_opened(window: FlockWindow, kept: Path) -> None:
    crash(kept, ticks=7)
    offer(window)
    assert "ended unexpectedly" in look(window).text
    click(window, "Open")
    assert window.simulation.tick == 7
    assert len(living(window)) == 3
    assert window.session.document.unsaved.some
    assert window.session.document.file is None
    lost = states(kept)
    window.on_update(0.01)
    window.autosave.wait()
    window.on_update(0.01)
    assert len(states(kept)) == 1  # kept by this session now
    assert states(kept) != lost
    window.close()
    assert list(kept.iterdir()) == []


def test_thrown_away_it_is_gone_and_the_one_before_is_offered(window: FlockWindow, kept: Path) -> None:
    crash(kept, ticks=1)
    time.sleep(1.1)  # folders are named by the second
    crash(kept, ticks=2)
    offer(window)
    click(window, "Throw away")
    assert len(states(kept)) == 1
    click(window, "Open")
    assert window.simulation.tick == 1


def test_later_it_is_offered_again(window: FlockWindow, open_on: OpenWindow, kept: Path) -> None:
    crash(kept)
    offer(window)
    other = open_on(drifting())
    offer(other)
    assert other.session.asking.question is None  # it is offered once at a time
    window.switch_to()
    click(window, "Later")
    other.switch_to()
    offer(other)
    assert other.session.asking.question is not None


def test_a_broken_one_is_said_and_kept_and_the_one_before_opened(window: FlockWindow, kept: Path) -> None:
    crash(kept)
    whole = states(kept)[0]
    whole.with_name("000009.npz").write_bytes(whole.read_bytes()[:-100])
    offer(window)
    click(window, "Open")
    assert window.simulation.tick == 5
    said = " ".join(message.text for message in window.session.messages.log)
    assert "damaged" in said
    put_aside = list((kept.parent / "unreadable").iterdir())
    assert len(put_aside) == 1
    assert put_aside[0].name in said


def test_where_all_are_broken_the_world_stays(window: FlockWindow, kept: Path) -> None:
    crash(kept)
    states(kept)[0].write_bytes(b"rubbish")
    running = window.simulation
    offer(window)
    click(window, "Open")
    assert window.simulation is running
    assert len(list((kept.parent / "unreadable").iterdir())) == 1
    assert find_lost(kept) is None


def test_a_session_that_was_killed_before_it_kept_anything_is_not_offered(kept: Path) -> None:
    session = OwnAutosaves(kept)
    session.next_file()
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


def test_keeping_many_takes_the_frame_little(window: FlockWindow, open_on: OpenWindow, kept: Path) -> None:
    window = open_on(drifting(Entry("red", 100_000)))
    window.simulation.step()
    taken = []
    for _ in range(5):
        window.simulation.step()
        window.autosave.wait()
        begin = time.thread_time()
        window.autosave.pass_time(MINUTE, window.simulation)
        taken.append(time.thread_time() - begin)
    window.autosave.wait()
    assert min(taken) < 0.015  # s
    assert len(states(kept)) == 5
