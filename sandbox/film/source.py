"""The world that is filmed, with its past: a recording that is replayed, or a scene or snapshot that is run."""

from __future__ import annotations

from sandbox.files import named
from sandbox.mods.load.library import Library
from sandbox.opening import is_recording, load
from sandbox.past.read_recording import open_recording
from sandbox.past.timeline import Timeline


def opened_to_film(file: str, library: Library) -> Timeline:
    """A file, at the tick that it begins with.

    Raises:
        ValueError, OSError: it can't be opened, or is a recording that this version can't run again.
    """
    if not is_recording(file):
        return Timeline(load(file, mods=library), budget=0)  # nobody goes back
    timeline = open_recording(file, library)
    if not timeline.recording.runs:
        timeline.close()
        raise ValueError(
            f"{named(file)}: was recorded by a version that simulates differently: only that version can film it"
        )
    return timeline


def problem_of(timeline: Timeline) -> str:
    """Why what was filmed is not all, or not what was recorded, a sentence; empty where nothing is wrong."""
    timeline.settle_digests()
    if timeline.differs:
        tick, why = timeline.differs
        return f"from tick {tick:,} on the film differs from the recording: {why}"
    return timeline.cut
