"""Reads recordings. A file may be malicious, so all its contents are checked before anything runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from struct import Struct

from components.store.esper_variables import collector_disabled
from sandbox.edit import Redo, Undo
from sandbox.files.atomic import AnyPath, is_page, is_picture, is_recording
from sandbox.files.container import DEEP_VIEWS, DIGESTS, HEAD, KEYFRAME, START, VIEWS, Container, RecordingError
from sandbox.files.members import DEEP_VIEW, DIGEST, VIEW
from sandbox.files.read_commands import CommandReader, mods_at, of_kinds, undone_until
from sandbox.files.read_head import Head
from sandbox.files.state.state import hold, read_state
from sandbox.mods.load.assembly import assembled
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.mods.load.loading import LoadedMod
from sandbox.mods.run.upgrade import UseMods
from sandbox.past.branch import Branch
from sandbox.past.keyframe import Keyframe
from sandbox.past.recording import DIGEST_EVERY, Recording
from sandbox.past.timeline import Timeline
from sandbox.past.views import MOST, AnySeen, Seen, SeenInSpace
from sandbox.physics import PHYSICS
from sandbox.simulation import Simulation

MOST_DIGESTS = 64 << 20  # bytes
MOST_UNKNOWN = 10 * DIGEST_EVERY  # ticks after the last one of which a file knows anything
OF_DIGEST, OF_VIEW, OF_KEYFRAME = 256, 320, 1 << 20  # bytes of memory beside what they hold
FARTHEST, LEAST = 1e9, 1e-3  # u, of views


def open_recording(path: AnyPath, mods: LoadedMods) -> Timeline:
    """Open a recording at its first tick, with the mods that it began with.

    The path may be a `.boids` file, a picture or page with a recording (`Timeline.opens_at` is then its tick), or the
    folder of a journal. If a command can't be read, or needs a missing mod, the recording ends before it; see
    `Timeline.cut`.

    Raises:
        RecordingError: the file is no recording, is damaged, or needs something that this program lacks.
    """
    with _reading(path, mods) as reader:
        timeline = reader.timeline()
    if is_picture(path) or is_page(path):
        timeline.opens_at = min(reader.head.tick, timeline.branch.last)
    return timeline


def open_state(path: AnyPath, mods: LoadedMods, member: str = START) -> Simulation:
    """Open one state of a recording with the mods that are loaded, even if it was recorded with others.

    Raises:
        RecordingError: it can't be opened.
    """
    with _reading(path, mods) as reader:
        return reader.simulation(member, mods)


def has_past(path: AnyPath) -> bool:
    """Return whether a file is a recording and not a snapshot; opening it says what is wrong if it can't be read."""
    try:
        with closing(Container(path)) as file:
            return not Head(file).is_snapshot
    except RecordingError:
        return is_recording(path)


@contextmanager
def _reading(path: AnyPath, mods: LoadedMods) -> Iterator[_Reader]:
    mods.look(Path(path))
    with closing(Container(path)) as file:
        yield _Reader(file, mods)


