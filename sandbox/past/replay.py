"""Opens recordings to be replayed, and replays them."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.files import AnyPath, named
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.opening import is_recording, load
from sandbox.past.read_recording import RecordingError, open_recording
from sandbox.past.recording import BUDGET
from sandbox.past.timeline import Timeline


def opened_to_run(path: AnyPath, mods: LoadedMods, budget: int = BUDGET) -> Timeline:
    """Open a recording at its first tick, or a scene or snapshot as a recording of no ticks.

    Raises:
        ValueError, OSError: the file can't be opened, or is a recording with other physics.
    """
    if not is_recording(path):
        return Timeline(load(path, mods=mods), budget=budget)
    timeline = open_recording(path, mods)
    if not timeline.recording.runs:
        timeline.close()
        raise RecordingError(
            f"{named(path)}: was recorded by a version that simulates differently: only that one runs it again"
        )
    return timeline


def replayed(timeline: Timeline) -> Iterator[int]:
    """Run every tick of every branch and compare digests; stop at the first difference. Yield the ticks done."""
    for branch in timeline.recording.branches:
        timeline.seek(branch.at, branch)
        while timeline.tick < branch.last and timeline.differs is None:
            timeline.step()
            yield timeline.tick
    timeline.settle_digests()


def problem_of(timeline: Timeline) -> str:
    """Return why a replay is incomplete or differs from the recording, a sentence; empty if it does not."""
    timeline.settle_digests()
    if timeline.differs:
        tick, why = timeline.differs
        return f"from tick {tick:,} on this world differs from the recording: {why}"
    return timeline.cut
