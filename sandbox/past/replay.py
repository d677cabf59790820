"""Replays a whole recording."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.past.timeline import Timeline


def replayed(timeline: Timeline) -> Iterator[int]:
    """Run every tick of every branch and compare digests; stop at the first difference. Yield the ticks done.

    Raises:
        ValueError: the recording was made with other physics.
    """
    if not timeline.recording.runs:
        raise ValueError(f"it was recorded with physics {timeline.recording.physics}: its ticks can't be run again")
    for branch in timeline.recording.branches:
        timeline.seek(branch.at, branch)
        while timeline.tick < branch.last and timeline.differs is None:
            timeline.step()
            yield timeline.tick
    timeline.settle_digests()
