"""A second world beside the one that a person works on, which began as the same: another branch of its recording."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from components.store.fields import Field
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
    for name in {**left.prefabs, **right.prefabs}:
        if name not in left.prefabs or name not in right.prefabs:
            yield said(
                "{name} is only at the left" if name in left.prefabs else "{name} is only at the right", name=name
            )
            continue
        fields = {field.key: field for kind in left.table.components.values() for field in kind.fields.values()}
        values = [world.prefabs[name].values() for world in (left, right)]
        names = tuple(left.prefabs)
        for key in {**values[0], **values[1]}:
            shown = [_shown(fields[key], each.get(key), names) for each in values]
            if shown[0] != shown[1]:
                yield f"{name}: {said(fields[key].name.replace('_', ' '))} {' | '.join(shown)}"
    yield from _other_settings(left, right, names)
    yield from _other_systems(left, right, names)


def _other_settings(left: World, right: World, names: tuple[str, ...]) -> Iterator[str]:
    kind: type[Any] = Settings
    stored = [world.resource(kind).stored for world in (left, right)]
    for field in kind.fields.values():
        shown = [_text(show_field(field, each, names)) for each in stored]
        if shown[0] != shown[1]:
            yield f"{said(field.name.replace('_', ' '))} {' | '.join(shown)}"


def _other_systems(left: World, right: World, names: tuple[str, ...]) -> Iterator[str]:
    """What is drawn is left out: that is seen."""
    others = right.resource(Pipeline).by_name
    for system in left.resource(Pipeline).systems:
        other = others.get(system.name)
        if other is None or system.phase is Phase.RENDER:
            continue
        title = said(system.name.replace("_", " "))
        if system.enabled != other.enabled:
            yield f"{title}: {' | '.join(said('on' if each.enabled else 'off') for each in (system, other))}"
        for name, field in system.parameters.items():
            shown = [_shown(field, each.stored[name], names) for each in (system, other)]
            if shown[0] != shown[1]:
                yield f"{title}: {said(name.replace('_', ' '))} {' | '.join(shown)}"


def _shown(field: Field, stored: Any, prefabs: tuple[str, ...]) -> str:
    if stored is None:
        return "–"
    return _text(field.show(stored, prefabs)) or said("everyone")


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return f"{value:g}" if isinstance(value, float) else f"{value}"
