"""Moving and pasting: round a torus, together up to an edge, with the whole state, into other worlds."""

from __future__ import annotations

import numpy as np
import pytest

from components.store.entities import Entities
from components.store.prefab import Prefab
from sandbox.design.origins import Origins
from sandbox.design.scene import Entry, Scene
from sandbox.edit import Despawn, Move, Paste, SetField, copy_of
from sandbox.simulation import Simulation
from systems.engine.settings import Settings
from tests.edits import do

BOID = {"Position": {}, "Velocity": {}, "Motion": {}, "Perception": {}, "Flocker": {}, "Look": {}}
PREFABS = {"boid": BOID, "wall": {"Wall": {}}, "wolf": {**BOID, "Predator": {}}}
THREE = [Entry("boid", at=(100, 100)), Entry("boid", at=(480, 380)), Entry("wall", points=((200, 200), (260, 210)))]


def world(entries: list[Entry], edges: str = "wrap", order: tuple[str, ...] = tuple(PREFABS)) -> Simulation:
    prefabs = {name: Prefab(name, PREFABS[name]) for name in order}
    return Simulation(Scene(settings=Settings(500, 400, edges), prefabs=prefabs, entries=entries))


def of(simulation: Simulation, serial: int, *keys: str) -> list[float]:
    table = simulation.world.table
    return [float(table.columns[key][table.rows_of(np.array([serial]))[0]]) for key in keys]


def place(simulation: Simulation, serial: int) -> list[float]:
    return of(simulation, serial, "Position.x", "Position.y")


def ends(simulation: Simulation, serial: int) -> list[float]:
    return of(simulation, serial, "Wall.ax", "Wall.ay", "Wall.bx", "Wall.by")


def test_on_a_torus_things_and_walls_go_round() -> None:
    with world(THREE) as simulation:
        do(simulation, Move((1, 2, 3), 50, 60))
        assert [place(simulation, 1), place(simulation, 2)] == [[150, 160], [30, 40]]
        assert ends(simulation, 3) == [250, 260, 310, 270]
        do(simulation, Move((3,), 400, 0))
        assert ends(simulation, 3) == [150, 260, 210, 270]


@pytest.mark.parametrize("edges", ["turn", "bounce"])
def test_within_edges_they_stay_together_and_stop_where_the_first_meets_one(edges: str) -> None:
    with world(THREE, edges) as simulation:
        do(simulation, Move((1, 2, 3), 50, 60))
        assert [place(simulation, 1), place(simulation, 2)] == [[120, 120], [500, 400]]
        assert ends(simulation, 3) == [220, 220, 280, 230]
        do(simulation, Move((1, 2, 3), -1000, 0))
        assert [place(simulation, 1), place(simulation, 2)] == [[0, 120], [380, 400]]


def test_in_an_open_world_nothing_holds_them() -> None:
    with world(THREE, "open") as simulation:
        do(simulation, Move((1, 2), -1000, 6000))
        assert place(simulation, 1) == [-900, 6100]


def test_who_is_moved_is_drawn_there_at_once() -> None:
    with world(THREE) as simulation:
        do(simulation, Move((1,), 50, 0), SetField("Position.x", 490, serials=(2,)))
        assert of(simulation, 1, "Position.previous.x") == [150]
        assert of(simulation, 2, "Position.previous.x") == [490]


def test_who_is_moved_pasted_or_edited_alone_counts_as_edited_alone() -> None:
    with world([Entry("boid", 20)]) as simulation:
        do(simulation, Move((3,), 5, 0), SetField("Look.size", 9, serials=(5, 6)), SetField("Look.size", 8))
        do(simulation, Paste(copy_of(simulation.world, (1, 2)), 5, 5), Despawn((9,)))
        assert simulation.world.resource(Origins).edited_alone == (3, 5, 6, 21, 22)


def test_a_field_is_set_of_all_that_are_named_and_live() -> None:
    with world([Entry("boid", 20)]) as simulation:
        do(simulation, Despawn((3,)), SetField("Look.size", 9, serials=(1, 3, 5, 5)))
        sizes = [of(simulation, serial, "Look.size")[0] for serial in (1, 2, 5)]
        assert sizes == [9, 5, 9]
        assert simulation.world.prefabs["boid"].components["Look"] == {}


def test_a_copy_has_the_whole_state_and_a_serial_of_its_own() -> None:
    with world([Entry("boid", 30), Entry("wolf", 2)]) as simulation:
        do(simulation, SetField("Flocker.cohesion_strength", 9, serials=(7,)), SetField("Look.size", 3, serials=(31,)))
        simulation.step(10)
        copied = copy_of(simulation.world, (31, 7, 7, 900))
        state = [of(simulation, 7, *KEYS), of(simulation, 31, *KEYS)]
        simulation.step(10)
        do(simulation, Paste(copied, 0, 0))
        assert simulation.world.next_serial == 35
        assert [of(simulation, 33, *KEYS), of(simulation, 34, *KEYS)] == state
        assert simulation.populations() == {"boid": 31, "wolf": 3}


KEYS = ("Position.x", "Position.y", "Velocity.x", "Velocity.y", "Flocker.cohesion_strength", "Look.size")


def test_the_walls_of_a_group_have_another_one_together() -> None:
    triangle = Entry("wall", points=((10, 10), (60, 10), (30, 50)), closed=True)
    with world([triangle, Entry("wall", points=((100, 100), (200, 100)))]) as simulation:
        do(simulation, Paste(copy_of(simulation.world, (1, 2, 3, 4)), 100, 100))
        groups = [of(simulation, serial, "Wall.group")[0] for serial in range(1, 9)]
        assert len(set(groups[4:7])) == 1
        assert len({groups[0], groups[3], groups[4], groups[7]}) == 4
        assert ends(simulation, 5) == [110, 110, 160, 110]


def test_a_paste_into_another_world_goes_by_the_names_of_prefabs() -> None:
    with world([Entry("boid", 2), Entry("wolf", 1, at=(450, 10))]) as simulation:
        do(simulation, SetField("Predator.hunts", ["boid", "wall"], serials=(3,)))
        copied = copy_of(simulation.world, (1, 3))
    with world([], "bounce", ("wolf", "boid")) as other:
        do(other, Paste(copied, 100, 0))
        assert other.populations() == {"wolf": 1, "boid": 1}
        assert of(other, 2, "Predator.hunts") == [0b10]
        assert place(other, 2) == [500, 10]
    with world([], order=("wall",)) as other, pytest.raises(ValueError, match="there is no prefab"):
        other.submit(Paste(copied))


@pytest.mark.parametrize("edges", ["wrap", "turn", "bounce"])
def test_what_comes_from_a_larger_world_is_brought_inside(edges: str) -> None:
    with world([Entry("boid", 50)], "open") as simulation:
        do(simulation, *(Move((serial,), 40.0 * serial, -30.0 * serial) for serial in range(1, 51)))
        copied = copy_of(simulation.world, range(1, 51))
    with world([], edges) as other:
        do(other, Paste(copied))
        x, y = (other.world.table.columns[f"Position.{axis}"][:50] for axis in "xy")
        assert ((x >= 0) & (x <= 500) & (y >= 0) & (y <= 400)).all()
        assert edges != "wrap" or ((x < 500) & (y < 400)).all()


def test_nothing_copied_is_nothing_pasted() -> None:
    with world(THREE) as simulation:
        nobody: Entities = copy_of(simulation.world, (900,))
        before = simulation.digest()
        do(simulation, Paste(nobody, 5, 5))
        assert len(nobody) == 0
        assert simulation.digest() == before
