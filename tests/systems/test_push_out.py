"""Whoever is inside something goes to a free place nearby; what an obstacle is put onto is pushed out at once."""

from __future__ import annotations

import gc
import weakref

import numba
import numpy as np
import pytest

from components.guidance import Goal
from components.life import Food
from components.motion import Motion, Position, Velocity
from components.store.prefab import Prefab
from components.store.world import World
from components.terrain import Obstacle, Wall
from sandbox.design.scene import Entry, Scene
from sandbox.edit import Asked, CommandQueue, Despawn, SetField, Spawn
from sandbox.simulation import Simulation
from systems.engine.kernel import kernel
from systems.engine.settings import Settings
from systems.engine.system import Phase, System
from systems.exact.angles import direction
from systems.space.obstacles import AllFree, Obstacles, obstacles_of
from tests.terrain import deepest, gaps, mover_rows, of_movers, scenery, shapes, terrain
from tests.worlds import run

OPEN = Settings(200, 200, "open")
ROOM = 0.5  # u, around a free place


def pushed(places: np.ndarray, circles: object = (), walls: object = (), settings: Settings = OPEN) -> np.ndarray:
    """Where COMMANDS leaves those who were put there."""
    places = np.reshape(places, (-1, 2))
    world = terrain(settings, {"Position.x": places[:, 0], "Position.y": places[:, 1]}, circles, walls)
    run(world, Phase.COMMANDS)
    return of_movers(world, "Position")


@kernel
def nearest_by_search(place, ends, radius, width, height, side):
    """How far it is to free ground, to 0.02 u: along 720 ways, as far at a time as one surely stays inside a shape.

    `side`: free ground lies within a square world of this side; 0: anywhere.
    """
    nearest, there = np.inf, np.empty((1, 2))
    for n in range(720):
        ux, uy = direction(n / 720)
        far = 0.0
        while far < min(nearest, 400):
            there[0, 0], there[0, 1] = place[0] + far * ux, place[1] + far * uy
            if side > 0 and (there.min() < 0 or there.max() > side):
                break
            gap = deepest(there, ends, radius, width, height)
            if gap >= 0:
                nearest = far
            far += max(-gap, 0.02)
    return nearest


def test_out_of_a_circle_by_the_nearest_way():
    assert pushed([104, 103], [[100, 100, 10]])[0] == pytest.approx((108.0, 106.0), abs=0.01)


def test_out_of_a_wall_by_its_nearer_side_and_round_its_end():
    walls = [[50, 100, 150, 100, 20]]
    found = pushed([[70, 103], [70, 97], [153, 104]], (), walls)
    assert found[:2] == pytest.approx(np.array([[70, 110], [70, 90]]), abs=0.01)
    assert found[2] == pytest.approx((156, 108), abs=0.01)


def test_who_is_free_stays_to_the_bit_and_whoever_touches_is_free():
    places = np.array([[110, 100], [100, 110], [5, 5], [110.001, 100]])
    assert np.array_equal(pushed(places, [[100, 100, 10]]), places.astype(np.float32))


def test_from_the_very_middle_they_part_in_all_directions():
    found = pushed(np.full((200, 2), 100.0), [[100, 100, 10]]) - 100
    assert np.hypot(*found.T) == pytest.approx(np.full(200, 10), abs=0.01)
    assert np.abs(found.mean(0)).max() < 1
    sides = pushed(np.full((200, 2), 100.0), (), [[50, 100, 150, 100, 20]])[:, 1] > 100
    assert sides.sum() == 100


@pytest.mark.parametrize("edges", ["open", "wrap", "bounce"])
@pytest.mark.parametrize("seed", range(6))
def test_among_shapes_that_overlap_no_free_place_with_room_around_it_is_nearer(edges, seed):
    rng = np.random.default_rng(seed)
    circles = np.column_stack([rng.uniform(0, 200, (14, 2)), rng.uniform(5, 40, 14)])
    walls = np.column_stack([rng.uniform(0, 200, (8, 2)), rng.uniform(0, 200, (8, 2)), rng.uniform(0.1, 20, 8)])
    walls[:, 2:4] = walls[:, :2] + np.clip(walls[:, 2:4] - walls[:, :2], -90, 90)
    settings, torus = Settings(200, 200, edges), (200.0, 200.0) if edges == "wrap" else None
    side = 200.0 if edges == "bounce" else 0.0
    ends, radius = shapes(circles, walls)
    places = rng.uniform(0, 200, (60, 2)).astype(np.float32).astype(np.float64)
    found = pushed(places, circles, walls, settings)
    assert gaps(found, ends, radius, torus).min() >= 0
    moved = found - places
    if torus:
        moved -= 200 * np.rint(moved / 200)
        assert found.max() < 200
    if edges != "open":
        assert found.min() >= 0
        assert found.max() <= 200
    inside = np.flatnonzero((gaps(places, ends, radius, torus) < 0).any(1))[:25]
    assert len(inside) > 10
    assert np.all(moved[(gaps(places, ends, radius, torus) >= 0).all(1)] == 0)
    found_at = np.hypot(*moved[inside].T)
    size = torus or (0.0, 0.0)
    roomy, nearest = (
        np.array([nearest_by_search(places[n], ends, radius + room, *size, side) for n in inside]) for room in (ROOM, 0)
    )
    assert np.all(found_at <= roomy + 0.03)
    # Only a free place between shapes that almost touch is passed over.
    assert np.mean(found_at <= 1.01 * nearest + 0.03) >= 0.95


