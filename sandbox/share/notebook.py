"""The viewer in a notebook: it shows a simulation that goes on, and what a person does there becomes a command."""

from __future__ import annotations

import sys
from importlib.resources import files
from typing import Any, Protocol

import anywidget
import numpy as np

from components.store.world import World
from sandbox.app.drawing.rendered import Rendered, mark_of
from sandbox.design.labels import Labels
from sandbox.share.bundled import bundle_of, look_table, words_of_legend
from sandbox.share.sampled import MOST_LOOKS, Sample, Sampled
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
        self._how: tuple[object, ...] = ()
        self._share = 1.0
        self.on_msg(self._do)
        if "IPython" in sys.modules and (shell := sys.modules["IPython"].get_ipython()) is not None:
            shell.events.register("post_run_cell", self._after_cell)

    def _after_cell(self, *_: object) -> None:
        simulation = self._shown.simulation
        if self._sent and self._sent != mark_of(simulation, simulation.world, ""):
            self.show()

    def _do(self, _: object, message: Any, __: object) -> None:
        """Carry out a message; what goes wrong is told in the view."""
        try:
            self._carry_out(message)
        except (KeyError, RuntimeError, TypeError, ValueError) as error:
            self.send({"is": "told", "told": str(error)})

    def _carry_out(self, message: dict[str, Any]) -> None:
        shown, do = self._shown, message["do"]
        if do == "step":
            shown.step(min(max(int(message["ticks"]), 1), MOST_TICKS))
        elif do == "place":
            shown.spawn(message["prefab"], at=[float(place) for place in message["at"]])
        elif do != "begin":
            raise ValueError(f"{do}: must be begin, step or place")
        self.show(anew=do == "begin")

    def show(self, *, anew: bool = False) -> None:
        """Send the present state, and all that it takes to draw it if this has changed, or `anew`."""
        simulation, made = self._shown.simulation, Sampled(MOST_ANIMALS, 1.0 if anew else self._share)
        made.take(simulation)
        (sample,), self._share = made.samples, made.share
        self._sent, how = made.first.mark, _how_it_is_drawn(made.first, simulation.world)
        legend = words_of_legend(made.legend)
        told = made.kept and f"too many animals for a notebook: {made.kept}"
        message: dict[str, Any] = {"is": "sample", "tick": simulation.tick, "legend": legend, "told": told}
        buffers = []
        if anew or how != self._how:
            self._how = how
            buffers.append(bundle_of(made, simulation.world, {}, {"title": simulation.scene.name}, whole=True))
            self._looks = {int(look): n for n, look in enumerate(np.unique(sample.looks))}
            populations = simulation.populations()
            prefabs = iter(simulation.world.prefabs)
            usual = max(populations, key=lambda name: populations[name], default=next(prefabs, ""))
            message |= {"is": "begin", "prefab": usual}
        message["count"] = len(sample.serials)
        if len(self._looks) > MOST_LOOKS - len(sample.serials):
            self._looks.clear()
        known = len(self._looks)
        buffers += [*self._columns(sample), made.scenery[0].tobytes()]
        if len(self._looks) > known:
            table = np.array([*self._looks], np.uint64)
            shapes, message["corners"], message["looks"] = look_table(table, sample.places.shape[1] > 2)
            message["shapes"] = list(shapes.shape)
            buffers.append(shapes.tobytes())
        self.send(message, buffers)

    def _columns(self, sample: Sample) -> list[bytes]:
        looks = [self._looks.setdefault(look, len(self._looks)) for look in sample.looks.tolist()]
        return [
            sample.serials.astype("<i4").tobytes(),
            sample.kinds.astype("<u2").tobytes(),
            sample.places.astype("<f4").T.tobytes(),
            np.array(looks, "<u2").tobytes(),
            sample.codes.astype("<u2").tobytes(),
        ]


def _how_it_is_drawn(rendered: Rendered, world: World) -> tuple[object, ...]:
    """Return what is equal as long as a view can go on with what it was sent at its begin."""
    legend, labels = rendered.drawing.legend, world.resource(Labels).kept
    space = rendered.size, rendered.torus, rendered.bounces, rendered.tick_rate
    return space, rendered.backdrop, rendered.pictures, labels, legend and legend.name, tuple(world.prefabs)
