"""Wind: accelerations equal coupling * edge * (air - v), summed over the zones one is in; only serials count."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from components.store.world import World
from components.wind import GUST, SOURCE, UNIFORM, VORTEX, X, Y, Z
from systems.engine.kernel import kernel
from systems.engine.settings import Settings
from systems.space.air import CORE, GUSTY, STREAM, air_at, air_of
from systems.space.noise import time_of
from systems.steer import wind
from tests import plain_noise
from tests.groups import PLAIN, assert_only_serials_count, boids, nearest_offsets, steered, world_of_groups

Zone = dict[str, float]
WRAP, DEEP = Settings(1000, 800, "wrap"), Settings(1000, 800, "open", depth=600)
CALM: Zone = {
    "x": 500.0, "y": 400.0, "kind": UNIFORM, "radius": 100.0, "direction": 0.0, "strength": 60.0, "coupling": 1.0,
    "softness": 0.3, "turbulence": 0.0,
}  # fmt: skip
STILL: Zone = {"z": 300.0, "tilt": 0.0, "axis": Z}


def windy(zones: list[Zone], group: dict[str, ArrayLike], settings: Settings = PLAIN, tick: int = 0) -> World:
    """A world with these zones; what they don't say is as in CALM, and with depth as in STILL."""
    values = {}
    usual = {**CALM, **STILL} if settings.depth else CALM
    for key in usual:
        owner = "Position" if key in "xyz" else "Wind"
        kind = int if key in ("kind", "axis") else "f4"
        values[f"{owner}.{key}"] = np.array([{**usual, **zone}[key] for zone in zones], kind)
    return world_of_groups([wind.install], {"zone": values, "boid": group}, settings, seed=5, tick=tick)


def blown(zones: list[Zone], places: ArrayLike, velocities: ArrayLike = 0, **more: object) -> np.ndarray:
    """The accelerations of boids at these places, float32 (n, 2) or (n, 3)."""
    return steered(windy(zones, boids(places, velocities), **more))  # type: ignore[arg-type]


def smoothstep(t: float) -> float:
    t = min(max(t, 0), 1)
    return t * t * (3 - 2 * t)


def misses(world: World) -> np.ndarray:
    """By how much each boid's acceleration misses the equations, in units of what is allowed."""
    expected, size = plain(world)
    return np.abs(steered(world) - expected).max(axis=1) / (2e-5 * (1 + size))


def plain(world: World) -> tuple[np.ndarray, np.ndarray]:
    """What the equations say, float64 (n, axes), for the boids by serial; and how large what is added up was, (n,)."""
    table, torus = world.table, world.resource(Settings).torus
    c = {key: column[: table.size].astype(float) for key, column in table.columns.items()}
    place = np.stack([c[f"Position.{axis}"] for axis in table.axes], axis=1)
    velocity = np.stack([c[f"Velocity.{axis}"] for axis in table.axes], axis=1)
    by_serial = np.argsort(table.serial[: table.size])
    zones = [row for row in by_serial if table.prefab[row] == 0]
    movers = [row for row in by_serial if table.prefab[row] == 1]
    time = world.tick / world.resource(Settings).tick_rate
    found, size = np.zeros((len(movers), len(table.axes))), np.zeros(len(movers))
    for k, row in enumerate(movers):
        pull = 0.0
        for zone in zones:
            it = {key.split(".")[1]: c[key][zone] for key in c if key.startswith("Wind.")}
            offset = nearest_offsets(place[row] - place[zone], torus)
            d = math.hypot(*offset)
            if d < it["radius"]:
                air = _air(it, offset, d, place[row], time, int(table.serial[zone]), world.seed, torus)
                soft = it["softness"] * it["radius"]
                edge = smoothstep((it["radius"] - d) / soft) if soft else 1.0
                term = it["coupling"] * edge * (air - velocity[row])
                found[k] += term
                speed = math.hypot(*velocity[row])
                size[k] += it["coupling"] * edge * (abs(it["strength"]) * (1 + it["turbulence"]) + speed)
                pull += it["coupling"] * edge
        found[k] *= min(1, world.resource(Settings).tick_rate / pull) if pull else 1
    return found, size


