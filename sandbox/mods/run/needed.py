"""Which mods a world needs: without them what it holds would mean nothing."""

from __future__ import annotations

from collections.abc import Mapping

from components.store.fields import Kind
from components.store.prefab import Prefab
from components.store.world import World
from sandbox.design.prefabs import Brought
from sandbox.mods.find.versions import Requirement
from sandbox.mods.run.host import ModHost
from sandbox.undo.settings import needed_by_the_living
from systems.engine.app import App
from systems.engine.pipeline import Pipeline


def mods_of(world: World, scene: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The mods that a file of this world must name: those its scene named, and those required that it needs now."""
    named = {key: list(names) for key, names in scene.items()}
    known = {Requirement.read(name).id for name in named.get("required", ())}
    host = world.resource(ModHost)
    owners = {owner for prefab in needed_prefabs(world) for owner in prefab.components}
    for mod, part in host.parts.items():
        if mod not in known and _is_used(world, part, owners):
            named.setdefault("required", []).append(f"{mod} >= {host.mods[mod].manifest.version}")
    return named


def needed_prefabs(world: World) -> list[Prefab]:
    """The world's prefabs but for the last ones that are as mods brought them, and that nobody is of or names."""
    brought, table = world.resource(Brought), world.table
    prefabs = list(world.prefabs.values())
    if not brought:
        return prefabs
    needed = needed_by_the_living(world)
    for key, value in (pair for prefab in prefabs for pair in prefab.values().items()):
        if table.field(key).kind is Kind.PREFABS:
            needed |= int(value)
    while prefabs and brought.get(prefabs[-1].name) == prefabs[-1] and not needed >> len(prefabs) - 1 & 1:
        prefabs.pop()
    return prefabs


def _is_used(world: World, part: App, owners: set[str]) -> bool:
    """Whether someone has one of its components, a prefab does, or something of it is not as it began."""
    table = world.table
    if any(component.__name__ in owners or len(table.rows(component)) for component in part.components):
        return True
    for kind in part.resources:
        if world.resource(kind).stored != kind().stored:
            return True
    systems = world.resource(Pipeline).by_name
    return any(
        not systems[kind.name].enabled
        or any(getattr(systems[kind.name], name) != f.default for name, f in kind.parameters.items())
        for kind in part.systems
    )
