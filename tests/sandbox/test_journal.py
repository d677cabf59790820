"""A recording is written as it goes: whenever the program is killed, what is on disk is a whole recording."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import tracemalloc
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from sandbox.design.scene import Entry
from sandbox.edit import Paste, Redo, SetField, Spawn, Undo, copy_of
from sandbox.files.container import RecordingError
from sandbox.files.journal import Journal
from sandbox.files.read_recording import open_recording
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.opening import load
from sandbox.past.timeline import Timeline
from sandbox.past.views import Seen, Watch

ROOT = Path(__file__).parents[2]
WRITES = """
import sys
from pathlib import Path
from sandbox.files.journal import Journal
from sandbox.past.timeline import Timeline
from sandbox.past.views import Seen, Watch
from sandbox.opening import load
from tests.sandbox.test_journal import act

timeline = Timeline(load("hunters"))
journal = Journal(Path(sys.argv[1]))
while True:
    act(timeline)
    timeline.step()
    journal.write(journal.hold(timeline, keyframe=timeline.tick % 10 == 3 and timeline.is_newest))
    print(timeline.tick, flush=True)
"""


def act(timeline: Timeline) -> None:
    """What a person does at a tick, the same at the same tick; now and then in the past."""
    simulation, tick = timeline.simulation, timeline.tick
    prefab = next(iter(simulation.populations()))
    if tick % 3 == 0:
        simulation.submit(Spawn(Entry(prefab, 2, at=(100.0 + tick, 100.0))))
    if tick % 7 == 0:
        simulation.submit(SetField("Motion.max_speed", 60.0 + tick, prefab=prefab))
    if tick % 11 == 5:
        simulation.submit(Paste(copy_of(simulation.world, [1, 2]), 10.0, 5.0))
    simulation.settle_commands()
    timeline.take_up()


def check_every_moment(timeline: Timeline, expected: dict[tuple[int, int], str]) -> None:
    branches = timeline.recording.branches
    for (number, tick), digest in expected.items():
        timeline.seek(tick, branches[number])
        assert timeline.simulation.digest() == digest, (number, tick)
    timeline.close()


def test_after_each_addition_it_is_a_whole_recording(tmp_path: Path) -> None:
    timeline, journal = Timeline(load("hunters")), Journal(tmp_path / "a.boids")
    expected: dict[tuple[int, int], str] = {}
    for step in range(60):
        act(timeline)
        if step in (20, 21, 45):
            timeline.simulation.submit(Redo() if step == 21 else Undo())
            timeline.simulation.settle_commands()
            timeline.take_up()
        expected[timeline.recording.branches.index(timeline.branch), timeline.tick] = timeline.simulation.digest()
        timeline.step()
        if step == 30:
            timeline.seek(12)  # and acts there: a branch begins
        if step == 40:
            timeline.seek(timeline.recording.branches[0].last, timeline.recording.branches[0])
        if step % 9 == 0:
            journal.write(journal.hold(timeline, keyframe=timeline.is_newest))
            again = open_recording(journal.folder, NO_MODS)
            assert not again.cut
            assert [b.last for b in again.recording.branches] == [b.last for b in timeline.recording.branches]
            check_every_moment(again, expected)
    assert len(timeline.recording.branches) == 2  # and commands of the first stand after those of the second
    timeline.close()


def test_what_was_appended_and_not_noted_in_the_head_is_left_alone(tmp_path: Path) -> None:
    timeline, journal = Timeline(load("hunters")), Journal(tmp_path / "a.boids")
    act(timeline)
    timeline.step()
    journal.write(journal.hold(timeline, keyframe=False))
    with open(journal.folder / "commands.jsonl", "ab") as file:
        file.write(b'{"tick":1,"branch":0,"kind":"Spaw')
    again = open_recording(journal.folder, NO_MODS)
    assert not again.cut
    assert again.branch.last == 1
    timeline.simulation.submit(Undo())
    timeline.step()
    with pytest.raises(OSError, match="another program changed it"):
        journal.write(journal.hold(timeline, keyframe=False))
    (journal.folder / "commands.jsonl").write_bytes(b"")
    with pytest.raises(RecordingError, match=r"commands\.jsonl has 0 bytes, and must have"):
        open_recording(journal.folder, NO_MODS)
    timeline.close()


def test_what_else_lies_in_its_folder_is_left_alone(tmp_path: Path) -> None:
    timeline, journal = Timeline(load("hunters")), Journal(tmp_path / "a.boids")
    journal.write(journal.hold(timeline, keyframe=False))
    (journal.folder / "copies").mkdir()
    for name in ("notes.txt", ".0123456789abcdef.part", "copies/a.npy"):
        (journal.folder / name).write_text("mine")
    with closing(open_recording(journal.folder, NO_MODS)) as again:
        assert not again.cut
        assert again.simulation.digest() == timeline.simulation.digest()
    timeline.close()


def test_no_more_of_it_is_read_than_a_recording_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timeline, journal = Timeline(load("hunters")), Journal(tmp_path / "a.boids")
    journal.write(journal.hold(timeline, keyframe=False))
    timeline.close()
    monkeypatch.setattr("sandbox.files.container.MOST_FILE", 1 << 20)
    for name in ("commands.jsonl", "views.bin"):
        (journal.folder / name).touch()
        os.truncate(journal.folder / name, 1 << 30)
    tracemalloc.start()
    with pytest.raises(RecordingError, match=r"a\.boids: is larger than a recording can be"):
        open_recording(journal.folder, NO_MODS)
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()


def test_a_part_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    timeline, journal = Timeline(load("hunters")), Journal(tmp_path / "a.boids")
    journal.write(journal.hold(timeline, keyframe=False))
    timeline.close()
    (journal.folder / "views.bin").mkdir()
    with pytest.raises(RecordingError, match=r"views\.bin: can't be read: "):
        open_recording(journal.folder, NO_MODS)


def test_a_damaged_line_is_refused_for_what_follows_may_be_of_any_branch(tmp_path: Path) -> None:
    timeline, journal = Timeline(load("hunters")), Journal(tmp_path / "a.boids")
    act(timeline)
    timeline.step()
    journal.write(journal.hold(timeline, keyframe=False))
    commands = journal.folder / "commands.jsonl"
    commands.write_bytes(commands.read_bytes().replace(b'"tick"', b'"tick', 1) + b" ")
    with pytest.raises(RecordingError, match=r"commands\.jsonl:1: a command is not a JSON text"):
        open_recording(journal.folder, NO_MODS)
    timeline.close()


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed otherwise there")
@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.verify) for seed in range(3, 40))])
def test_killed_at_any_moment_it_is_whole(seed: int, tmp_path: Path) -> None:
    folder, rng = tmp_path / "a.boids", np.random.default_rng(seed)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    told = tmp_path / "told"
    with told.open("wb") as out:
        process = subprocess.Popen([sys.executable, "-c", WRITES, str(folder)], stdout=out, cwd=ROOT, env=environment)
        while len(told.read_bytes().split()) < 20:
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(float(rng.uniform(0, 0.3)))
        process.send_signal(signal.SIGKILL)
        process.wait()
    noted = int(told.read_bytes().split()[-1])
    timeline = open_recording(folder, NO_MODS)
    assert not timeline.cut
    assert timeline.branch.last in (noted, noted + 1)
    plain = Timeline(load("hunters"))
    while plain.tick < timeline.branch.last:
        act(plain)
        plain.step()
    timeline.seek(plain.tick)
    assert timeline.simulation.digest() == plain.simulation.digest()
    plain.close()
    timeline.close()


def test_where_the_camera_looked_is_written_too(tmp_path: Path) -> None:
    timeline = Timeline(load("hunters"))
    journal, watch = Journal(tmp_path / "journal"), Watch()
    for tick in range(40):
        timeline.step()
        watch.note(timeline, Seen(tick, 50, 200, 100))
        if tick % 10 == 5:
            journal.write(journal.hold(timeline, keyframe=False))
    again = open_recording(tmp_path / "journal", NO_MODS)
    assert again.branch.views == {tick: seen for tick, seen in timeline.branch.views.items() if tick <= 36}
    assert len(again.branch.views) > 3
    timeline.close()
    again.close()
