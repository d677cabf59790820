"""Copies a world with its past, to be written to a file, a journal or a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sandbox.files.atomic import AnyPath
from sandbox.files.members import DIGEST, HeldRecording, head_of
from sandbox.files.state.state import HeldState, hold
from sandbox.past.branch import Branch
from sandbox.past.keyframe import Keyframe
from sandbox.past.recording import Recording
from sandbox.past.timeline import Timeline

KEYFRAMES = 1 << 20  # bytes of keyframes in a file, by default
OF_STATE, OF_ENTITY = 8000, 26  # approximate bytes of a packed state: fixed, and per entity
Keyframes = tuple[tuple[str, HeldState], ...]


def write_recording(timeline: Timeline, path: AnyPath, *, keyframes: int = KEYFRAMES) -> None:
    """Write a recording atomically.

    Args:
        keyframes: about how many bytes of keyframes there may be, evenly chosen of those in memory. A later version
            whose ticks differ shows these instead.
    Raises:
        WriteError: it can't be written; an existing file is unchanged.
    """
    hold_to_write(timeline, keyframes=keyframes).write(path)


def hold_to_write(timeline: Timeline, *, keyframes: int = KEYFRAMES) -> HeldRecording:
    """Copy the whole recording, with a digest of its end."""
    timeline.note_end()
    return hold_recording(timeline, keyframes=_evenly(timeline.recording, keyframes))


def hold_for(timeline: Timeline, tick: int) -> HeldRecording:
    """Copy the recording with only the keyframe from which a tick can be reached."""
    timeline.note_end()
    recording, branch = timeline.recording, timeline.branch
    keyframe = branch.keyframe(max(tick, recording.first))
    return hold_recording(timeline, keyframes=_held(recording, branch, keyframe))


def hold_shown(timeline: Timeline) -> Keyframes:
    """Copy the present state as a keyframe; if this tick has commands, the last keyframe; none at the beginning."""
    recording, branch, tick = timeline.recording, timeline.branch, timeline.tick
    if timeline.is_untouched and tick > recording.first:
        return ((_name(recording, branch, tick), hold(timeline.simulation.world)),)
    return _held(recording, branch, branch.keyframe(tick))


def hold_recording(
    timeline: Timeline, written: Mapping[int, int] | None = None, keyframes: Keyframes = ()
) -> HeldRecording:
    """Copy a recording.

    Args:
        written: the number of commands already in the file, by branch number; these are left out.
        keyframes: to be written with it.
    """
    recording, written = timeline.recording, written or {}
    numbers = {branch: number for number, branch in enumerate(recording.branches)}
    branches = [
        {"parent": numbers[branch.parent] if branch.parent else None, "at": branch.at, "last": branch.last}
        for branch in numbers
    ]
    head = head_of(timeline.simulation.world, recording.physics, branches, numbers[timeline.branch])
    head["markers"] = [[numbers[branch], tick, words] for (branch, tick), words in recording.markers.items()]
    return HeldRecording(
        head,
        recording.start,
        recording.branches[0].keyframe(recording.first).mods,
        tuple((number, done) for branch, number in numbers.items() for done in branch.own[written.get(number, 0) :]),
        b"".join(
            DIGEST.pack(tick, number, bytes.fromhex(digest))
            for branch, number in numbers.items()
            for tick, digest in sorted(branch.digests.items())
        ),
        tuple(branch.views.copy() for branch in numbers),
        keyframes,
    )


def _evenly(recording: Recording, most: int) -> Keyframes:
    """Choose keyframes evenly, the newest first, of about `most` bytes when packed; without that of the start."""
    known = [
        (branch, keyframe)
        for branch in recording.branches
        for tick, keyframe in branch.keyframes.items()
        if tick > recording.first
    ]
    if not known or not most:
        return ()
    largest = OF_STATE + OF_ENTITY * len(known[-1][1].savepoint.serial)
    every = max(math.ceil(len(known) * largest / most), 1)
    return tuple(one for known in known[::-every][: most // largest] for one in _held(recording, *known))


def _held(recording: Recording, branch: Branch, keyframe: Keyframe) -> Keyframes:
    """Return a keyframe with the name of its member, unless it is the start."""
    if keyframe.tick == recording.first:
        return ()
    with keyframe.simulation() as simulation:
        return ((_name(recording, branch, keyframe.tick), hold(simulation.world)),)


def _name(recording: Recording, branch: Branch, tick: int) -> str:
    """Return the name of the member of a keyframe; it names the branch that owns the tick."""
    return f"keyframes/{recording.branches.index(branch.owner(tick))}-{tick}.npy"
