"""The timeline in the time bar: shows the recorded past with marks, edits and branches; dragging it seeks."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sandbox.app.document.document import in_language
from sandbox.app.gui.moments import tell
from sandbox.app.gui.ui import Ui
from sandbox.app.session.session import Session
from sandbox.clock import time_in_words
from sandbox.edit import SetHand
from sandbox.language import translate
from sandbox.past.branch import Branch
from sandbox.past.recording import OWN
from systems.engine.settings import Settings

MADE = re.compile(r"(the first|the last|Mark) (.+?)( is born| dies|)")
HEIGHT = 21.0  # pixels: of branches and track
BRANCHES = 8.0  # pixels above the track, for branches
GRAB = 1.5  # pixels of the track in which a click still hits a branch
BEYOND = 20.0  # pixels: a click so far to the right of the end of a branch hits it, as the end moves left with time
END = 2.5  # pixels: radius of the dot at the end of a branch
LANES = 2  # rows of branches
LEAST = 10.0  # s: the minimum length of the bar
NEAR = 5.0  # pixels: a click within this distance hits a mark, and one or a drag the end of the branch
DOT = 3.0  # pixels: within this distance of the dot of an edit, the words tell what was done
NAMED = 3  # edits of one tick that are told
EDGE = 4.0  # pixels: margin at both ends, so that the playhead is not clipped


@dataclass(frozen=True)
class Scale:
    """The mapping between ticks and pixels: ticks `first` to `last` are at x = `left` to `right` on the screen."""

    first: int
    last: int
    left: float
    right: float

    def x(self, tick: float) -> float:
        """Return the x of a tick."""
        return self.left + (self.right - self.left) * (tick - self.first) / (self.last - self.first)

    def pixels(self, ticks: NDArray[np.int64]) -> list[float]:
        """Return the x of ticks, rounded to whole pixels, without duplicates."""
        found: list[float] = np.unique(np.rint(self.x(0) + ticks * (self.x(1) - self.x(0)))).tolist()
        return found

    def tick(self, x: float) -> int:
        """Return the tick at an x."""
        return round(self.first + (self.last - self.first) * (x - self.left) / (self.right - self.left))


class PastBar:
    """Draws the bar and seeks where a person clicks or drags."""

    def __init__(self) -> None:
        self._drags = False  # the playhead is dragged; False if a mark or branch was clicked
        self._may_drag = False  # a press on a mark becomes a drag of the playhead when the mouse moves; not on a branch
        # Cache: branch, commands counted, whether the hand is in the world after them, ticks of edits.
        self._edits: tuple[Branch | None, int, bool, NDArray[np.int64]] = None, 0, False, np.zeros(0, np.int64)

    def draw(self, session: Session, ui: Ui) -> None:
        """Draw the bar as the next item, as wide as the window."""
        size = ui.scale
        (x, y), width = ui.here, ui.room[0]
        recording = session.document.timeline.recording
        rate = session.simulation.world.resource(Settings).tick_rate
        last = max(*(branch.last for branch in recording.branches), recording.first + round(LEAST * rate))
        scale = Scale(recording.first, last, x + EDGE * size, x + width - EDGE * size)
        ui.area("timeline", (width, HEIGHT * size), keys=False)
        top, low = y + BRANCHES * size, y + HEIGHT * size
        self._draw_track(session, ui, scale, top, low, size)
        lines = _branch_lines(session, scale, y, size)
        over = _branch_under_mouse(ui, lines, y, size)
        for branch, begin, end, at in lines:
            colour = ui.theme.accent if branch is over else ui.theme.faint
            ui.pen.line((begin, at), (end, at), colour, (3 if branch is over else 2.2) * size)
            ui.pen.disc((end, at), END * size, colour)
        named = marks(session)
        _draw_marks(named, ui, scale, top, low, size)
        _draw_playhead(session, ui, scale, top, low, size)
        self._touch(session, ui, scale, over, named, rate, size)

    def _draw_track(self, session: Session, ui: Ui, scale: Scale, top: float, low: float, size: float) -> None:
        """Draw the recording on the current branch, brighter up to the shown tick, with a dot for each edit."""
        pen, timeline = ui.pen, session.document.timeline
        middle, thick = (top + low) / 2, 3 * size
        ends = scale.x(scale.first), scale.x(timeline.branch.last), scale.x(scale.last)
        shown = scale.x(session.playback.at)
        for begin, end, colour in (
            (ends[0], ends[2], ui.theme.well),
            (ends[0], ends[1], ui.theme.line),
            (ends[0], shown, ui.theme.tinted(0.75)),
        ):
            pen.box((begin, middle - thick), (max(end, begin), middle + thick), colour, thick)
        loop = session.playback.loop
        if loop is not None:
            for tick in loop:
                x = scale.x(tick)
                pen.line((x, top), (x, low), ui.theme.good, 2 * size)
        for begun in (action.since(session) for action in session.actions.values() if action.since is not None):
            if begun is not None:
                low_x, high_x = sorted((scale.x(begun), shown))
                pen.box((low_x, middle - thick), (high_x, middle + thick), ui.theme.wrong, thick)
        for x in scale.pixels(self._edited(timeline.branch)):
            pen.disc((x, middle), 1.2 * size, ui.theme.ink if x > shown else ui.theme.accent_ink)

    def _go_to(self, session: Session, branch: Branch) -> None:
        """Go to the end of a branch; if the other world in Compare is on it, work on that world instead."""
        comparison = session.document.comparison
        if comparison is not None and comparison.timeline.branch is branch:
            session.work_on(not comparison.works_right)
        else:
            session.playback.return_to(branch)

    def _edited(self, branch: Branch) -> NDArray[np.int64]:
        """Return the ticks with a person's edits on a branch and those in which the hand came, ascending."""
        whose, count, has_hand, ticks = self._edits
        if whose is not branch:
            count, has_hand, ticks = 0, False, np.zeros(0, np.int64)
        more = []
        for done in branch.slice(count, branch.count):
            if isinstance(done.command, SetHand):
                had_hand, has_hand = has_hand, done.command.strength != 0
                if has_hand and not had_hand:
                    more.append(done.tick)
            elif done.command.undoable:
                more.append(done.tick)
        if more:
            ticks = np.union1d(ticks, np.array(more, np.int64))
        self._edits = branch, branch.count, has_hand, ticks
        return ticks

    def _touch(
        self,
        session: Session,
        ui: Ui,
        scale: Scale,
        branch: Branch | None,
        named: dict[int, str],
        rate: int,
        size: float,
    ) -> None:
        """Handle the mouse: a click on a mark or branch seeks to it, any other press drags the playhead.

        Args:
            branch: the branch under the mouse.
        """
        (mouse, _), playback = ui.mouse, session.playback
        near = [tick for tick in named if abs(scale.x(tick) - mouse) < NEAR * size]
        tick = min(near, key=lambda tick: abs(scale.x(tick) - mouse), default=None)
        last = session.document.timeline.branch.last
        under = last if abs(scale.x(last) - mouse) < NEAR * size else scale.tick(mouse)
        if ui.taken:
            self._drags = branch is None and tick is None
            self._may_drag = branch is None
            if branch is not None:
                self._go_to(session, branch)
            elif tick is not None:
                playback.visit(tick)
        if ui.dragged and self._may_drag:
            self._drags = True
        if ui.held and self._drags:
            playback.held = True
            playback.visit(under)
        elif ui.hovered:
            whose = branch or session.document.timeline.branch
            edits = self._edited(session.document.timeline.branch)
            edits = edits[np.abs(scale.x(0) + edits * (scale.x(1) - scale.x(0)) - mouse) < DOT * size]
            edit = min(edits.tolist(), key=lambda edit: abs(scale.x(edit) - mouse), default=None)
            there = next(moment for moment in (tick, edit, under) if moment is not None)
            words = time_in_words(there, rate)
            if branch is not None:
                end = time_in_words(branch.last, rate)
                words = translate("Another branch, to {time}: click to go to its end", time=end)
            elif tick is not None:
                words = f"{_in_language(named[tick])}, {words}"
            elif edit is not None:
                words = f"{_done_at(session, edit)}, {words}"
            elif there > whose.last:
                words = translate("not yet")
            keyframe = whose.keyframe(branch.last if branch else max(there, scale.first))
            moment = (
                None if branch is None and there > whose.last else session.services.moment(keyframe, session.simulation)
            )
            tell(words, moment, mouse, ui.edges[0][1] - 4 * size, ui)