def test_out_of_a_heap_of_more_shapes_than_are_looked_at_one_by_one():
    rng = np.random.default_rng(0)
    circles = np.column_stack([rng.normal(100, 10, (300, 2)), rng.uniform(5, 15, 300)])
    ends, radius = shapes(circles)
    places = rng.normal(100, 5, (50, 2))
    assert gaps(pushed(places, circles), ends, radius).min() >= 0


def test_in_a_bounce_world_nobody_is_pushed_out_of_it():
    settings = Settings(400, 300, "bounce")
    places = np.array([[399, 1], [396, 34], [0.5, 150]])
    circles = [[395, 5, 30], [0, 150, 20]]
    found = pushed(places, circles, [], settings)
    assert gaps(found, *shapes(circles)).min() >= 0
    assert np.all((found >= 0) & (found <= (400, 300)))
    nearest = np.array([[365.42, 0], [396, 34.98], [20, 150]])
    assert np.hypot(*(found - places).T) == pytest.approx(np.hypot(*(nearest - places).T), rel=0.01, abs=0.01)


def test_in_a_bounce_world_who_was_put_outside_is_brought_to_the_nearest_free_place_inside():
    settings = Settings(400, 300, "bounce")
    assert pushed([[-50, 100], [450, 350], [7, 8]], settings=settings).tolist() == [[0, 100], [400, 300], [7, 8]]
    x, y = pushed([[-50, 100]], [[2, 100, 10]], settings=settings)[0]
    assert x == 0
    assert abs(y - 100) == pytest.approx(np.sqrt(96), rel=0.01)


def test_among_many_shapes_a_narrow_gap_far_away_is_found():
    """A torus of which 40 circles cover all but a strip, 1.5 u wide and 124 u away."""
    circles = np.column_stack([np.full(40, 0.5), np.linspace(0, 236.5, 40), np.full(40, 6.0)])
    settings = Settings(1, 250, "wrap")
    found = pushed([[0.2, 119.25]], circles, settings=settings)
    ends, radius = shapes(circles)
    assert gaps(found, ends, radius, (1.0, 250.0)).min() >= 0


def test_where_nothing_at_all_is_free_they_stay():
    settings = Settings(20, 20, "wrap")
    places = np.array([[3.0, 4.0], [10.0, 19.0]])
    assert np.array_equal(pushed(places, [[10, 10, 300]], settings=settings), places)
    settings = Settings(20, 20, "bounce")
    assert np.array_equal(pushed(places, [[10, 10, 300]], settings=settings), places)


def test_where_nothing_was_free_they_go_out_as_soon_as_something_is():
    places = np.array([[30.0, 40.0], [100.0, 190.0]])
    values = {"Position.x": places[:, 0], "Position.y": places[:, 1]}
    world = terrain(Settings(200, 200, "bounce"), values, [[100, 100, 300]])
    for _ in range(2):
        run(world, Phase.COMMANDS)
        assert np.array_equal(of_movers(world, "Position"), places)
    world.resources[Settings] = Settings(200, 200, "open")  # outside of it there is room
    run(world, Phase.COMMANDS)
    assert gaps(of_movers(world, "Position"), *shapes([[100, 100, 300]])).min() >= 0


def test_obstacles_stay_and_food_goes():
    world = terrain(
        OPEN, {"Position.x": 100.0, "Position.y": 95.0}, [[100, 100, 10], [103, 100, 10]], more=["Obstacle"]
    )
    run(world, Phase.COMMANDS)
    assert of_movers(world, "Position")[0].tolist() == [100, 95]
    world = terrain(OPEN, {"Position.x": 0.0, "Position.y": 0.0}, [[100, 100, 10]])
    world.prefabs["food"] = Prefab("food", {"Position": {}, "Food": {}})
    world.spawn("food", 1, {"Position.x": 100.0, "Position.y": 95.0})
    run(world, Phase.COMMANDS)
    assert world.table.columns["Position.y"][world.table.size - 1] == pytest.approx(90, abs=0.01)


