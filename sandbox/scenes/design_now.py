"""Returns the design of a running world: its present prefabs, systems, settings and entities."""

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
    """Return the design, and for each of its spawns the index of the scene's entry that it comes from, or None."""
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
    """Return the present names of the scene's prefabs by their names in the scene; a prefab keeps its index."""
    return dict(zip(simulation.scene.prefabs, simulation.world.prefabs))
