"""Runs a part of a recording, and makes a page of it."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Sequence
from functools import cached_property

from sandbox.app.drawing.picture import camera_on
from sandbox.app.viewer import Viewer
from sandbox.design.scene import Scene
from sandbox.files.page import MOST_RECORDING
from sandbox.files.write_recording import hold_to_write
from sandbox.past.timeline import Timeline
from sandbox.record import Recorder
from sandbox.share.bundled import address_of, bundle_of
from sandbox.share.page import page_of
from sandbox.share.sampled import MOST_PLACES, Sampled, due
from sandbox.simulation import Simulation
from systems.engine.settings import Settings

STILL = 960  # pixels: the longer side of the picture for browsers that can't play


class Shared:
    """A part of a recording, from one tick to another.

    Attributes:
        count: of ticks.
        lacks: a sentence about what the page does not contain; "" if it is all there.
    """

    lacks = ""

    def __init__(self, timeline: Timeline, begin: int, end: int, measures: Sequence[str]) -> None:
        """Prepare it.

        Args:
            measures: the names of those that the page draws over time.
        Raises:
            ValueError: there is no such measure; the message names the nearest.
        """
        self._timeline, self._begin, self._end = timeline, begin, end
        self._measures = list(dict.fromkeys(measures))
        self._recorder = Recorder(timeline.simulation, self._measures)
        self._sampled = Sampled(MOST_PLACES)
        self.count = end - min(begin, timeline.branch.last)

    def run(self) -> Iterator[None]:
        """Run it, and yield after each tick.

        Raises:
            ValueError: the world changes its size, or becomes a torus or none.
        """
        timeline, made = self._timeline, self._sampled
        timeline.seek(min(self._begin, timeline.branch.last))
        while timeline.tick < self._begin:
            timeline.step()
            yield
        simulation = timeline.simulation
        self.still = self._still()
        wanted = due(self._begin, self._end, simulation.world.resource(Settings).tick_rate)
        self._recorder = Recorder(simulation, self._measures)
        space = _space_of(simulation)
        while True:
            if _space_of(simulation) != space:
                raise ValueError(
                    f"the size or the edges of the world change at tick {timeline.tick}, and a page has one of each:"
                    f" use --to {timeline.tick - 1} or --from {timeline.tick}"
                )
            made.watch(simulation)
            if timeline.tick in wanted:
                made.take(simulation)
                self._recorder.take()
            if timeline.tick >= self._end:
                return
            timeline.step()
            yield

    def page(self, title: str | None, caption: str | None, name: str) -> bytes:
        """Return the page after `run`; `name`: of its file, which it tells how to open.

        Args:
            title, caption: instead of the name and the description of the scene.
        """
        timeline = self._timeline
        timeline.take_up()
        world = timeline.simulation.world
        scene, record = world.resource(Scene), self._recorder.record()
        measures = {name: [_short(value) for value in record[name].tolist()] for name in self._measures}
        bundle = bundle_of(self._sampled, world, measures, {"title": scene.name})
        held = hold_to_write(timeline, keyframes=0)
        held.head["tick"] = self._begin
        recording = held.packed()
        if len(recording) > MOST_RECORDING:
            recording, self.lacks = b"", "its recording is too large to be in the page, which only plays"
        told = self.told + ("" if self.lacks else f". Go on from here: boids play {shlex.quote(name)}")
        title = scene.name if title is None else title
        return page_of(bundle, recording, self.still, title, scene.description if caption is None else caption, told)

    @property
    def told(self) -> str:
        """What the page shows and lacks, in words."""
        return "; ".join(filter(None, (self.shows, self.left_out, self.lacks)))

    @property
    def shows(self) -> str:
        """How many animals there are, and for how long."""
        rate = self._timeline.simulation.world.resource(Settings).tick_rate
        animals = f"{self._sampled.most:,} animal{'s' * (self._sampled.most != 1)}"
        return f"{animals}, {(self._end - self._begin) / rate:g} s"

    @cached_property
    def left_out(self) -> str:
        """A sentence about animals that were left out; "" if none were."""
        kept = self._sampled.kept
        return kept and f"too many animals for a page: {kept}"

    def _still(self) -> str:
        simulation = self._timeline.simulation
        camera = camera_on(simulation, long_side=STILL)
        return address_of(Viewer(simulation, ["labels"]).draw(camera), "JPEG")


def _space_of(simulation: Simulation) -> tuple[object, ...]:
    """Return what the places of a page rest on: the size of the world, and whether it is a torus."""
    settings = simulation.world.resource(Settings)
    return settings.size, settings.torus


def _short(value: float) -> float | None:
    """Return a value of a measure in four digits; None where it has none, such as the polarization of nobody."""
    return float(f"{value:.4g}") if math.isfinite(value) else None
