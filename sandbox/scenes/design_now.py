"""The design of a running world: its prefabs, systems and settings as they are, and who stands where."""

from __future__ import annotations

from sandbox.design.kept import KEPT
from sandbox.design.origins import Origins
from sandbox.design.resource_tables import shown_world
from sandbox.mods.run.needed import mods_of
from sandbox.scenes.design import Design, shown_prefab, shown_resources, shown_system
from sandbox.scenes.spawns_now import spawns_now
from sandbox.simulation import Simulation
from systems.engine.settings import Settings


def design_now(simulation: Simulation) -> tuple[Design, list[int | None]]:
    """The design, and for each of its spawns which of the scene's entries it comes from; None: from none."""
    world, scene = simulation.world, simulation.scene
    spawns, names = spawns_now(simulation), tuple(world.prefabs)
    systems = {}
    for system in simulation.pipeline.systems:
        values = {name: getattr(system, name) for name in system.parameters}
        systems[system.name] = shown_system(system, {"enabled": system.enabled, **values})
    design = Design(
        name=scene.name,
        description=scene.description,
        seed=world.seed,
        world=shown_world(world.resource(Settings)),
        prefabs={name: shown_prefab(prefab, world.table.components, names) for name, prefab in world.prefabs.items()},
        spawns=[table for _, table in spawns],
        systems=systems,
        resources=shown_resources(world.declared, world.resource(Origins).resources, names),
        tables={table: kind.now(world) for table, kind in KEPT.items()},
        mods=mods_of(simulation.world, simulation.scene.mods),
        kept=scene.kept,
    )
    return design, [origin for origin, _ in spawns]


def renamed(simulation: Simulation) -> dict[str, str]:
    """What the scene's prefabs are called now, by their names in the scene: each keeps its place."""
    return dict(zip(simulation.scene.prefabs, simulation.world.prefabs))
