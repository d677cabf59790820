"""Explain tells what the tick does: the same numbers, and nothing is changed by asking."""

from __future__ import annotations

import numpy as np
import pytest

import sandbox
from components.motion import Motion
from components.store.declare import integer
from components.store.resources import resource
from components.store.world import World
from sandbox.design.scene import Entry, Scene
from sandbox.edit import SetEnabled
from sandbox.explain.explanation import Explanation, Moved, explain
from sandbox.parts import BUILT_IN
from sandbox.simulation import Simulation
from systems.engine.app import installed
from systems.engine.settings import EDGES, Settings
from systems.engine.system import Phase, System
from tests.sandbox.test_same_everywhere import every_kind

MANY = 20  # explained in a test
PREFABS = every_kind().prefabs


deep = pytest.mark.parametrize("depth", [None, 300])  # u


@deep
@pytest.mark.parametrize("scene", ["ronan", "scarf", "birb", "quelea", "pallas"])
def test_the_sum_is_the_acceleration_of_the_tick(scene: str, depth: float | None) -> None:
    with sandbox.load(scene, seed=5, depth=depth) as simulation:
        simulation.step(40)
        told = explained(simulation, movers(simulation)[::37])
        simulation.step()
        for why in told:
            used = vector(simulation, "Motion.acceleration", why.serial)
            assert why.acceleration == used
            parts = np.sum(list(why.rules.values()), axis=0)
            assert np.allclose(parts, used, atol=1e-3 * (np.linalg.norm(used) + 1))


