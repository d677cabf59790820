"""The design of a running world: its prefabs, systems and settings as they are, and who stands where."""

from __future__ import annotations

from dataclasses import replace

from sandbox.design.kept import KEPT
from sandbox.design.origins import Origins
from sandbox.mods.run.needed import mods_of
from sandbox.scenes.design import Design, design_of
from sandbox.scenes.spawns_now import spawns_now
from sandbox.simulation import Simulation
from systems.engine.settings import Settings


def design_now(simulation: Simulation) -> tuple[Design, list[int | None]]:
    """The design, and for each of its spawns which of the scene's entries it comes from; None: from none."""
    world, spawns = simulation.world, spawns_now(simulation)
    scene = replace(
        simulation.scene,
        seed=world.seed,
        settings=world.resource(Settings),
        prefabs=world.prefabs,
        entries=[],
        systems={system.name: system.stored for system in simulation.pipeline.systems},
        resources={name: {**columns} for name, columns in world.resource(Origins).resources.items()},
        mods=mods_of(world, simulation.scene.mods),
    )
    design = design_of(scene, simulation.mods.assembly.app)
    design.spawns = [table for _, table in spawns]
    design.tables = {table: kind.now(world) for table, kind in KEPT.items()}
    return design, [origin for origin, _ in spawns]


def renamed(simulation: Simulation) -> dict[str, str]:
    """What the scene's prefabs are called now, by their names in the scene: each keeps its place."""
    return dict(zip(simulation.scene.prefabs, simulation.world.prefabs))