def marks(session: Session) -> dict[int, str]:
    """Return the names of the marks on the current branch, by tick."""
    timeline = session.document.timeline
    return {
        tick: name
        for (branch, tick), name in timeline.recording.markers.items()
        if tick <= timeline.branch.last and timeline.branch.owner(tick) is branch
    }


def _done_at(session: Session, tick: int) -> str:
    """Return in words what a person did in a tick of the current branch: "place boid, move"."""
    here, world = session.document.timeline.branch.commands_at(tick), session.simulation.world
    deeds = [done for done in here if done.command.undoable or isinstance(done.command, SetHand)]
    begun = [done for done in deeds if not done.joins] or deeds[:1]
    words = [*dict.fromkeys(in_language(done.command.label(world)) for done in begun)]
    return ", ".join(words[:NAMED] + ["..."] * (len(words) > NAMED))


def _in_language(name: str) -> str:
    """Translate the name of a mark if the program made it up."""
    if not (found := MADE.fullmatch(name)):
        return name
    return translate(f"{found[1]} {{what}}{found[3]}", what=found[2])


def _draw_marks(named: dict[int, str], ui: Ui, scale: Scale, top: float, low: float, size: float) -> None:
    """Draw the marks: automatic ones small and pale, below those of a person."""
    for own in (False, True):
        colour, thick, wide = (ui.theme.accent, 1.5 * size, 3.5 * size) if own else (ui.theme.faint, size, 2.5 * size)
        ticks = [tick for tick, name in named.items() if name.startswith(OWN) == own]
        for x in scale.pixels(np.array(ticks, np.int64)):
            ui.pen.line((x, top), (x, low), colour, thick)
            ui.pen.triangle((x - wide, top - size), (x + wide, top - size), (x, top - size + 1.4 * wide), colour)