def _air(it, offset, d, place, time, serial, seed, torus) -> np.ndarray:
    angle, tilt = math.radians(it["direction"]), math.radians(it.get("tilt", 0))
    along = np.array([math.cos(angle), math.sin(angle)])
    axis = np.array([0, 0, 1])
    if len(place) == 3:
        along = np.array([*(math.cos(tilt) * along), math.sin(tilt)])
        axis = {Z: axis, Y: np.array([0, 1, 0]), X: np.array([1, 0, 0])}[int(it["axis"])]
    core = CORE * it["radius"]
    turn = np.cross(axis, [*offset, 0][:3])[: len(place)]
    whirl, outward = turn / max(np.linalg.norm(turn), core), offset / max(d, core)
    air = {UNIFORM: along, GUST: along, SOURCE: outward, VORTEX: whirl}[int(it["kind"])]
    turbulence = max(it["turbulence"], GUSTY) if it["kind"] == GUST else it["turbulence"]
    if turbulence:
        drift = along * it["strength"] * time if it["kind"] in (UNIFORM, GUST) else 0
        where = (plain_noise.random_bits(seed, 0, serial, STREAM), tuple(place - drift), time, torus)
        if it["kind"] == GUST:
            air = air * smoothstep(0.5 + plain_noise.potential(*where)[-1])
        air = air + turbulence * plain_noise.eddy(*where)
    return it["strength"] * air


def generated(seed: int, edges: str, depth: float = 0) -> World:
    """Zones of every kind and size, some at one place; boids in and around them, on a torus also at its seam."""
    rng = np.random.default_rng(seed)
    world = Settings(float(rng.choice([300, 1000, 4400])), float(rng.choice([200, 800, 4400])), edges, depth=depth)
    size, axes = np.array(world.size), world.axes
    zones: list[Zone] = []
    for _ in range(int(rng.integers(1, 13))):
        fresh = rng.random(len(axes)) * size
        place = fresh if rng.random() < 0.8 or not zones else [zones[-1][axis] for axis in axes]
        zones.append({
            **dict(zip(axes, place, strict=True)), "kind": int(rng.integers(0, 4)),
            "radius": float(rng.choice([10, 100, 0.5 * size.min(), size.max(), 1e6]) * rng.uniform(0.5, 1)),
            "direction": rng.uniform(-360, 360), "strength": rng.uniform(-200, 200), "coupling": rng.uniform(0, 10),
            "softness": rng.choice([0, 0.3, 1, rng.random()]), "turbulence": rng.choice([0, 0, rng.random()]),
            **({"tilt": rng.uniform(-90, 90), "axis": int(rng.integers(0, 3))} if depth else {}),
        })  # fmt: skip
    places = rng.random((25, len(axes))) * size
    around = np.array([[zone[axis] for axis in axes] for zone in zones])[rng.integers(0, len(zones), 25)]
    places = np.where(rng.random((25, 1)) < 0.5, around + rng.normal(0, 40, places.shape), places)
    places = places if edges != "wrap" else (places % size).clip(0, np.nextafter(size, 0, dtype=np.float32))
    group = boids(places, rng.normal(0, 80, places.shape))
    return windy(zones, group, world, tick=int(rng.integers(0, 5000)))


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 2**32), st.sampled_from(["wrap", "turn", "bounce", "open"]), st.sampled_from([0.0, 350.0, 4400.0])
)
def test_accelerations_equal_the_equations(seed, edges, depth):
    assert misses(generated(seed, edges, depth)).max() <= 1


@pytest.mark.verify
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("depth", [0.0, 500.0])
@pytest.mark.parametrize("edges", ["wrap", "open"])
def test_accelerations_equal_the_equations_in_many_worlds(edges, depth):
    for seed in range(500):
        assert misses(generated(seed, edges, depth)).max() <= 1, seed


@pytest.mark.parametrize("depth", [0.0, 500.0])
@pytest.mark.parametrize("edges", ["wrap", "open"])
def test_only_serials_count_not_rows_nor_threads(edges, depth):
    for seed in range(3):
        assert_only_serials_count(lambda seed=seed: generated(seed, edges, depth))


def test_without_wind_nobody_is_moved_not_even_the_sign_of_a_zero():
    world = world_of_groups([wind.install], {"boid": boids([[10, 10]], (3, 4))})
    assert steered(world).tobytes() == np.zeros((1, 2), np.float32).tobytes()


