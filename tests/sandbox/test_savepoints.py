"""A world that goes back to a savepoint goes on as it did, whatever was done to it in between."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest

import sandbox
from components.store.savepoint import Savepoint
from sandbox.design.scene import Entry, Scene
from sandbox.edit import Redo, Undo
from sandbox.scenes.bundled import bundled_scenes
from sandbox.simulation import Simulation
from tests.bundled import LARGE, MODS, opened
from tests.components.test_savepoint import held
from tests.edits import random_edit
from tests.memory import resident
from tests.sandbox.test_same_everywhere import every_kind

Make = Callable[[], Simulation]
SCENES: dict[str, Make] = {
    "every kind": lambda: Simulation(every_kind()),
    **{path.stem: lambda path=path: sandbox.load(path) for path in bundled_scenes()},  # type: ignore[misc]
    **{
        f"{path.parts[-3]}/{path.stem}": lambda path=path: opened(path.parts[-3], path.stem)  # type: ignore[misc]
        for path in sorted(MODS.glob("*/scenes/*.toml"))
    },
}


def edits(simulation: Simulation, rng: np.random.Generator) -> None:
    """Some commands and ticks."""
    for _ in range(int(rng.integers(1, 8))):
        chance = rng.random()
        with suppress(ValueError):  # some are refused
            command = Undo() if chance < 0.2 else Redo() if chance < 0.3 else random_edit(simulation, rng)
            simulation.submit(command, bool(rng.random() < 0.2))
        if rng.random() < 0.6:
            simulation.step(int(rng.integers(0, 4)))
    simulation.settle_commands()  # those that wait are no part of the world


def differing_ticks(make: Make, ticks: int, times: int) -> list[int]:
    """The ticks at which a world was another one than at first.

    It runs with savepoints now and then, each sharing with the one before; then it goes back to some, by chance.
    """
    differing = []
    rng = np.random.default_rng(ticks)
    with make() as simulation:
        world, digests, savepoints = simulation.world, [simulation.digest()], [Savepoint.take(simulation.world)]
        for tick in range(1, ticks + 1):
            simulation.step()
            digests.append(simulation.digest() if tick <= 60 or not tick % 50 else "")
            if digests[tick] and rng.random() < 0.3:
                savepoints.append(Savepoint.take(world, savepoints[-1]))
                assert held(savepoints[-1]) == held(Savepoint.take(world))
        for _ in range(times):
            savepoint = savepoints[int(rng.integers(len(savepoints)))]
            savepoint.restore(world)
            until = min(savepoint.tick + int(rng.integers(1, max(ticks // 3, 2))), ticks)
            while True:
                if digests[simulation.tick] not in ("", simulation.digest()):
                    differing.append(simulation.tick)
                if simulation.tick >= until:
                    break
                simulation.step()
            edits(simulation, rng)
    return differing


@pytest.mark.parametrize("scene", [name for name in SCENES if name not in LARGE])
def test_every_scene_goes_on_from_a_savepoint_as_it_did(scene: str) -> None:
    assert differing_ticks(SCENES[scene], 15, 4) == []


@pytest.mark.verify
@pytest.mark.parametrize("scene", [name for name in SCENES if name not in LARGE])
def test_every_scene_goes_on_from_a_savepoint_as_it_did_for_long(scene: str) -> None:
    assert differing_ticks(SCENES[scene], 3000, 12) == []


@pytest.mark.verify
@pytest.mark.parametrize("scene", LARGE)
def test_a_large_scene_goes_on_from_a_savepoint_as_it_did(scene: str) -> None:
    assert differing_ticks(SCENES[scene], 40, 5) == []


def test_whatever_is_done_to_a_world_records_that_are_shared_are_those_it_has() -> None:
    """Nobody who writes forgets to say so: neither systems nor commands, undo nor explain."""
    rng = np.random.default_rng(5)
    with Simulation(every_kind()) as simulation:
        savepoint = Savepoint.take(simulation.world)
        for _ in range(60):
            edits(simulation, rng)
            savepoint = Savepoint.take(simulation.world, savepoint)
            assert held(savepoint) == held(Savepoint.take(simulation.world))


def test_a_savepoint_goes_into_a_world_made_anew() -> None:
    with Simulation(every_kind()) as simulation, Simulation(every_kind(), populate=False) as other:
        simulation.step(40)
        Savepoint.take(simulation.world).restore(other.world)
        assert other.digest() == simulation.digest()
        for each in (simulation, other):
            each.step(20)
        assert other.digest() == simulation.digest()


@pytest.mark.parametrize("count", [150, pytest.param(100_000, marks=pytest.mark.verify)])
@pytest.mark.timeout(3600)
def test_worlds_that_were_opened_and_dropped_leave_no_memory_behind(count: int) -> None:
    scene = Scene(prefabs=every_kind().prefabs, entries=[Entry("boid", 5), Entry("food", 3)])

    def open_and_drop(times: int) -> None:
        for _ in range(times):
            simulation = Simulation(scene)
            savepoint = Savepoint.take(simulation.world)
            simulation.world.despawn([2])
            savepoint.restore(simulation.world)

    open_and_drop(50)
    before = resident()
    open_and_drop(count)
    assert resident() - before < 4 << 20
