"""A second world beside the one that a person works on, which began as the same: another branch of its recording."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from components.store.resources import show_field
from components.store.world import World
from sandbox.app.measuring.measures_log import MeasuresLog
from sandbox.language import said
from sandbox.past.timeline import Timeline
from sandbox.simulation import Simulation
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase

SECONDS = 0.008  # of a frame that catching up may take
NOTHING = "–"  # for the value of a field that one of two kinds lacks


class Comparison:
    """The other one of two worlds that are shown.

    Attributes:
        timeline: what happens in it.
        measures: what was measured in it, for charts.
        works_right: a person works on the world at the right, so that this one is at the left.
        both: what a person does is done in both worlds.
    """

    def __init__(self, timeline: Timeline) -> None:
        """Begin with a world that is what this timeline shows."""
        timeline.take_up()
        branch = timeline.recording.leave(timeline.branch, timeline.tick)
        simulation = branch.keyframe(timeline.tick).simulation()
        self.timeline = Timeline(simulation, timeline.recording, branch=branch)
        self.timeline.seek(timeline.tick)
        self.measures = MeasuresLog()
        self.measures.gather(self.simulation)
        self.works_right = self.both = False

    @property
    def simulation(self) -> Simulation:
        return self.timeline.simulation

    def follow(self, tick: int) -> None:
        """Go to a tick, or nearer to it: what was recorded is replayed, after that new ticks are run."""
        timeline, end = self.timeline, time.perf_counter() + SECONDS
        timeline.simulation.settle_commands()
        timeline.take_up()
        if tick < timeline.tick:
            timeline.jump(tick)
        while timeline.tick < tick:
            timeline.step()
            if time.perf_counter() > end:
                break
        timeline.target = None

    def close(self) -> None:
        """Free the world; what happened in it stays in the recording."""
        branch, branches = self.timeline.branch, self.timeline.recording.branches
        if branch.last == branch.at and len(branch.commands) == branch.inherited:
            branches.remove(branch)
        self.timeline.close()


def named_differences(left: World, right: World) -> Iterator[str]:
    """What is set to other values in two worlds: "starling: cohesion strength 4 | 8"."""
    names = tuple(left.prefabs)
    fields = {field.key: field for kind in left.table.components.values() for field in kind.fields.values()}
    for name in {**left.prefabs, **right.prefabs}:
        if name not in left.prefabs or name not in right.prefabs:
            yield said(
                "{name} is only at the left" if name in left.prefabs else "{name} is only at the right", name=name
            )
            continue
        values = [world.prefabs[name].values() for world in (left, right)]
        for key in {**values[0], **values[1]}:
            words = f"{name}: {_plain(fields[key].name)}"
            yield from _unlike(words, (fields[key].show(own[key], names) if key in own else NOTHING for own in values))
    kind: type[Any] = Settings
    stored = [world.resource(kind).stored for world in (left, right)]
    for field in kind.fields.values():
        yield from _unlike(_plain(field.name), (show_field(field, own, names) for own in stored))
    yield from _unlike_systems(left, right, names)


def _unlike_systems(left: World, right: World, names: tuple[str, ...]) -> Iterator[str]:
    """What is drawn is left out: that is seen."""
    others = right.resource(Pipeline).by_name
    for system in left.resource(Pipeline).systems:
        if system.name not in others or system.phase is Phase.RENDER:
            continue
        pair, title = (system, others[system.name]), _plain(system.name)
        yield from _unlike(f"{title}:", (each.enabled for each in pair))
        for name, field in system.parameters.items():
            yield from _unlike(f"{title}: {_plain(name)}", (field.show(each.stored[name], names) for each in pair))


def _unlike(words: str, values: Iterable[Any]) -> Iterator[str]:
    """What of the left and of the right world, if it is not the same."""
    left, right = map(_text, values)
    if left != right:
        yield f"{words} {left} | {right}"


def _plain(name: str) -> str:
    return said(name.replace("_", " "))


def _text(value: Any) -> str:
    """A value as files write it; a set of nobody means everyone."""
    if isinstance(value, bool):
        return said("on" if value else "off")
    if isinstance(value, list):
        return ", ".join(map(_text, value)) or said("everyone")
    return f"{value:g}" if isinstance(value, float) else f"{value}"