def test_uniform_wind_blows_along_its_direction_and_takes_those_along_who_are_not_at_its_speed():
    zone = {"direction": 30.0, "coupling": 2.0}
    expected = 60 * np.array([math.cos(math.pi / 6), 0.5])
    assert blown([zone], [500, 400])[0] == pytest.approx(2 * expected, rel=1e-6)
    assert blown([zone], [500, 400], (10, -4))[0] == pytest.approx(2 * (expected - [10, -4]), rel=1e-6)
    assert blown([{"direction": 90.0}], [500, 400], (0, 60))[0] == pytest.approx([0, 0], abs=1e-5)


def test_below_zero_it_blows_the_other_way():
    for kind in (UNIFORM, VORTEX, SOURCE):
        forth, back = (blown([{"kind": kind, "strength": s}], [530, 440]) for s in (60.0, -60.0))
        assert np.allclose(forth, -back)
        assert np.abs(forth).max() > 10


def test_a_vortex_turns_counter_clockwise_like_a_wheel_in_its_core():
    places = np.array([500, 400]) + [[50, 0], [0, 50], [-50, 0], [0, -50], [7.5, 0], [0, 0]]
    assert np.allclose(blown([{"kind": VORTEX}], places), [[0, 60], [-60, 0], [0, -60], [60, 0], [0, 30], [0, 0]])


def test_a_source_blows_outward_and_not_at_its_centre():
    places = np.array([500, 400]) + [[50, 0], [0, 50], [-30, -40], [0, 7.5], [0, 0]]
    assert np.allclose(blown([{"kind": SOURCE}], places), [[60, 0], [0, 60], [-36, -48], [0, 30], [0, 0]], atol=1e-5)


def test_with_depth_a_zone_is_a_ball_and_a_source_blows_from_its_middle():
    places = np.array([500, 400, 300]) + [[50, 0, 0], [0, 0, 50], [0, 30, -40], [0, 0, 7.5], [0, 0, 0], [60, 60, 60]]
    expected = [[60, 0, 0], [0, 0, 60], [0, 36, -48], [0, 0, 30], [0, 0, 0], [0, 0, 0]]
    assert np.allclose(blown([{"kind": SOURCE}], places, settings=DEEP), expected, atol=1e-5)


@pytest.mark.parametrize(("axis", "first", "second"), [(Z, 0, 1), (Y, 2, 0), (X, 1, 2)])
def test_a_vortex_turns_about_an_axis_of_its_own_counter_clockwise_from_its_end(axis, first, second):
    """At each height of the ball it turns alike: along the axis nothing blows."""
    along = 3 - first - second
    for height, distance, speed in [(0, 50, 60), (40, 50, 60), (-30, 7.5, 30), (50, 0, 0)]:
        place, expected = np.array([500.0, 400, 300]), np.zeros(3)
        place[first] += distance
        place[along] += height
        expected[second] = speed
        assert blown([{"kind": VORTEX, "axis": axis}], place, settings=DEEP)[0] == pytest.approx(expected, abs=1e-4)


def test_uniform_wind_is_tilted_out_of_the_plane():
    zone = {"direction": 90.0, "tilt": 30.0}
    up, out = 60 * math.cos(math.pi / 6), 30
    assert blown([zone], [500, 400, 300], settings=DEEP)[0] == pytest.approx([0, up, out], abs=1e-4)
    assert blown([{"tilt": -90.0}], [500, 400, 300], settings=DEEP)[0] == pytest.approx([0, 0, -60], abs=1e-4)


def test_the_edge_is_soft():
    distances = np.array([0, 69.9, 70, 77.5, 85, 92.5, 99.99, 100, 101])
    found = blown([{}], np.stack([500 + distances, 0 * distances + 400], axis=1))[:, 0] / 60
    assert found == pytest.approx([1, 1, 1, 0.84375, 0.5, 0.15625, 0, 0, 0], abs=1e-5)


@pytest.mark.parametrize(("softness", "expected"), [(0.0, [1, 1, 1, 0]), (1.0, [1, 0.5, 0, 0])])
def test_a_hard_edge_and_one_that_is_nothing_but_edge(softness, expected):
    places = [[500, 400], [450, 400], [400.01, 400], [400, 400]]
    assert blown([{"softness": softness}], places)[:, 0] / 60 == pytest.approx(expected, abs=1e-5)


