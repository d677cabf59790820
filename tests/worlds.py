"""Small worlds of systems and components alone: no scene, no program around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from components.store.entities import made_of
from components.store.prefab import Prefab
from components.store.table import EntityTable
from components.store.world import World
from systems.engine.app import Install, installed
from systems.engine.measures import Measures
from systems.engine.pipeline import Pipeline
from systems.engine.settings import Settings
from systems.engine.system import Phase
from systems.flocking import flocking, spatial_hash
from systems.life import feeding, lifecycle, metabolism
from systems.measure import anisotropy, correlation, flocks, nearest_neighbour, order, population, tally, widths
from systems.move import bounce, movement, wrap
from systems.sense import food_index, remember
from systems.steer import containment, hunger

FLOCKING = (remember.install, spatial_hash.install, flocking.install)
MOVING = (*FLOCKING, containment.install, movement.install, bounce.install, wrap.install)
OF_FLOCKS = order.install, correlation.install, anisotropy.install, widths.install
MEASURING = (*MOVING, *OF_FLOCKS, population.install, tally.install, flocks.install, nearest_neighbour.install)
FEEDING = (food_index.install, feeding.install)
LIVING = (*MOVING, food_index.install, hunger.install, feeding.install, metabolism.install, lifecycle.install)


def world_of(
    parts: Iterable[Install], settings: Settings | None = None, prefabs: Iterable[str] = ("boid",), seed: int = 0
) -> World:
    """An empty world in which these parts are installed; its prefabs have every component those bring."""
    app = installed(parts)
    bundle: dict[str, dict[str, float]] = {component.__name__: {} for component in app.components}
    settings = settings or Settings()
    world = World(seed=seed, prefabs={name: Prefab(name, bundle) for name in prefabs}, table=EntityTable(settings.axes))
    for component in app.components:
        world.table.declare(component)
    world.resources |= {kind: kind() for kind in app.resources}
    world.resources |= {Settings: settings, Measures: Measures()}
    world.resources[Pipeline] = Pipeline(world, [kind() for kind in app.systems])
    return world


def populated(
    parts: Iterable[Install],
    settings: Settings,
    values: Mapping[str, ArrayLike],
    kind: ArrayLike | None = None,
    shuffle: np.random.Generator | None = None,
) -> World:
    """A world with one boid for each element of `values["Position.x"]`, of prefab `kind`; rows shuffled if asked."""
    count = len(np.atleast_1d(values["Position.x"]))
    kinds = np.zeros(count, int) if kind is None else np.asarray(kind)
    world = world_of(parts, settings, [f"kind{n}" for n in range(int(kinds.max(initial=0)) + 1)])
    for n in np.unique(kinds):
        own = {key: np.broadcast_to(value, count)[kinds == n] for key, value in values.items()}
        world.spawn(f"kind{n}", int((kinds == n).sum()), own)
    if shuffle is not None:
        world.table.reorder(shuffle.permutation(count))
    return world


def bring(
    world: World, prefab: str, serials: ArrayLike, components: Iterable[type], values: Mapping[str, ArrayLike]
) -> None:
    """Let entities of a prefab enter a world, with these serials, exactly these components, and these values."""
    index, records = world.prefab_index(prefab), {component: world.table.default(component) for component in components}
    world.bring(made_of(world.table, world.prefabs.values(), index, np.asarray(serials, np.int64), records, values))


def columns(world: World) -> dict[str, np.ndarray]:
    """Copies of all columns, of the living only, with `serial` and `prefab`."""
    table = world.table
    found = {key: column[: table.size].copy() for key, column in table.columns.items()}
    return found | {"serial": table.serial[: table.size].copy(), "prefab": table.prefab[: table.size].copy()}


def run(world: World, *phases: Phase) -> None:
    """Run these phases once, as a tick would."""
    world.resource(Pipeline).run(world, phases)


def run_system(world: World, name: str) -> None:
    """Run one system alone."""
    world.enter()
    world.resource(Pipeline).by_name[name].process(world)


def accelerations(world: World) -> np.ndarray:
    """What steering adds from here, float32 (n, 2) or (n, 3), by row."""
    run(world, Phase.SENSE, Phase.STEER)
    table = world.table
    return table.stacked("Motion.acceleration", np.arange(table.size))