def test_previous_goes_along_so_that_nothing_sweeps_from_inside():
    world = terrain(OPEN, {"Position.x": 100.0, "Position.y": 95.0}, [[100, 100, 10]])
    run(world, Phase.COMMANDS)
    assert np.array_equal(of_movers(world, "Position.previous"), of_movers(world, "Position"))


def test_threads_and_the_order_of_rows_change_no_bit():
    made = scenery(np.random.default_rng(1), 300, circles=30, polygons=4, corners=6, walls=10)
    places = np.random.default_rng(2).uniform(0, 300, (3000, 2))
    start = {"Position.x": places[:, 0], "Position.y": places[:, 1]}
    found = []
    for threads, shuffled in ((1, False), (2, True)):
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        world = terrain(Settings(300, 300, "wrap"), start, made.circles, made.walls)
        if shuffled:
            world.table.reorder(np.random.default_rng(3).permutation(world.table.size))
        run(world, Phase.COMMANDS)
        found.append(of_movers(world, "Position"))
    assert np.array_equal(*found)


def test_the_index_is_kept_while_nothing_changes():
    world = terrain(OPEN, {"Position.x": 0.0, "Position.y": 0.0}, [[100, 100, 10]], [[10, 10, 20, 20, 1]])
    run(world, Phase.SENSE)
    first = world.resource(Obstacles)
    world.table.reorder(np.array([2, 0, 1]))
    assert obstacles_of(world) is first
    world.table.write("Obstacle.radius", slice(world.table.size), 11)
    second = obstacles_of(world)
    assert second is not first
    world.resource(Settings).edges = "wrap"
    assert obstacles_of(world).capsules.torus == (200, 200)
    world.despawn(world.table.serial[world.table.rows(Wall)])
    assert len(obstacles_of(world).capsules.radius) == 1
    world.despawn(world.table.serial[world.table.rows(Obstacle)])
    assert not obstacles_of(world)


BOID = {component.__name__: {} for component in (Position, Velocity, Motion)}
SCENE = Scene(
    settings=Settings(400, 400, "wrap"),
    prefabs={
        "boid": Prefab("boid", BOID),
        "obstacle": Prefab("obstacle", {"Position": {}, "Obstacle": {"radius": 30.0}}),
        "wall": Prefab("wall", {"Wall": {"thickness": 8.0}}),
    },
    entries=(Entry("boid", 300),),
    seed=1,
)


def edits(simulation: Simulation) -> list[object]:
    """Obstacles are placed and dragged, one onto another; a wall too."""
    first = simulation.world.next_serial
    return [
        Spawn(Entry("obstacle", at=(100, 100))),
        Spawn(Entry("wall", points=((50, 200), (350, 200)))),
        Spawn(Entry("obstacle", at=(140, 100))),
        SetField("Position.x", 120.0, serials=(first,)),
        SetField("Position.x", 390.0, serials=(first + 2,)),
        SetField("Obstacle.radius", 80.0, serials=(first,)),
        Despawn((first + 1,)),
        Spawn(Entry("boid", 20, at=(120, 100))),
    ]


def inside(simulation: Simulation) -> int:
    table = simulation.world.table
    shapes = obstacles_of(simulation.world).capsules
    rows = table.rows(Position, Velocity)
    places = np.stack([table.columns[f"Position.{axis}"][rows] for axis in "xy"], 1)
    return int((gaps(places, shapes.ends, shapes.radius, shapes.torus) < 0).any(1).sum())


@pytest.mark.parametrize("paused", [True, False])
def test_what_an_obstacle_is_placed_or_dragged_onto_is_pushed_out_at_once(paused):
    with Simulation(SCENE) as simulation:
        table = simulation.world.table
        for edit in edits(simulation):
            before = table.columns["Position.x"][: table.size].copy()
            simulation.submit(edit)
            simulation.settle_commands() if paused else simulation.step()
            assert inside(simulation) == 0
            assert not np.array_equal(before, table.columns["Position.x"][: table.size])


def test_edits_together_leave_the_same_world_as_one_by_one_while_it_is_paused():
    with Simulation(SCENE) as one, Simulation(SCENE) as other:
        for edit in edits(one):
            one.submit(edit)
            one.settle_commands()
        other.world.resource(CommandQueue).waiting += [Asked(edit) for edit in edits(other)]
        for simulation in (one, other):
            simulation.step(3)
        assert one.digest() == other.digest()


def test_nobody_begins_inside():
    entries = (Entry("obstacle", at=(100, 100)), Entry("boid", 300), Entry("boid", 5, at=(100, 100)))
    with Simulation(Scene(settings=SCENE.settings, prefabs=SCENE.prefabs, entries=entries)) as simulation:
        assert inside(simulation) == 0


def knows_all_free(simulation: Simulation) -> bool:
    """Whether the next COMMANDS searches for nobody."""
    return simulation.world.resources.get(AllFree) == AllFree.now(simulation.world)


