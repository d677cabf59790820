"""Views: where the camera of the window looked while a recording was made."""

from __future__ import annotations

import math
import struct
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sandbox.past.branch import Branch
from sandbox.past.timeline import Timeline
from systems.engine.settings import Settings

VIEW = struct.Struct("<QI4f")
OFTEN = 10  # views per simulated second, at most
MOST = 200_000  # views in a recording: five hours of a camera that always moves
FARTHEST, LEAST = 1e9, 1e-3  # u


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


def seen_at(branch: Branch, time: float, torus: tuple[float, float] | None = None) -> Seen | None:
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


def packed_views(views: Iterable[Mapping[int, Seen]]) -> bytes:
    """Pack the views of each branch as records: tick, branch, x, y, width, height."""
    return b"".join(VIEW.pack(tick, number, *seen) for number, each in enumerate(views) for tick, seen in each.items())


def read_views(content: bytes, branches: Sequence[Branch]) -> None:
    """Read views packed by `packed_views` into the branches.

    Raises:
        ValueError: a record is invalid; the message says what would be right.
    """
    if len(content) % VIEW.size:
        raise ValueError(f"must be records of {VIEW.size} bytes")
    for tick, number, *place in VIEW.iter_unpack(content):
        if number >= len(branches):
            raise ValueError(f"there is no branch {number}")
        branch, seen = branches[number], Seen(*place)
        first = next(reversed(branch.views), branch.at if branch.parent else branch.at - 1) + 1
        if not first <= tick <= branch.last:
            raise ValueError(f"tick {tick} of branch {number}: must be {first} to {branch.last}")
        if not (abs(seen.x) <= FARTHEST and abs(seen.y) <= FARTHEST):
            raise ValueError(f"tick {tick}: x and y must be -{FARTHEST:g} to {FARTHEST:g} u")
        if not (LEAST <= seen.width <= FARTHEST and LEAST <= seen.height <= FARTHEST):
            raise ValueError(f"tick {tick}: width and height must be {LEAST:g} to {FARTHEST:g} u")
        branch.views[tick] = seen
