"""Finds out which mods a world needs, so that a scene or snapshot of it can name them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from components.look import OUTLINES, SHAPES, Look
from components.store.fields import Kind
from components.store.prefab import Prefab
from components.store.world import World
from sandbox.design.prefabs import Brought
from sandbox.mods.find.versions import Requirement
from sandbox.mods.run.host import ModHost
from sandbox.undo.world_values import needed_by_the_living
from systems.engine.app import App
from systems.engine.pipeline import Pipeline


def mods_of(world: World, scene: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the mods that a file of this world must name: those of its scene, and as required those in use now."""
    named = {key: list(names) for key, names in scene.items()}
    known = {Requirement(name).id for name in named.get("required", ())}
    host = world.resource(ModHost)
    owners = {owner for prefab in needed_prefabs(world) for owner in prefab.components}
    shapes = shown_shapes(world)
    for mod, own in host.parts.items():
        if mod not in known and _is_used(world, own, owners, shapes):
            named.setdefault("required", []).append(f"{mod} >= {host.mods[mod].manifest.version}")
    return named


def needed_prefabs(world: World) -> list[Prefab]:
    """Return the world's prefabs without unused ones of mods at the end: unchanged, without entities, not named."""
    brought, table = world.resource(Brought), world.table
    prefabs = list(world.prefabs.values())
    if not brought:
        return prefabs
    needed = needed_by_the_living(world)
    for key, value in (pair for prefab in prefabs for pair in prefab.values().items()):
        if key in table.columns and table.field(key).kind is Kind.PREFABS:  # a flat world lacks those of depth
            needed |= int(value)
    while prefabs and brought.get(prefabs[-1].name) == prefabs[-1] and not needed >> len(prefabs) - 1 & 1:
        prefabs.pop()
    return prefabs


def shown_shapes(world: World) -> dict[str, int]:
    """Return the names and numbers of mods' shapes that entities or needed prefabs have."""
    if not OUTLINES:
        return {}
    used = {*np.unique(world.table.columns["Look.shape"][world.table.rows(Look)]).tolist()}
    used |= {prefab.values().get("Look.shape") for prefab in needed_prefabs(world)}
    return {name: number for name in sorted(OUTLINES) if (number := SHAPES.index(name)) in used}


def _is_used(world: World, own: App, owners: set[str], shapes: Mapping[str, int]) -> bool:
    """Return whether an entity or prefab has a component or shape of the mod, or a value of the mod was changed."""
    table = world.table
    if not {name for name, _ in own.shapes}.isdisjoint(shapes):
        return True
    if any(component.__name__ in owners or len(table.rows(component)) for component in own.components):
        return True
    for kind in own.resources:
        if world.resource(kind).stored != kind().stored:
            return True
    systems = world.resource(Pipeline).by_name
    return any(
        not systems[kind.name].enabled
        or any(systems[kind.name].stored[name] != f.default for name, f in kind.parameters.items())
        for kind in own.systems
    )
