"""Views: where the camera of the window looked while a recording was made."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from sandbox.past.branch import Branch
from sandbox.past.timeline import Timeline
from systems.engine.settings import Settings

OFTEN = 10  # views per simulated second, at most
MOST = 200_000  # views in a recording: five hours of a camera that always moves


class Seen(NamedTuple):
    """A visible part of the world: its centre, width and height in u."""

    x: float
    y: float
    width: float
    height: float


class Watch:
    """Records views. A view that lasted is recorded a second time at its last tick, for the interpolation."""

    def __init__(self) -> None:
        self._branch: Branch | None = None
        self._held = 0  # the last tick at which the last recorded view was still shown

    def note(self, timeline: Timeline, seen: Seen) -> None:
        """Record the view of a frame if it is of the newest tick and differs from the previous view."""
        branch, tick = timeline.branch, timeline.tick
        if timeline.in_past or branch.owner(tick) is not branch:
            return
        if branch is not self._branch:
            self._branch, self._held = branch, tick
        views, last = branch.views, next(reversed(branch.views), tick)
        if last == tick:
            views[tick], self._held = seen, tick
        elif views[last] == seen:
            self._held = tick
        elif tick >= self._held + timeline.simulation.world.resource(Settings).tick_rate / OFTEN:
            views[self._held], views[tick] = views[last], seen
            self._held = tick
            _thin(timeline.recording.branches)


def _thin(branches: Sequence[Branch]) -> None:
    """Delete every second view if there are too many."""
    if sum(len(branch.views) for branch in branches) > MOST:
        for branch in branches:
            branch.views = dict([*branch.views.items()][::2])


def seen_at(branch: Branch, time: float, torus: tuple[float, ...] | None = None) -> Seen | None:
    """Return the view at a time (ticks) of a branch, interpolated between recorded views; None if there are none.

    Args:
        torus: width and height of a world that wraps; the interpolation then takes the shortest way.
    """
    owner: Branch | None = branch.owner(math.ceil(time))
    while owner is not None and not owner.views:
        time, owner = min(time, owner.at), owner.parent
    if owner is None:
        return None
    views, ticks = owner.views, [*owner.views]
    after = bisect_right(ticks, time)
    if after in (0, len(ticks)):
        return views[ticks[max(after - 1, 0)]]
    one, other = (views[tick] for tick in ticks[after - 1 : after + 1])
    share = (time - ticks[after - 1]) / (ticks[after] - ticks[after - 1])
    far = [b - a for a, b in zip(one, other, strict=True)]
    for axis, size in enumerate(torus or ()):
        far[axis] -= size * round(far[axis] / size)
    return Seen(*(a + share * b for a, b in zip(one, far, strict=True)))
