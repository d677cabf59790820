"""Views: where the camera of the window looked while a recording was made."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sandbox.past.branch import Branch
from sandbox.past.timeline import Timeline
from systems.engine.settings import Settings

OFTEN = 10  # views per simulated second, at most
YAW = 3  # its index in SeenInSpace
MOST = 200_000  # views in a recording: five hours of a camera that always moves


class Seen(NamedTuple):
    """A visible part of the world: its centre, width and height in u."""

    x: float
    y: float
    width: float
    height: float


class SeenInSpace(NamedTuple):
    """A view of a world with depth: the place that is looked at and the distance of the eye from it, u, and its angles.

    Attributes:
        yaw, pitch: radians, the way from the place to the eye: to the right of the front, and up.
        distance: 0: the eye is there, in the head of an animal.
    """

    x: float
    y: float
    z: float
    yaw: float
    pitch: float
    distance: float


AnySeen = Seen | SeenInSpace


class Watch:
    """Records views. A view that lasted is recorded a second time at its last tick, for the interpolation."""

    def __init__(self) -> None:
        self._branch: Branch | None = None
        self._held = 0  # the last tick at which the last recorded view was still shown

    def note(self, timeline: Timeline, seen: AnySeen) -> None:
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
        elif type(seen) is not type(views[last]) or tick >= self._held + _apart(timeline):
            views[self._held], views[tick] = views[last], seen
            self._held = tick
            _thin(timeline.recording.branches)


def _apart(timeline: Timeline) -> float:
    return timeline.simulation.world.resource(Settings).tick_rate / OFTEN


def _thin(branches: Sequence[Branch]) -> None:
    """Delete every second view if there are too many."""
    if sum(len(branch.views) for branch in branches) > MOST:
        for branch in branches:
            branch.views = dict([*branch.views.items()][::2])


def seen_at(branch: Branch, time: float, torus: tuple[float, ...] | None = None) -> AnySeen | None:
    """Return the view at a time (ticks) of a branch, interpolated between recorded views; None if there are none.

    Args:
        torus: the size of a world that wraps; the interpolation then takes the shortest way.
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
    if isinstance(one, Seen) and isinstance(other, Seen):
        return Seen(*_between(one, other, share, dict(enumerate((torus or ())[:2]))))
    if isinstance(one, SeenInSpace) and isinstance(other, SeenInSpace) and bool(one.distance) == bool(other.distance):
        return SeenInSpace(*_between(one, other, share, {**dict(enumerate(torus or ())), YAW: math.tau}))
    return one


def _between(one: AnySeen, other: AnySeen, share: float, periods: Mapping[int, float]) -> Iterator[float]:
    """Interpolate the elements of two views, those with a period (by index) on the shortest way."""
    for index, (begin, end) in enumerate(zip(one, other, strict=True)):
        way, period = end - begin, periods.get(index)
        yield begin + share * (way - period * round(way / period) if period else way)
