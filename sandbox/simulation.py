"""A simulation: a world, its pipeline, and commands going in."""

from __future__ import annotations

import operator
import os
import warnings
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

import numpy as np

from components.store.fields import integer
from components.store.world import World
from sandbox.design.origins import Origins
from sandbox.design.scene import MOST_SEED, Scene, spawn_entry
from sandbox.edit import Asked, Command, CommandQueue, Paste, Spawn
from sandbox.edit.command import read
from sandbox.edit.mod_switches import ModSwitches
from sandbox.interrupts import interrupted_at_end
from sandbox.mods.load.assembly import assembled
from sandbox.mods.run.host import ModHost
from sandbox.warning import SandboxWarning
from systems.engine.measures import Measures
from systems.engine.pipeline import WHILE_PAUSED, Phase, Pipeline

TICKS = integer(1, "", 0, 1_000_000_000, "how many ticks to run")


class Simulation:
    """A world that runs.

    Attributes:
        scene: what it was made of; `seed` of the world may differ.
        world: entities, table and resources.
        pipeline: its systems in order.
    """

    def __init__(self, scene: Scene, seed: int | None = None, *, populate: bool = True) -> None:
        """Make the world of a scene; `seed` replaces the scene's, `populate=False` leaves it empty.

        Raises:
            ValueError: a seed that is negative or too large.
        """
        self.scene = scene
        self._broken = False
        seed = scene.seed if seed is None else operator.index(seed)
        if not 0 <= seed <= MOST_SEED:
            raise ValueError(f"seed = {seed}: must be 0 to {MOST_SEED:,}")
        assembly = assembled(scene.loaded)
        app = assembly.app
        self.world = World(seed=seed, prefabs=dict(scene.prefabs))
        for component in app.components:
            self.world.table.declare(component)
        self.world.resources |= {kind: scene.resource(kind) for kind in app.resources}
        self.pipeline = Pipeline(self.world, [kind() for kind in app.systems])
        host = ModHost(self.world, assembly)
        self.world.resources |= {Pipeline: self.pipeline, ModHost: host, ModSwitches: host}
        self.mods.take(assembly)
        for name, values in scene.systems.items():
            for key, value in values.items():
                setattr(self.pipeline.by_name[name], key, value)
        self.mods.follow_systems()
        if populate:
            self.world.resource(Origins).resources = scene.resources
            for entry in scene.entries:
                first = self.world.next_serial
                spawn_entry(self.world, entry)
                self.world.resource(Origins).entries.append((first, self.world.next_serial, entry))
            self.pipeline.run(self.world, WHILE_PAUSED)  # nobody begins inside an obstacle

    @property
    def mods(self) -> ModHost:
        """The mods in this world."""
        return self.world.resource(ModHost)

    @property
    def tick(self) -> int:
        """Ticks done since the scene began."""
        return self.world.tick

    def step(self, ticks: int = 1) -> None:
        """Run whole ticks; Ctrl+C is raised after the one at hand.

        Raises:
            ValueError: fewer than none.
            RuntimeError: an earlier tick took so long that Ctrl+C broke it off.
        Warns:
            SandboxWarning: a mod was stopped, or a command refused.
        """
        ticks = read("ticks", ticks, TICKS.parse)
        with self._warning(), interrupted_at_end() as answer:
            for _ in range(ticks):
                with self._whole():
                    self.pipeline.tick(self.world)
                    self.world.tick += 1
                answer()

    def settle_commands(self) -> None:
        """Carry out waiting commands without a tick: what happens while the world is paused."""
        if self.world.resource(CommandQueue).waiting:
            with self._warning(), interrupted_at_end(), self._whole(ticking=False):
                self.world.enter()
                self.pipeline.by_name["commands"].process(self.world)
                self.world.commit()

    @contextmanager
    def _whole(self, *, ticking: bool = True) -> Iterator[None]:
        """What changes the world is done whole, or the world goes on no more."""
        self._refuse_broken()
        self.mods.ticking = ticking
        try:
            yield
        except KeyboardInterrupt:
            self._broken = True
            raise
        finally:
            self.mods.ticking = False

    def _refuse_broken(self) -> None:
        if self._broken:
            raise RuntimeError("this simulation was interrupted in the middle of a tick: open it again")

    def submit(self, command: Command, joins: bool = False) -> None:
        """Ask for an edit; it is carried out at the start of the next tick.

        Args:
            joins: it is undone together with the one before it, like the dabs of one stroke of a brush.
        Raises:
            ValueError: when it can't be done, with what would be right.
        """
        queue = self.world.resource(CommandQueue)
        try:
            command.check(self.world)
        except ValueError:
            places = (Spawn, Paste)  # what is placed makes no room for others
            helps = [a for a in queue.waiting if not (isinstance(command, places) and isinstance(a.command, places))]
            if not helps or self.world.waits:
                raise
            self.settle_commands()  # what waits may make it possible
            command.check(self.world)
        queue.waiting.append(Asked(command, joins))

    def measures(self, systems: Collection[str] | None = None) -> Mapping[str, float]:
        """Every measure of the world as it is now, by name; or only what these systems measure."""
        measures = self.world.resource(Measures)
        before = measures.wanted, measures.values
        measures.wanted, measures.values = self.pipeline.by_name if systems is None else systems, {}
        with self._warning():
            self.pipeline.run(self.world, [Phase.MEASURE])
        found = measures.values
        measures.wanted, measures.values = before
        return found

    def populations(self) -> dict[str, int]:
        """How many live, by prefab that has any."""
        table = self.world.table
        counts = np.bincount(table.prefab[: table.size], minlength=len(self.world.prefabs))
        return {name: int(n) for name, n in zip(self.world.prefabs, counts, strict=True) if n}

    def digest(self) -> str:
        """What tells two states apart, however they are drawn: SHA-256, 64 hexadecimal digits; no waiting commands."""
        from sandbox.state.snapshot import digest

        self._refuse_broken()
        return digest(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the state to a snapshot (.npz); commands that wait are not in it.

        Raises:
            WriteError: it can't be written; a file that stood there is whole.
        """
        from sandbox.state.snapshot import write_snapshot

        self._refuse_broken()
        write_snapshot(self, path)

    @contextmanager
    def _warning(self) -> Iterator[None]:
        """Warn the caller's caller of mods that are stopped and commands that are refused within."""
        faults, queue = self.mods.faults, self.world.resource(CommandQueue)
        known, before = len(faults), queue.refused
        yield
        refused = [] if queue.refused is before else queue.refused
        for told in (*(f"the mod was stopped: {fault.sentence}" for fault in faults[known:]), *refused):
            warnings.warn(told, SandboxWarning, stacklevel=4)

    def close(self) -> None:
        """Forget the world."""
        self.world.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
