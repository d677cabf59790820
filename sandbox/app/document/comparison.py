"""Compare: a second world beside the current one, which began as its copy and is another branch of its recording."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from components.store.resources import show_field
from components.store.world import World
from sandbox.app.measuring.measures_log import MeasuresLog
from sandbox.language import translate
from sandbox.past.branch import Branch
from sandbox.past.timeline import Timeline
from sandbox.render.followed import FollowedFlocks
from sandbox.simulation import Simulation
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase

SECONDS = 0.008  # time limit for catching up, per frame
ONLY = (
    ("{name} is only on the left", "{name} is only on the right"),
    ("{name} is only in the upper world", "{name} is only in the lower world"),
)
KEEPS = (
    (
        "The left world goes on. The right one is kept: a click on the thin line above the time bar leads to it.",
        "The right world goes on. The left one is kept: a click on the thin line above the time bar leads to it.",
    ),
    (
        "The upper world goes on. The lower one is kept: a click on the thin line above the time bar leads to it.",
        "The lower world goes on. The upper one is kept: a click on the thin line above the time bar leads to it.",
    ),
)
"""What is told at the end, by whether the worlds were stacked, and whether the right one goes on."""
NOTHING = "–"  # shown for a field that a prefab lacks in one of the worlds


class Comparison:
    """The second world in Compare.

    Attributes:
        timeline: its timeline.
        measures: its measures, for charts.
        works_right: whether the current world is the right one, so that this one is at the left.
        stacked: whether the left one is above the right one, because both are larger then.
        both: whether every command is submitted to both worlds.
    """

    def __init__(self, timeline: Timeline) -> None:
        """Begin with a copy of the present world of `timeline`."""
        timeline.simulation.join()
        timeline.take_up()
        branch = timeline.recording.leave(timeline.branch, timeline.tick)
        simulation = branch.keyframe(timeline.tick).simulation()
        if (flocks := timeline.simulation.world.resources.get(FollowedFlocks)) is not None:
            simulation.world.resources[FollowedFlocks] = flocks.copy()
        self.timeline = Timeline(simulation, timeline.recording, branch=branch)
        self.timeline.seek(timeline.tick)
        self.measures = MeasuresLog(branch)
        self.measures.gather(self.simulation)
        self.works_right = self.stacked = self.both = False

    @property
    def simulation(self) -> Simulation:
        return self.timeline.simulation

    def jump(self, tick: int) -> None:
        """Carry out commands, and go to the last keyframe at or before a tick, unless the present one is closer."""
        timeline = self.timeline
        timeline.simulation.settle_commands()
        timeline.take_up()
        if tick < timeline.tick or (timeline.in_past and tick > timeline.tick + 1):
            timeline.jump(min(tick, timeline.branch.last))
            timeline.target = None

    def follow(self, tick: int) -> None:
        """Go to a tick, or as near as the time limit allows: replay recorded ticks, then run new ones."""
        end = time.perf_counter() + SECONDS
        self.jump(tick)
        while self.timeline.tick < tick:
            self.timeline.step()
            if time.perf_counter() > end:
                break

    def close(self, kept: Branch) -> None:
        """Carry out commands, and free the world.

        Its branch stays in the recording unless it is empty, the last, and not also that of `kept`.

        Args:
            kept: that of the world that goes on.
        """
        self.timeline.simulation.settle_commands()
        self.timeline.take_up()
        branch, branches = self.timeline.branch, self.timeline.recording.branches
        is_last = branches[-1] is branch  # no other one began there, and journals name branches by their number
        if is_last and branch is not kept and branch.last == branch.at and not branch.own:
            branches.pop()
        self.timeline.close()


def named_differences(left: World, right: World, *, stacked: bool = False) -> Iterator[str]:
    """Yield the values that differ between two worlds, in words: "starling: cohesion strength 4 | 8"."""
    names = tuple(left.prefabs)
    fields = {field.key: field for kind in left.table.components.values() for field in kind.fields.values()}
    for name in {**left.prefabs, **right.prefabs}:
        if name not in left.prefabs or name not in right.prefabs:
            yield translate(ONLY[stacked][name in right.prefabs], name=name)
            continue
        values = [world.prefabs[name].values() for world in (left, right)]
        for key in {**values[0], **values[1]}:
            words = f"{name}: {_plain(fields[key].name)}"
            yield from _differ(words, (fields[key].show(own[key], names) if key in own else NOTHING for own in values))
    kind: type[Any] = Settings
    stored = [world.resource(kind).stored for world in (left, right)]
    for field in kind.fields.values():
        yield from _differ(_plain(field.name), (show_field(field, own, names) for own in stored))
    yield from _system_differences(left, right, names)


def _system_differences(left: World, right: World, names: tuple[str, ...]) -> Iterator[str]:
    """Yield the differences of systems, except those of RENDER, because these are visible."""
    others = right.resource(Pipeline).by_name
    for system in left.resource(Pipeline).systems:
        if system.name not in others or system.phase is Phase.RENDER:
            continue
        pair, title = (system, others[system.name]), _plain(system.name)
        yield from _differ(f"{title}:", (each.enabled for each in pair))
        for name, field in system.parameters.items():
            yield from _differ(f"{title}: {_plain(name)}", (field.show(each.stored[name], names) for each in pair))


def _differ(words: str, values: Iterable[Any]) -> Iterator[str]:
    """Yield `words` with the left and the right value, if these differ."""
    left, right = map(_text, values)
    if left != right:
        yield f"{words} {left} | {right}"


def _plain(name: str) -> str:
    return translate(name.replace("_", " "))


def _text(value: Any) -> str:
    """Return a value in words; an empty set of prefabs means everyone."""
    if isinstance(value, bool):
        return translate("on" if value else "off")
    if isinstance(value, list):
        return ", ".join(map(_text, value)) or translate("everyone")
    return f"{value:g}" if isinstance(value, float) else f"{value}"
