"""Keyframes: states of a world from which ticks can be run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from components.store.savepoint import Savepoint, lasting_savepoint
from components.store.world import World
from sandbox.design.scene import Scene
from sandbox.edit.queue import CommandQueue
from sandbox.mods.load.loading import LoadedMod
from sandbox.mods.run.host import ModHost
from sandbox.simulation import Simulation
from sandbox.undo.history import History
from sandbox.undo.size import arrays_of
from systems.engine.events import Events


@dataclass(frozen=True, eq=False)
class Keyframe:
    """The state of a simulation at the end of a tick, before the commands of the next one.

    Attributes:
        savepoint: the world's state, see `lasting_savepoint`.
        history: the steps that could be undone.
        commands: the number of commands carried out so far.
        mods: the mods in the world.
    """

    savepoint: Savepoint
    history: History
    commands: int
    scene: Scene
    mods: tuple[LoadedMod, ...]

    @property
    def tick(self) -> int:
        return self.savepoint.tick

    @classmethod
    def take(
        cls, simulation: Simulation, commands: int, before: Keyframe | None = None, world: World | None = None
    ) -> Keyframe:
        """Take the present state.

        Args:
            world: a copy of the simulation's world, read instead of it.
            commands: the number of commands carried out so far.
            before: an earlier keyframe; unchanged arrays are shared with it.
        """
        world = world or simulation.world
        mods = tuple(world.resource(ModHost).mods.values())
        if before is not None and before.commands == commands:
            history = before.history
        else:
            history = world.resource(History).copy()
        savepoint = lasting_savepoint(world, before.savepoint if before else None)
        return cls(savepoint, history, commands, world.resource(Scene), mods)

    def restore(self, simulation: Simulation) -> Simulation:
        """Restore this state; waiting commands are dropped.

        Returns:
            the given simulation, or a new one if its mods differ; then the given one is unchanged.
        """
        if tuple(simulation.mods.mods.values()) != self.mods:
            return self.simulation()
        world = simulation.world
        self.savepoint.restore(world)
        world.resources[History] = self.history.copy()
        world.resource(CommandQueue).waiting.clear()
        world.resource(Events).go_to(self.tick)
        return simulation

    def simulation(self) -> Simulation:
        """Make another simulation in this state."""
        scene = replace(self.scene, loaded=self.mods)
        return self.restore(Simulation(scene, populate=False, axes=self.savepoint.axes))

    def arrays(self) -> Iterator[NDArray[Any]]:
        """Yield all arrays of the keyframe, to measure its memory."""
        return arrays_of(self.savepoint)