def test_nobody_is_searched_for_after_ticks_in_which_systems_of_move_alone_wrote_positions():
    with Simulation(SCENE) as simulation:
        for edit in edits(simulation):
            simulation.submit(edit)
            simulation.step(2)  # in the first they are pushed out
            for _ in range(5):
                simulation.step()
                assert knows_all_free(simulation)


def test_known_or_not_a_world_goes_on_to_the_same_bits():
    entries = (Entry("obstacle", 8), Entry("boid", 600))
    scene = Scene(settings=Settings(400, 400, "bounce"), prefabs=SCENE.prefabs, entries=entries, seed=3)
    with Simulation(scene) as known, Simulation(scene) as forgotten:
        for edit in edits(known):
            for simulation in (known, forgotten):
                simulation.submit(edit)
                for _ in range(30):
                    simulation.step()
                    forgotten.world.resources.pop(AllFree, None)
            assert known.digest() == forgotten.digest()


@pytest.mark.parametrize("gained", [Food, Velocity])
def test_who_gains_food_or_a_velocity_inside_an_obstacle_is_pushed_out(gained):
    goal = Prefab("goal", {"Position": {}, "Goal": {}})
    entries = (Entry("obstacle", at=(100, 100)), Entry("goal", at=(110, 100)))
    scene = Scene(settings=SCENE.settings, prefabs={**SCENE.prefabs, "goal": goal}, entries=entries)
    with Simulation(scene) as simulation:
        simulation.step()
        assert knows_all_free(simulation)
        world, table = simulation.world, simulation.world.table
        world.add(int(table.serial[table.rows(Goal)][0]), gained)
        simulation.step()
        assert table.stacked("Position", table.rows(Goal))[0] == pytest.approx((130.0, 100.0), abs=0.01)


def test_nothing_holds_the_systems_of_a_closed_world():
    with Simulation(SCENE) as simulation:
        simulation.step(2)
        system = weakref.ref(simulation.pipeline.by_name["movement"])
    del simulation
    gc.collect()
    assert system() is None


@pytest.mark.parametrize("off", ["collision", "bounce"])
def test_where_moves_may_lead_inside_or_outside_they_are_pushed_out_in_each_tick(off):
    entries = (Entry("obstacle", at=(100, 100)), Entry("boid", 600))
    settings = Settings(200, 200, "bounce")
    with Simulation(Scene(settings=settings, prefabs=SCENE.prefabs, entries=entries, seed=1)) as simulation:
        assert pushed_in_a_second(simulation) == 0
        simulation.pipeline.by_name[off].enabled = False
        assert pushed_in_a_second(simulation) > 0


def pushed_in_a_second(simulation: Simulation) -> int:
    """How many COMMANDS has moved."""
    world, count = simulation.world, 0
    for _ in range(60):
        simulation.step()
        before = of_boids(world)
        run(world, Phase.COMMANDS)
        count += int((of_boids(world) != before).any(1).sum())
    return count


def of_boids(world: World) -> np.ndarray:
    return world.table.stacked("Position", world.table.rows_by_serial(Position, Velocity))


class Throw(System):
    """Puts everybody into an obstacle, at the end of a tick."""

    phase = Phase.LIFE
    after = ("feeding", "predation")
    writes = ("Position.x", "Position.y")

    def run(self, world: World) -> None:
        rows = world.table.rows(Position, Velocity)
        for axis in "xy":
            world.table.columns[f"Position.{axis}"][rows] = 100


def test_whom_a_system_puts_inside_is_pushed_out_before_the_next_tick():
    entries = (Entry("obstacle", at=(100, 100)), Entry("boid", 50))
    with Simulation(Scene(settings=SCENE.settings, prefabs=SCENE.prefabs, entries=entries)) as simulation:
        simulation.step(3)
        simulation.pipeline.replace(simulation.world, [*simulation.pipeline.systems, Throw()])
        for _ in range(3):
            simulation.step()
            assert inside(simulation) == 50
            run(simulation.world, Phase.COMMANDS)
            assert inside(simulation) == 0


def test_switched_off_nobody_is_pushed():
    with Simulation(SCENE) as simulation:
        simulation.pipeline.by_name["push_out"].enabled = False
        simulation.submit(Spawn(Entry("obstacle", at=(100, 100))))
        simulation.settle_commands()
        assert inside(simulation) > 0


def test_the_mover_rows_are_the_movers():
    world = terrain(OPEN, {"Position.x": np.arange(5.0), "Position.y": 1.0}, [[100, 100, 10]])
    world.table.reorder(np.array([3, 5, 0, 1, 4, 2]))
    assert world.table.columns["Position.x"][mover_rows(world)].tolist() == [0, 1, 2, 3, 4]
