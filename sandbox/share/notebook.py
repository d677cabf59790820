"""The viewer in a notebook: it shows a simulation that goes on, and what a person does there becomes a command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Protocol

import anywidget
import numpy as np

from sandbox.share.bundled import bundle_of, look_table, words_of
from sandbox.share.sampled import MOST_LOOKS, Sample, Sampled, few_looks, sample_of
from sandbox.simulation import Simulation

OWN = files("sandbox.share")
MOST_TICKS = 1000  # that a message may ask for
MOST_ANIMALS = 20_000  # shown
"""More would keep the notebook busy with what they send."""


class Shown(Protocol):
    """What is shown: a `Sandbox`."""

    simulation: Simulation

    def spawn(self, prefab: str, **keys: Any) -> object:
        """Submit the command that places something, and carry it out."""

    def step(self, ticks: int) -> None:
        """Run ticks."""


class Live(anywidget.AnyWidget):
    """A view of a simulation. Its messages are:

    begin               send how it is drawn, and what there is now
    step, ticks         run so many ticks, and send what there is then
    place, prefab, at   place one animal or thing, by a command
    """

    _esm = "\n".join(OWN.joinpath(name).read_text(encoding="utf-8") for name in ("viewer.js", "notebook.js"))
    _css = OWN.joinpath("page.css").read_text(encoding="utf-8").partition("/* ---- the page */")[0]

    def __init__(self, shown: Shown) -> None:
        super().__init__()
        self._shown, self._looks = shown, dict[int, int]()
        self._sent: tuple[object, ...] = ()
        self.on_msg(self._do)
        if "IPython" in sys.modules and (shell := sys.modules["IPython"].get_ipython()) is not None:
            shell.events.register("post_run_cell", self._after_cell)

    def _after_cell(self, *_: object) -> None:
        if self._sent and self._sent != self._mark():
            self.show()

    def _mark(self) -> tuple[object, ...]:
        world = self._shown.simulation.world
        return world.tick, world.table.clocks(), tuple(world.table.value_clocks.values())

    def _do(self, _: object, message: Any, __: object) -> None:
        """Carry out a message; what goes wrong is told in the view."""
        try:
            self._carry_out(message)
        except (KeyError, RuntimeError, TypeError, ValueError) as error:
            self.send({"is": "told", "told": str(error)})

    def _carry_out(self, message: dict[str, Any]) -> None:
        shown, do = self._shown, message["do"]
        if do == "begin":
            self._begin()
            return
        if do == "step":
            shown.step(min(max(int(message["ticks"]), 1), MOST_TICKS))
        elif do == "place":
            shown.spawn(message["prefab"], at=[float(place) for place in message["at"]])
        else:
            raise ValueError(f"{do}: must be begin, step or place")
        self.show()

    def _begin(self) -> None:
        """Send all that it takes to draw, and the present state."""
        simulation, made = self._shown.simulation, Sampled()
        made.take(simulation)
        bundle = bundle_of(made, simulation.world, {}, {"title": simulation.scene.name}, whole=True)
        populations = simulation.populations()
        usual = max(populations, key=lambda name: populations[name], default=next(iter(simulation.world.prefabs), ""))
        self._looks = {int(look): n for n, look in enumerate(np.unique(made.samples[0].looks))}
        self.show({"is": "begin", "prefab": usual}, [bundle])

    def show(self, message: dict[str, Any] | None = None, buffers: Sequence[bytes] = ()) -> None:
        """Send the present state."""
        self._sent = self._mark()
        sample = sample_of(self._shown.simulation)
        sample = sample.only(np.arange(len(sample.serials)) < MOST_ANIMALS)
        message = {"is": "sample", **(message or {}), "tick": self._shown.simulation.tick, "count": len(sample.serials)}
        sample = sample._replace(looks=few_looks(sample.looks))
        if len(self._looks) > MOST_LOOKS - len(sample.serials):
            self._looks.clear()
        known = len(self._looks)
        columns = self._columns(sample)
        if len(self._looks) > known:
            table = np.array([*self._looks], np.uint64)
            shapes, message["corners"], message["looks"] = look_table(table, sample.places.shape[1] > 2)
            message["shapes"] = list(shapes.shape)
            columns.append(shapes.tobytes())
        self.send(message, [*buffers, *columns])

    def _columns(self, sample: Sample) -> list[bytes]:
        looks = [self._looks.setdefault(look, len(self._looks)) for look in sample.looks.tolist()]
        return [
            sample.serials.astype("<i4").tobytes(),
            sample.kinds.astype("<u2").tobytes(),
            sample.places.astype("<f4").T.tobytes(),
            np.array(looks, "<u2").tobytes(),
            sample.codes.astype("<u2").tobytes(),
            words_of(sample).tobytes(),
        ]