def _draw_playhead(session: Session, ui: Ui, scale: Scale, top: float, low: float, size: float) -> None:
    x, middle = scale.x(session.playback.at), (top + low) / 2
    ui.pen.line((x, top), (x, low), ui.theme.ink, 2 * size)
    ui.pen.disc((x, middle), 4.5 * size, ui.theme.ink)
    ui.pen.circle((x, middle), 5 * size, ui.theme.panel, size)


def _branch_lines(session: Session, scale: Scale, top: float, size: float) -> list[tuple[Branch, float, float, float]]:
    """Return the other branches with the x of both ends and the y of their lines; the one that ends last is lowest."""
    timeline = session.document.timeline
    found: list[tuple[Branch, float, float, float]] = []
    taken = [scale.right + 1.0] * LANES  # by lane: the leftmost x in use
    shared = timeline.branch.shared_with(timeline.recording.branches)
    others = [branch for branch in timeline.recording.branches if branch is not timeline.branch]
    for branch in sorted(others, key=lambda branch: -branch.last):
        begin, end = scale.x(shared[branch]), scale.x(branch.last)
        begin = min(begin, end - 4 * size)
        lane = next((lane for lane in range(LANES) if end < taken[lane]), LANES - 1)
        taken[lane] = min(begin - 3 * size, taken[lane])
        found.append((branch, begin, end, top + (BRANCHES - 2.5 - 3.5 * lane) * size))
    return found


def _branch_under_mouse(
    ui: Ui, lines: list[tuple[Branch, float, float, float]], top: float, size: float
) -> Branch | None:
    """Return the branch whose line is nearest, or else ends shortly before, if the mouse is above the track.

    Args:
        top: upper edge of the bar.
    """
    x, y = ui.mouse
    if not ui.hovered or y - top > (BRANCHES + GRAB) * size:
        return None
    near = [line for line in lines if line[1] - 3 * size <= x <= line[2] + BEYOND * size]
    return min(near, key=lambda line: (max(x - line[2], 3 * size), abs(line[3] - y)), default=(None,))[0]