def test_zones_overlap_and_add():
    zones = [{}, {"direction": 90.0, "radius": 80.0}, {"kind": VORTEX, "x": 540.0}, {"kind": GUST, "y": 430.0}]
    place, velocity = [[520, 410]], (20, -30)
    alone = [blown([zone], place, velocity) for zone in zones[:3]]
    # A gust is made of its zone's serial: it needs its place in the row, behind three that reach nobody.
    away = [{"x": 9e5, "radius": 1.0}] * 3
    alone.append(blown([*away, zones[3]], place, velocity))
    assert np.allclose(blown(zones, place, velocity), sum(alone), atol=1e-4)
    assert np.allclose(blown([{}] * 7, place, velocity), 7 * alone[0], atol=1e-4)


@pytest.mark.parametrize("radius", [120.0, 390.0, 450.0, 2000.0, 1e6])
def test_on_a_torus_a_zone_reaches_over_the_seam_and_counts_once(radius):
    rng = np.random.default_rng(1)
    places = rng.random((3000, 2)) * [1000, 800]
    zone = {"x": 990.0, "y": 5.0, "radius": radius, "softness": 0.0}
    d = np.hypot(*nearest_offsets(places.astype(np.float32) - np.float64([990, 5]), (1000, 800)).T)
    found = blown([zone], places, settings=WRAP)
    assert np.array_equal(found[:, 0] > 0, d < radius)
    assert set(found[:, 0].tolist()) <= {0.0, 60.0}


@pytest.mark.parametrize("offset", [(500, 0), (-500, 0), (0, 400), (500, 400)])
def test_opposite_the_centre_on_a_torus_it_counts_once(offset):
    places = (np.array([250, 200]) + offset) % [1000, 800]
    assert blown([{"x": 250.0, "y": 200.0, "radius": 900.0}], places, settings=WRAP)[0, 0] > 0
    assert blown([{"x": 250.0, "y": 200.0, "radius": 1e6}], places, settings=WRAP).tolist() == [[60, 0]]


def test_a_wind_that_covers_the_world_is_constant():
    places = np.random.default_rng(2).random((500, 2)) * [1000, 800]
    for edges in ("wrap", "turn", "open"):
        found = blown([{"radius": 1e6, "direction": 90.0}], places, settings=Settings(1000, 800, edges))
        assert np.allclose(found, [0, 60], atol=1e-5)


def test_those_who_were_put_beyond_the_edge_of_a_torus_feel_what_blows_there():
    assert blown([{}], [[500, 400], [1500, -400], [-1500, 2000]], settings=WRAP).tolist() == [[60, 0]] * 3


@pytest.mark.parametrize("kind", [UNIFORM, GUST])
def test_turbulent_wind_is_continuous_over_the_seam_of_a_torus(kind):
    y = np.linspace(0, 799, 400)
    zone = {"kind": kind, "radius": 1e6, "turbulence": 1.0, "direction": 20.0}
    left = blown([zone], np.stack([0 * y, y], axis=1), settings=WRAP, tick=777)
    right = blown([zone], np.stack([0 * y + np.float32(999.9999), y], axis=1), settings=WRAP, tick=777)
    assert np.abs(left - right).max() < 1e-2
    assert left.std() > 10


def test_gusts_rise_and_die_down_smoothly():
    group = boids(np.random.default_rng(3).random((200, 2)) * [1000, 800])
    zone: Zone = {"kind": GUST, "radius": 1e6}
    seldom, often = (
        np.array([steered(windy([zone], group, tick=tick)) for tick in ticks])
        for ticks in (range(0, 20_000, 200), range(300))
    )
    assert seldom[:, :, 0].mean() == pytest.approx(30, abs=3)  # pulse is a half on average
    assert seldom[:, :, 1].mean() == pytest.approx(0, abs=3)
    assert seldom.std(axis=(0, 1)).min() > 15
    assert np.abs(np.diff(often, axis=0)).max() < 8


def test_gusts_and_eddies_drift_with_the_wind():
    places = np.random.default_rng(3).random((400, 2)) * [1000, 800]
    for kind in (GUST, UNIFORM):
        zone: Zone = {"kind": kind, "radius": 1e6, "turbulence": 0.5, "direction": 90.0}
        now, later = (blown([zone], places, tick=tick) for tick in (0, 20))
        upwind = blown([zone], places - [0, 20])  # a third of a second at 60 u/s
        assert np.abs(later - upwind).mean() < 0.3 * np.abs(later - now).mean()


