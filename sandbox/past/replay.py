"""Runs all that a recording holds again."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.past.timeline import Timeline


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
