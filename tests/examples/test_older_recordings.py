"""A recording of an older physics, kept since version 0 of it: it must open for ever, or be refused in a sentence.

Both files were made once: 12 boids around a stone, three more at tick 30, 120 ticks, with the number of `physics` set
to 0. One of them has its keyframes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.design.scene import Entry
from sandbox.edit import Spawn
from sandbox.files.container import RecordingError
from sandbox.files.read_recording import open_recording
from sandbox.files.write_recording import write_recording
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.past.replay import replayed
from sandbox.physics import PHYSICS
from sandbox.simulation import Simulation
from tests.command_line import boids

OLDER = Path(__file__).parent / "older-physics.boids"
WITHOUT = Path(__file__).parent / "older-physics-without-keyframes.boids"
MOMENTS = {0: (12, 258.87384, 117.35552), 60: (15, 293.47876, 146.8969), 120: (15, 252.17863, 176.6809)}


def moment(simulation: Simulation) -> tuple[int, float, float]:
    """How many boids there are, and where the first one is."""
    columns, row = simulation.world.table.columns, simulation.world.table.row_of(1)
    return simulation.populations()["boid"], float(columns["Position.x"][row]), float(columns["Position.y"][row])


def test_it_plays_from_keyframe_to_keyframe() -> None:
    timeline = open_recording(OLDER, NO_MODS)
    assert (timeline.recording.physics, timeline.recording.runs, timeline.branch.last) == (0, False, 120)
    for tick in MOMENTS:
        assert timeline.tick == tick
        assert moment(timeline.simulation) == pytest.approx(MOMENTS[tick])
        if timeline.in_past:
            timeline.step()
    timeline.seek(65)
    assert timeline.tick == 60
    assert timeline.differs is None


def test_without_keyframes_it_is_refused() -> None:
    with pytest.raises(RecordingError) as refused:
        open_recording(WITHOUT, NO_MODS)
    why = f"was recorded with physics 0, and this version has {PHYSICS}: it has no keyframes to show"
    assert str(refused.value) == f"{WITHOUT}: {why}"


@pytest.mark.parametrize("words", [("replay", OLDER), ("diff", OLDER, OLDER)])
def test_its_ticks_are_not_run_again(words: tuple[object, ...]) -> None:
    said = f"{OLDER}: was recorded by a version that simulates differently: only that one runs it again"
    assert said in boids(*words).stderr


@pytest.mark.parametrize("acts", [False, True])
def test_who_goes_on_from_it_begins_a_recording_of_their_own(acts: bool, tmp_path: Path) -> None:
    timeline = open_recording(OLDER, NO_MODS)
    begin = 60 if acts else 120
    timeline.seek(begin)
    if acts:
        timeline.simulation.submit(Spawn(Entry("boid", 2)))
    for _ in range(70):
        timeline.step()
    recording, last = timeline.recording, timeline.tick
    assert (recording.first, recording.physics, recording.runs) == (begin, PHYSICS, True)
    timeline.seek(begin)
    assert timeline.simulation.populations()["boid"] == 15 + 2 * acts
    timeline.seek(last)
    write_recording(timeline, tmp_path / "mine.boids")
    again = open_recording(tmp_path / "mine.boids", NO_MODS)
    again.seek(last)
    assert again.simulation.digest() == timeline.simulation.digest()
    assert list(replayed(again)) == list(range(begin + 1, last + 1))
    assert again.differs is None