def test_turbulence_adds_eddies_of_its_share_of_the_strength():
    places = np.random.default_rng(4).random((4000, 2)) * 20_000
    for share in (0.25, 1.0):
        zone = {"radius": 1e6, "turbulence": share}
        eddies = blown([zone], places) - [60, 0]
        assert np.sqrt((eddies**2).sum(axis=1).mean()) == pytest.approx(60 * share, rel=0.05)
        assert np.abs(eddies.mean(axis=0)).max() < 3


def test_whoever_moves_is_taken_along_whatever_else_it_is():
    group = {"Position.x": 500.0, "Position.y": 400.0, "Velocity.x": 0.0, "Motion.drag": 1.0}
    assert steered(windy([{}], group)).tolist() == [[60, 0]]


@pytest.mark.parametrize("tick_rate", [1, 20, 60, 1000])
@pytest.mark.parametrize("zones", [1, 30])
def test_however_hard_it_couples_wind_takes_nobody_beyond_its_own_velocity(zones, tick_rate):
    settings = Settings(1000, 1000, "open", tick_rate=tick_rate)
    world = windy([{"coupling": 60.0, "radius": 1e6}] * zones, boids([500, 400], [-900.0, 40.0]), settings)
    change = steered(world)[0] / tick_rate
    share = min(1, 60 * zones / tick_rate)
    assert change == pytest.approx([960 * share, -40 * share], rel=1e-5)


def test_a_zone_that_is_moved_turned_or_taken_away_blows_as_it_is_now():
    world = windy([{}, {"x": 100.0}], boids([500, 400]))
    assert steered(world).tolist() == [[60, 0]]
    kept = air_of(world)
    assert air_of(world) is kept
    world.table.reorder(np.array([1, 2, 0]))
    assert air_of(world) is kept
    world.table.reorder(np.array([2, 0, 1]))
    world.table.columns["Wind.direction"][0] = 90
    assert steered(world)[0] == pytest.approx([0, 60], abs=1e-5)
    assert air_of(world) is not kept
    world.table.columns["Position.x"][:2] += 400
    assert steered(world).tolist() == [[60, 0]]
    world.despawn([2])
    assert steered(world).tolist() == [[0, 0]]
    world.despawn([1])
    assert steered(world).tolist() == [[0, 0]]


def test_wind_depends_on_the_tick_and_not_on_what_was_before():
    zone = {"kind": GUST, "radius": 1e6, "turbulence": 1.0}
    world = windy([zone], boids([500, 400]))
    seen = []
    for tick in range(100):
        world.tick = tick
        seen.append(steered(world).tobytes())
    assert len(set(seen)) == 100
    assert steered(windy([zone], boids([500, 400]), tick=57)).tobytes() == seen[57]


def test_at_the_ends_of_all_bounds_the_numbers_stay_numbers():
    ends = {"strength": -1e4, "coupling": 60.0, "turbulence": 1.0, "radius": 1e6, "kind": GUST, "direction": -360.0}
    zones = [{**ends, "softness": s} for s in (0.0, 1.0)] + [{**ends, "radius": 1e-6, "kind": VORTEX, "softness": 1.0}]
    found = blown(zones * 30, [[500, 400], [1e6, -1e6], [-1e6, 1e6]], (1e4, -1e4), tick=10**9)
    assert np.all(np.isfinite(found))
    assert np.abs(found).max() < 60 * 90 * 1e5


@kernel
def _airs(places, zones, cells, lattice, time):
    found = np.empty((len(places), 3))
    for k in range(len(places)):
        pull, carry = air_at((places[k, 0], places[k, 1]), zones, cells, lattice, time)
        found[k] = pull, carry[0], carry[1]
    return found


def test_whoever_draws_the_air_finds_the_same_as_those_it_takes_along():
    world = generated(8, "wrap")
    table = world.table
    rows = table.rows(*(table.components[name] for name in ("Position", "Motion")))
    rows = rows[np.argsort(table.serial[rows])]
    places = np.stack([table.columns["Position.x"][rows], table.columns["Position.y"][rows]], axis=1).astype(float)
    velocities = np.stack([table.columns["Velocity.x"][rows], table.columns["Velocity.y"][rows]], axis=1).astype(float)
    air = air_of(world)
    pull, x, y = _airs(places, air.zones, air.circles, air.lattice, time_of(world)).T
    found = np.stack([x, y], axis=1) - pull[:, None] * velocities
    assert found.astype(np.float32).tobytes() == steered(world).tobytes()
    assert pull.max() > 0
