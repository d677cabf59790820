"""What is drawn of a world at one moment; any thread can make it, and the painter draws it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from components.store.world import World
from sandbox.app.drawing.backdrops import BackdropValues, backdrop_values
from sandbox.design.kept_tables import Tables
from sandbox.design.pictures import Pictures
from sandbox.design.scene import Scene
from sandbox.edit.queue import CommandQueue
from sandbox.render.animals import Drawing
from sandbox.render.room import Room
from sandbox.render.scenery import Forms, Landscape
from sandbox.render.seen import Collected, Region, seen
from sandbox.simulation import Simulation
from systems.engine.settings import Settings
from systems.engine.system import Phase


@dataclass(frozen=True, eq=False)
class Rendered:
    """What is drawn of a world.

    Attributes:
        mark: equal as long as the world looks the same, see `mark_of`.
        size: of the world, u: two numbers, or three if it has depth.
        torus: its size, u, if it is one; else zeros.
        up: the axis that points up, "y" or "z"; "" in flat worlds.
        bounces: whether edges are walls.
        forms: the scenery, FORM; of a world with depth, SOLID.
        pictures, folder: the world's own pictures, and where their files are.
        collected: the animals in a region, if they were collected already.
    """

    mark: tuple[object, ...]
    tick: int
    tick_rate: int
    size: tuple[float, ...]
    torus: tuple[float, ...]
    up: str
    bounces: bool
    backdrop: BackdropValues
    drawing: Drawing
    forms: Forms
    pictures: Tables
    folder: Path | None
    collected: Collected | None = None

    @classmethod
    def of(cls, simulation: Simulation, world: World, colouring: str = "") -> Rendered:
        """Run the phase RENDER, and return its results.

        Args:
            world: that of the simulation, or a copy of it.
            colouring: one of TINTS, which overrides the colouring of the world; "": no override.
        """
        simulation.pipeline.run(world, [Phase.RENDER])
        drawing = world.resource(Drawing)
        if colouring:
            drawing = world.resources[Drawing] = drawing.coloured_by(colouring, world)
        settings = world.resource(Settings)
        return cls(
            mark_of(simulation, world, colouring),
            world.tick,
            settings.tick_rate,
            settings.size,
            settings.torus or (0.0,) * len(settings.size),
            settings.up,
            settings.edges == "bounce",
            backdrop_values(world),
            drawing,
            world.resource(Landscape).forms,
            world.resource(Pictures).kept,
            world.resource(Scene).folder,
        )

    def collecting(self, region: Region, room: Room) -> Rendered:
        """Return the same with the animals in a region, which belong to `room`."""
        return replace(self, collected=Collected(region, seen(self.drawing, region, room)))


def mark_of(simulation: Simulation, world: World, colouring: str) -> tuple[object, ...]:
    """Return what is equal as long as what is drawn of a world stays the same."""
    table, commands = world.table, world.resource(CommandQueue).count
    return simulation, world.tick, commands, colouring, table.clocks(), tuple(table.value_clocks.values())
