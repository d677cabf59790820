"""Opens what is filmed: a recording, which is replayed, or a scene or snapshot, which is run."""

from __future__ import annotations

from sandbox.files import named
from sandbox.mods.load.library import Library
from sandbox.opening import is_recording, load
from sandbox.past.read_recording import open_recording
from sandbox.past.timeline import Timeline


def opened_to_film(file: str, library: Library) -> Timeline:
    """Open a file at its first tick.

    Raises:
        ValueError, OSError: the file can't be opened, or is a recording with other physics.
    """
    if not is_recording(file):
        return Timeline(load(file, mods=library), budget=0)  # no keyframes are needed
    timeline = open_recording(file, library)
    if not timeline.recording.runs:
        timeline.close()
        raise ValueError(
            f"{named(file)}: was recorded by a version in which worlds ran otherwise: that one can film it"
        )
    return timeline


def problem_of(timeline: Timeline) -> str:
    """Return why the film is incomplete or differs from the recording, a sentence; empty if it does not."""
    timeline.settle_digests()
    if timeline.differs:
        tick, why = timeline.differs
        return f"from tick {tick:,} on the film shows another world than was recorded: {why}"
    return timeline.cut
