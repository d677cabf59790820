"""A small world to run mods in, and digests of what it is after each tick."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from components.store.fields import FLAT
from components.store.prefab import Prefab
from components.store.savepoint import Savepoint
from sandbox.design.field_rules import broken_rule
from sandbox.design.prefabs import brought_names, component_defaults, installed_prefabs
from sandbox.design.scene import Entry, Scene
from sandbox.files.state.meta import canonical
from sandbox.files.state.state import arrays_of
from sandbox.mods.load.loaded_mods import LoadedMods
from sandbox.simulation import Simulation
from systems.engine.measures import Measures
from systems.engine.settings import Settings
from systems.engine.system import Phase

MANY, FEW = 60, 8
OTHERS = ("predator", "obstacle", "food")  # built-in prefabs besides boids
ALL = "boid with all that is new"

Digests = dict[str, bytes]  # the digest of each column by its name


def small_scene(mods: LoadedMods, axes: str = FLAT) -> Scene:
    """Return a scene with plain boids, some entities of each prefab of these mods, and boids with all components.

    Args:
        axes: those of its world.
    """
    app = mods.assembly.app
    prefabs = installed_prefabs(app)
    new = [component.__name__ for brought in mods.assembly.parts.values() for component in brought.components]
    boid = prefabs["boid"].components
    prefabs[ALL] = Prefab(ALL, {**{name: component_defaults(app, name) for name in new}, **boid})
    some = [_some(prefabs[name]) for name in (*OTHERS, *brought_names(app), ALL)]
    on_torus = not any(broken_rule("wrap", prefab.components, prefab.values()) for prefab in prefabs.values())
    edges = "wrap" if on_torus else "turn"
    settings = Settings(width=600, height=400, edges=edges, depth=0 if axes == FLAT else 300)
    entries = [Entry("boid", MANY), *some]
    return Scene("check", seed=1, settings=settings, prefabs=prefabs, entries=entries, loaded=mods.loaded)


def _some(prefab: Prefab) -> Entry:
    if "Wall" in prefab.components:
        return Entry(prefab.name, points=((100, 100), (200, 120), (150, 250)), closed=True)
    return Entry(prefab.name, FEW)


def digests_by_tick(
    simulation: Simulation,
    until: int,
    after_each: Callable[[], object],
    before_each: Callable[[], object] = lambda: None,
) -> dict[int, Digests]:
    """Run the world to the tick `until`; return the digests of its state and measures after each tick."""
    measures = simulation.world.resource(Measures)
    measures.wanted = simulation.pipeline.by_name
    found: dict[int, Digests] = {}
    while simulation.tick < until:
        before_each()
        try:
            simulation.step()
        except Exception:
            if simulation.mods.faults:  # what was changed by force made other systems fail
                return found
            raise
        digests = {
            name: _digest(array.tobytes()) for name, array in arrays_of(Savepoint.take(simulation.world)).items()
        }
        rest = canonical(simulation.world, prefabs=simulation.tick % 10 == 0)  # prefabs are slow, and seldom change
        measured = repr(sorted(measures.values.items())).encode()
        found[simulation.tick] = digests | {"resources and parameters": _digest(rest), "measures": _digest(measured)}
        after_each()
    simulation.pipeline.run(simulation.world, [Phase.RENDER])
    return found


def difference(one: dict[int, Digests], other: dict[int, Digests]) -> str:
    """Return the first tick after which two worlds differ, and the columns, in words; empty if they are equal."""
    for tick in sorted(one.keys() & other.keys()):
        a, b = one[tick], other[tick]
        if names := sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name)):
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            return f"from tick {tick} on ({', '.join(names[:3])}{more})"
    return ""


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