@deep
@pytest.mark.parametrize(
    "scene", ["murmuration", "hunters", "reef", "pasture", "maze", "crossing", "storm", "spaceships"]
)
def test_the_move_is_that_of_the_tick_to_the_last_bit(scene: str, depth: float | None) -> None:
    with sandbox.load(scene, seed=5, depth=depth) as simulation:
        for _ in range(3):
            simulation.step(40)
            chosen = movers(simulation)
            told = explained(simulation, chosen[:: max(len(chosen) // MANY, 1)])
            assert compared(simulation, told) > len(told) * 0.8  # the others have died


@pytest.mark.parametrize("edges", EDGES)
def test_the_move_is_that_of_the_tick_at_every_edge(edges: str) -> None:
    """A small world full of fast ones, with rocks and a wall in it: someone always meets something."""
    met: set[str] = set()
    with Simulation(crowded(edges)) as simulation:
        for _ in range(6):
            simulation.step(10)
            told = explained(simulation, movers(simulation))
            met |= {name for why in told for name in why.moves}
            assert compared(simulation, told) == len(told)
    assert met == {"movement", "collision"} | ({edges} & {"wrap", "bounce"})


def test_each_step_of_the_move_begins_where_the_one_before_ended() -> None:
    with Simulation(crowded("wrap")) as simulation:
        simulation.step(10)
        for why in explained(simulation, movers(simulation)):
            assert list(why.moves.values())[-1:] == [why.after] or not why.moves
            assert list(why.moves) == [name for name in ("movement", "collision", "wrap") if name in why.moves]


@pytest.mark.parametrize("scene", ["ronan", "pasture", "maze"])
def test_asking_changes_nothing(scene: str) -> None:
    with sandbox.load(scene, seed=2) as asked, sandbox.load(scene, seed=2) as left:
        for _ in range(10):
            asked.step()
            left.step()
            before, transient, time = asked.digest(), scratch(asked), spent(asked)
            explained(asked, movers(asked)[:3])
            assert asked.digest() == before == left.digest()
            assert scratch(asked) == transient
            assert spent(asked) == time


def test_each_rule_names_whom_it_counts() -> None:
    with Simulation(three_in_a_row()) as simulation:
        why = explain(simulation, 1)
        assert why.counted == {"separation": [2], "alignment": [2, 3], "cohesion": [2, 3]}
        assert why.neighbours == [2, 3]


def test_a_system_that_is_off_gives_nothing() -> None:
    with Simulation(three_in_a_row()) as simulation:
        simulation.submit(SetEnabled("flocking", False))
        simulation.settle_commands()
        why = explain(simulation, 1)
        assert not set(why.rules) & {"separation", "alignment", "cohesion"}
        assert compared(simulation, [why]) == 1


@resource
class Season:
    """What a mod may keep of its own."""

    runs: int = integer(0, "", 0, 1000, "how often it was asked")


class Meddling(System):
    """Does in STEER all that it should leave alone, and says what it writes."""

    phase = Phase.STEER
    after = tuple(system.name for system in installed(BUILT_IN).systems)
    writes = ("Velocity.y", Season)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        table = world.table
        table.columns["Velocity.y"][: table.size] += 1
        table.columns["Motion.acceleration.x"][table.rows(Motion)] += 10
        world.resource(Season).runs += 1
        world.spawn("boid")
        world.despawn([1])


def test_what_a_mod_does_in_a_tick_is_put_back_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.mods.load.assembly.BUILT_IN", (*BUILT_IN, lambda app: app.add_system(Meddling)))
    with Simulation(Scene(prefabs=PREFABS, entries=[Entry("boid", 20)])) as simulation:
        world = simulation.world
        world.resources[Season] = Season()
        before, next_serial = simulation.digest(), world.next_serial
        why = explain(simulation, 2)
        assert why.rules["meddling"] == (10, 0)
        assert (simulation.digest(), world.next_serial, world.table.size) == (before, next_serial, 20)
        assert world.resource(Season).runs == 0
        simulation.step()
        assert vector(simulation, "Position", 2) == why.after.position


def test_the_json_has_the_steering_alone() -> None:
    with sandbox.load("ronan") as simulation:
        names = {"serial", "position", "velocity", "neighbours", "rules", "acceleration"}
        assert set(explain(simulation, 17).as_json()) == names


def test_who_is_not_there_can_not_be_explained() -> None:
    with sandbox.load("ronan") as simulation, pytest.raises(ValueError, match="there is no entity 5000"):
        explain(simulation, 5000)
    with sandbox.new() as empty, pytest.raises(ValueError, match="no entity 1; the world is empty"):
        explain(empty, 1)


def test_what_stands_can_not_be_explained() -> None:
    with sandbox.load("quelea") as simulation, pytest.raises(ValueError, match="does not move"):
        explain(simulation, 501)


@pytest.mark.parametrize("edges", EDGES)
def test_all_kinds_together_are_explained(edges: str) -> None:
    scene = every_kind()
    scene.settings.edges = edges
    with Simulation(scene) as simulation:
        simulation.step(30)
        told = explained(simulation, movers(simulation)[::3])
        assert compared(simulation, told) > 0.8 * len(told)
        asked = {name for why in told for name, rule in why.rules.items() if np.hypot(*rule) > 1}
        assert {"wind", "leading", "goals", "wander"} <= asked


def crowded(edges: str) -> Scene:
    settings = Settings(160, 120, edges, margin=10, acceleration=300)
    entries = [
        Entry("boid", 40, speed=(120, 150), values={"Avoidance.strength": 0.0}),
        Entry("obstacle", at=(40, 40), values={"Obstacle.radius": 12.0}),
        Entry("obstacle", at=(110, 80), values={"Obstacle.radius": 18.0}),
        Entry("wall", points=((20, 90), (70, 100))),
    ]
    return Scene(seed=3, settings=settings, prefabs=PREFABS, entries=entries)


def three_in_a_row() -> Scene:
    """Near, farther and too far ahead of the first, all flying to the right."""
    places = [(100, 100), (115, 100), (140, 100), (300, 100)]
    return Scene(prefabs=PREFABS, entries=[Entry("boid", at=place, velocity=(100, 0)) for place in places])


def movers(simulation: Simulation) -> list[int]:
    """The serials of all who can move, ascending."""
    table = simulation.world.table
    names = [table.components[name] for name in ("Position", "Velocity", "Motion")]
    return sorted(table.serial[table.rows(*names)].tolist())


def explained(simulation: Simulation, serials: list[int]) -> list[Explanation]:
    return [explain(simulation, serial) for serial in serials]


def compared(simulation: Simulation, told: list[Explanation]) -> int:
    """Step once; of those who still live everything is as explained. Returns how many they are."""
    simulation.step()
    table, living = simulation.world.table, 0
    for why in told:
        if table.rows_of(np.array([why.serial]))[0] >= 0:
            living += 1
            assert (
                Moved(vector(simulation, "Position", why.serial), vector(simulation, "Velocity", why.serial))
                == why.after
            )
    return living


def vector(simulation: Simulation, key: str, serial: int) -> tuple[float, ...]:
    table = simulation.world.table
    row = int(table.rows_of(np.array([serial]))[0])
    return tuple(float(column[row]) for column in table.vectors(key))


def scratch(simulation: Simulation) -> list[bytes]:
    table = simulation.world.table
    keys = [key for key in table.columns if key.startswith(("Position.previous", "Motion.acceleration"))]
    return [table.columns[key][: table.size].tobytes() for key in keys]


def spent(simulation: Simulation) -> list[int]:
    return [system.nanoseconds for system in simulation.pipeline.systems]
