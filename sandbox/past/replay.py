"""Running all that was recorded once more."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.past.timeline import Timeline


def replayed(timeline: Timeline) -> Iterator[int]:
    """Run every tick of every branch; digests are compared as they are met. Gives the ticks that are done.

    Raises:
        ValueError: another version of the program recorded it, which made other ticks.
    """
    if not timeline.recording.runs:
        raise ValueError(f"it was recorded with physics {timeline.recording.physics}: its ticks can't be run again")
    for branch in timeline.recording.branches:
        timeline.seek(branch.at, branch)
        while timeline.tick < branch.last and timeline.differs is None:
            timeline.step()
            yield timeline.tick
    timeline.settle_digests()