class _Reader:
    """Reads one file.

    Attributes:
        cut: why the recording ends earlier, or lacks a keyframe; "" if it does not.
    """

    def __init__(self, file: Container, mods: LoadedMods) -> None:
        self._file, self._mods = file, mods
        self.head, self.cut = Head(file), ""

    def timeline(self) -> Timeline:
        """Read the whole recording."""
        head, file = self.head, self._file
        commands = CommandReader(file, head, self._mods)
        start_mods = self._mods if head.is_snapshot else LoadedMods(assembled(commands.start_mods()))
        simulation = self.simulation(START, start_mods)
        if simulation.tick != head.branches[0].at:
            raise file.error(f"{START}: is the state of tick {simulation.tick}")
        self._read_digests()
        self._read_views()
        with collector_disabled():
            branches, self.cut = commands.branches(), commands.cut
        self._end_early(branches)
        first = Keyframe.take(simulation, 0)
        recording = Recording(hold(simulation.world), first, branches=branches)
        recording.physics = PHYSICS if head.is_snapshot else head.physics
        kept = (((b, tick), name) for (b, tick), name in head.markers.items() if b in branches and tick <= b.last)
        recording.markers = dict(kept)
        self._read_keyframes(recording, first.mods)
        branch = branches[min(head.branch, len(branches) - 1)]
        if not recording.runs and branch.keyframe(branch.last) is first:
            raise file.error(
                f"was recorded with physics {head.physics}, and this version has {PHYSICS}: it has no keyframes to show"
            )
        return Timeline(simulation, recording, branch=branch, cut=self.cut)

    def simulation(self, member: str, mods: LoadedMods, *, charged: bool = False) -> Simulation:
        """Make a simulation of a state in the file; `charged`: it must fit into the budget."""
        state = read_state(self._file, member, mods, charged=charged)
        state.meta.scene.folder = self._file.path.absolute().parent
        simulation = Simulation(state.meta.scene, populate=False)
        try:
            with self._file.at(member):
                state.restore(simulation.world)
        except ValueError:
            simulation.close()
            raise
        return simulation

    def _records(self, member: str, size: int, most: int, memory: int) -> bytes:
        """Return a member of records of `size` bytes, empty if it is missing; charge `memory` bytes for each record."""
        content = self._file.read(member, most) if member in self._file.members else b""
        if len(content) % size:
            raise ValueError(f"must be records of {size} bytes")
        self._file.take(memory * len(content) // size)
        return content

    def _read_digests(self) -> None:
        with self._file.at(DIGESTS):
            content = self._records(DIGESTS, DIGEST.size, MOST_DIGESTS, OF_DIGEST)
            for tick, number, digest in DIGEST.iter_unpack(content):
                self._branch(number).digests[tick] = digest.hex()

    def _end_early(self, branches: list[Branch]) -> None:
        """End branches soon after the last tick of which the file knows anything: what is played is near one.

        So a number that somebody has changed costs no endless replay, and nothing that a person did is left out.
        """
        known = dict[Branch, int]()
        for branch in reversed(branches):  # those that leave a branch come after it
            ticks = [*branch.views, *(done.tick for done in branch.own[-1:])]
            ticks += [tick for tick in branch.digests if tick <= branch.last]
            known[branch] = max([known.get(branch, -1), *ticks])
            if branch.parent is not None and known[branch] >= branch.at:
                known[branch.parent] = max(known.get(branch.parent, -1), branch.at)
        for number, branch in enumerate(branches):
            if branch.parent is not None:
                branch.at = min(branch.at, branch.parent.last)
            tick = max(branch.at, known[branch])
            if branch.last > tick + MOST_UNKNOWN:
                branch.last = tick + MOST_UNKNOWN
                why = self._file.error(f"{HEAD}: nothing is known of branch {number} after tick {tick:,}")
                self.cut = self.cut or f"{why}; it plays to tick {branch.last:,}"

    def _read_views(self) -> None:
        self._read_views_in(VIEWS, VIEW, lambda values: _checked(Seen(*values)))
        self._read_views_in(DEEP_VIEWS, DEEP_VIEW, lambda values: _checked_in_space(SeenInSpace(*values)))
        for branch in self.head.branches:
            branch.views = dict(sorted(branch.views.items()))

    def _read_views_in(self, member: str, form: Struct, seen: Callable[[Sequence[float]], AnySeen]) -> None:
        lasts = dict[Branch, int]()
        with self._file.at(member):
            for tick, number, *values in form.iter_unpack(self._records(member, form.size, MOST * form.size, OF_VIEW)):
                branch = self._branch(number)
                first = lasts.get(branch, branch.at if branch.parent else branch.at - 1) + 1
                if not first <= tick <= branch.last:
                    raise ValueError(f"tick {tick} of branch {number}: must be {first} to {branch.last}")
                try:
                    branch.views[tick] = seen(values)
                except ValueError as error:
                    raise ValueError(f"tick {tick}: {error}") from None
                lasts[branch] = tick

    def _branch(self, number: int) -> Branch:
        if number >= len(self.head.branches):
            raise ValueError(f"there is no branch {number}")
        return self.head.branches[number]

    def _read_keyframes(self, recording: Recording, start_mods: tuple[LoadedMod, ...]) -> None:
        """Add the keyframes from which ticks can be run, or all if the physics differ; skip damaged ones.

        The latest are read first; those that don't fit into the budget are left out.
        """
        undone = dict[Branch, int]()
        undoes, uses = (of_kinds(recording.branches, *kinds) for kinds in ((Undo, Redo), (UseMods,)))
        names = (KEYFRAME.fullmatch(member) for member in self._file.members)
        for tick, number, member in sorted(((int(n[2]), int(n[1]), n[0]) for n in names if n), reverse=True):
            try:
                with self._file.at(member):
                    if number >= len(recording.branches):
                        raise ValueError(f"there is no branch {number}")
                    branch = recording.branches[number]
                    if not (branch.at < tick or branch.parent is None) or not recording.first < tick <= branch.last:
                        raise ValueError(f"there is no tick {tick} on branch {number}")
                    if branch not in undone:
                        undone[branch] = undone_until(branch, undoes)
                    if recording.runs and tick <= undone[branch]:  # states don't hold the undo history
                        continue
                    mods = mods_at(branch, tick, start_mods, uses)
                    keyframe = self._keyframe(member, mods, branch.commands_before(tick))
                    if keyframe.tick != tick:
                        raise ValueError(f"is the state of tick {keyframe.tick}")
            except RecordingError as error:
                self.cut = self.cut or f"{error}; it is left out"
                continue
            recording.keep(branch, keyframe)

    def _keyframe(self, member: str, mods: list[LoadedMod], commands: int) -> Keyframe:
        self._file.take(OF_KEYFRAME)
        with self.simulation(member, LoadedMods(assembled(mods)), charged=True) as simulation:
            keyframe = Keyframe.take(simulation, commands)
        self._file.take(sum(array.nbytes for array in keyframe.arrays()))
        return keyframe


def _checked(seen: Seen) -> Seen:
    if not (abs(seen.x) <= FARTHEST and abs(seen.y) <= FARTHEST):
        raise ValueError(f"x and y must be -{FARTHEST:g} to {FARTHEST:g} u")
    if not (LEAST <= seen.width <= FARTHEST and LEAST <= seen.height <= FARTHEST):
        raise ValueError(f"width and height must be {LEAST:g} to {FARTHEST:g} u")
    return seen


def _checked_in_space(seen: SeenInSpace) -> SeenInSpace:
    if not all(abs(value) <= FARTHEST for value in seen[:4]):
        raise ValueError(f"x, y, z and yaw must be -{FARTHEST:g} to {FARTHEST:g}")
    if not abs(seen.pitch) <= math.pi / 2 + 1e-6:
        raise ValueError("pitch must be -pi/2 to pi/2")
    if seen.distance != 0 and not LEAST <= seen.distance <= FARTHEST:
        raise ValueError(f"distance must be {LEAST:g} to {FARTHEST:g} u, or 0")
    return seen
