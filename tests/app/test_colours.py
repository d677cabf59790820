"""What animals are coloured by: as a plain reference says, with a legend, and without a trace in the state."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import sandbox
from components.flock import Flocker
from components.life import Energy, Life
from components.motion import Motion, Velocity
from components.store.fields import AMOUNT_SCALE
from sandbox.app.drawing.picture import draw_picture
from sandbox.cli.options import open_with
from sandbox.design.scene import Entry, Scene
from sandbox.edit import SetParameter
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.render.animals import Drawing
from sandbox.render.colour_scales import CYCLIC, PALETTE, RAMPS, lab
from sandbox.render.tints import TINTS
from sandbox.scenes.reader import scene_of
from sandbox.simulation import Simulation
from sandbox.toml.source import TomlSource
from systems.engine.settings import EDGES, Settings
from systems.engine.system import Phase

from .conftest import OpenWindow, drifting
from .widgets import click, look

FLYING_WEST = """
format = 1

[world]
size = [64, 36]
edges = "turn"

[[spawn]]
prefab = "boid"
at = [32, 18]
velocity = [-9, 0]
Look = { shape = "dot", size = 9 }

[systems.render]
colour = "heading"
"""


def parse_scene(text: str) -> Scene:
    return scene_of(TomlSource("test.toml", text.encode()))


def drawn(simulation: Simulation, colour: str) -> Drawing:
    """What RENDER makes with this colouring."""
    simulation.submit(SetParameter("render", "colour", colour))
    simulation.settle_commands()
    simulation.pipeline.run(simulation.world, [Phase.RENDER])
    return simulation.world.resource(Drawing)


def colours(drawing: Drawing) -> np.ndarray:
    return drawing.colours()


def channels(colours: np.ndarray) -> np.ndarray:
    """Red, green and blue, (n, 3)."""
    return np.stack([colours >> 16 & 255, colours >> 8 & 255, colours & 255], axis=1).astype(int)


def has(simulation: Simulation, rows: np.ndarray, component: type) -> np.ndarray:
    table = simulation.world.table
    return table.presence[rows] & np.uint64(table.mask([component])) != 0


def column(simulation: Simulation, key: str, rows: np.ndarray) -> np.ndarray:
    return simulation.world.table.columns[key][rows].astype(float)


def assert_of_ramp(found: np.ndarray, name: str, shares: np.ndarray) -> None:
    """Each colour is that of its share, or of one a rounding away."""
    ramp = RAMPS[name]
    expected = np.minimum((np.clip(shares, 0, 1) * len(ramp)).astype(int), len(ramp) - 1)
    near = [(expected + off) % len(ramp) if name in CYCLIC else np.clip(expected + off, 0, 255) for off in (-1, 0, 1)]
    right = np.any([found == ramp[place] for place in near], axis=0)
    assert right.all()
    assert (found == ramp[expected]).mean() > 0.95


@pytest.fixture
def pasture() -> Simulation:
    simulation = sandbox.load("pasture")
    simulation.step(200)
    return simulation


def test_by_default_everyone_has_their_own_colour(pasture: Simulation) -> None:
    drawing = drawn(pasture, "species")
    own = pasture.world.table.columns["Look.colour"][drawing.rows]
    assert (colours(drawing) == own).all()
    assert drawing.legend is None


def test_heading_goes_once_round_the_ramp(pasture: Simulation) -> None:
    drawing = drawn(pasture, "heading")
    x, y = (column(pasture, f"Velocity.{axis}", drawing.rows) for axis in "xy")
    moving = (x != 0) | (y != 0)
    assert_of_ramp(colours(drawing)[moving], "heading", np.arctan2(y, x)[moving] / (2 * np.pi) % 1)


def test_the_four_directions_are_quarters_of_the_ramp() -> None:
    velocities = [(3, 0), (0, 3), (-3, 0), (0, -3)]
    entries = "".join(
        f'[[spawn]]\nprefab = "boid"\nat = [9, {n}]\nvelocity = {list(v)}\n' for n, v in enumerate(velocities)
    )
    with Simulation(parse_scene("format = 1\n" + entries)) as simulation:
        drawing = drawn(simulation, "heading")
        assert colours(drawing).tolist() == [RAMPS["heading"][place] for place in (0, 64, 128, 192)]


@pytest.mark.parametrize("edges", EDGES)
def test_every_colouring_works_with_depth(edges: str) -> None:
    spawns = "".join(
        f'[[spawn]]\nprefab = "boid"\nat = [90, {n}, 90]\nvelocity = {velocity}\n'
        for n, velocity in enumerate(([0, 30, 40], [0, 0, 50]))
    )
    world = f'[world]\nsize = [200, 200, 200]\nedges = "{edges}"\n'
    with Simulation(parse_scene(f"format = 1\n{world}{spawns}")) as simulation:
        found = {colouring: colours(drawn(simulation, colouring)).tolist() for colouring in TINTS}
    upward, away = found["heading"]
    assert upward == RAMPS["heading"][64]
    assert away not in RAMPS["heading"]


def test_speed_goes_from_the_slowest_to_the_fastest_that_any_can_be(pasture: Simulation) -> None:
    drawing = drawn(pasture, "speed")
    rows = drawing.rows
    moves = has(pasture, rows, Velocity)
    limited = rows[has(pasture, rows, Motion)]
    low, high = column(pasture, "Motion.min_speed", limited).min(), column(pasture, "Motion.max_speed", limited).max()
    speed = np.hypot(column(pasture, "Velocity.x", rows), column(pasture, "Velocity.y", rows))
    assert_of_ramp(colours(drawing)[moves], "speed", (speed[moves] - low) / (high - low))
    legend = drawing.legend
    assert legend is not None
    assert (legend.name, legend.unit, legend.low, legend.high) == ("speed", "u/s", low, high)


def test_energy_is_the_share_of_what_one_can_hold(pasture: Simulation) -> None:
    drawing = drawn(pasture, "energy")
    rows = drawing.rows
    lives = has(pasture, rows, Energy)
    share = column(pasture, "Energy.level", rows) / column(pasture, "Energy.capacity", rows)
    assert_of_ramp(colours(drawing)[lives], "energy", share[lives])


def test_age_is_beside_the_greatest_age(pasture: Simulation) -> None:
    drawing = drawn(pasture, "age")
    rows = drawing.rows
    lives = has(pasture, rows, Life)
    high = column(pasture, "Life.max_age", rows[lives]).max()
    assert high > 0
    assert_of_ramp(colours(drawing)[lives], "age", column(pasture, "Life.age", rows)[lives] / AMOUNT_SCALE / high)
    assert drawing.legend is not None
    assert drawing.legend.high == high


def test_where_nobody_grows_too_old_age_is_beside_a_round_number_above_the_oldest() -> None:
    scene = parse_scene('format = 1\n[[spawn]]\nprefab = "boid"\ncount = 5\nLife = { age = 33 }\n')
    with Simulation(scene) as simulation:
        drawing = drawn(simulation, "age")
        assert drawing.legend is not None
        assert drawing.legend.high == 50
        assert_of_ramp(colours(drawing), "age", np.full(5, 33 / 50))


def test_who_has_no_such_thing_is_greyed() -> None:
    with sandbox.load("hunters") as simulation:
        own = colours(drawn(simulation, "species")).copy()
        for colour in ("energy", "age"):
            found = colours(drawn(simulation, colour))
            spread = [
                np.ptp(np.stack([c >> 16 & 255, c >> 8 & 255, c & 255]).astype(int), axis=0) for c in (own, found)
            ]
            assert (spread[1] <= spread[0] / 4).all()
            assert len(np.unique(found)) == len(np.unique(own))


@pytest.mark.parametrize(("scene", "radius"), [("murmuration", 30), ("storm", 30), ("quelea", 60)])
def test_crowding_is_the_more_the_more_are_around(scene: str, radius: float) -> None:
    with sandbox.load(scene) as simulation:
        simulation.step(120)
        drawing = drawn(simulation, "crowding")
        index_of = {int(colour): index for index, colour in enumerate(RAMPS["crowding"])}
        share = np.array([index_of[int(colour)] for colour in colours(drawing)])
        places = np.stack([column(simulation, f"Position.{axis}", drawing.rows) for axis in "xy"], axis=1)
        away = np.abs(places[:, None] - places[None])
        if torus := simulation.world.resource(Settings).torus:
            away = np.minimum(away, np.array(torus) - away)
        around = (np.hypot(away[..., 0], away[..., 1]) < radius).sum(1)
        assert np.corrcoef(np.argsort(np.argsort(share)), np.argsort(np.argsort(around)))[0, 1] > 0.7
        assert 40 < np.median(share) < 200


@pytest.mark.parametrize("colouring", ["crowding", "flock"])
def test_colours_change_no_state(pasture: Simulation, colouring: str) -> None:
    before, own = pasture.digest(), colours(drawn(pasture, "species")).copy()
    assert (colours(drawn(pasture, colouring)) != own).any()
    assert pasture.digest() == before


def test_each_flock_has_a_colour_of_the_palette_and_who_is_in_none_is_greyed(pasture: Simulation) -> None:
    drawing = drawn(pasture, "flock")
    flocks = pasture.measures(["flocks"])["flocks"]
    assert drawing.legend is not None
    assert drawing.legend.low == flocks > 1
    its = {int(colour) for colour in colours(drawing)[drawing.drawn.codes[drawing.rows] > 0]}
    assert its <= {int(colour) for colour in PALETTE}
    assert len(its) > 5
    rows, count = drawing.rows, (drawing.drawn.codes[drawing.rows] > 0).sum()
    places = np.stack([column(pasture, f"Position.{axis}", rows) for axis in "xy"], axis=1)
    away = np.abs(places[:, None] - places)
    away = np.hypot(*np.moveaxis(np.minimum(away, np.array(pasture.world.resource(Settings).torus) - away), 2, 0))
    flocking = has(pasture, rows, Flocker)
    near = ((away < 25) & flocking).sum(axis=1)
    assert count == (flocking & (near > 1)).sum()


def test_a_colouring_may_stand_in_a_scene_and_on_the_command_line() -> None:
    scene = parse_scene('format = 1\n[systems.render]\ncolour = "speed"\n')
    assert scene.systems["render"]["colour"] == TINTS.index("speed")
    with open_with("hunters", None, ["render.colour=heading"], NO_MODS) as simulation:
        assert simulation.pipeline.by_name["render"].colour == "heading"  # type: ignore[attr-defined]


def test_a_picture_shows_the_colours(tmp_path: Path) -> None:
    with Simulation(parse_scene(FLYING_WEST)) as simulation:
        draw_picture(simulation, tmp_path / "p.png", (640, 360))
    with Image.open(tmp_path / "p.png") as picture:
        shown = np.array(picture.convert("RGB").getpixel((320, 180)), float)
    wanted = channels(RAMPS["heading"][128:129])[0]
    assert np.abs(shown / shown.max() - wanted / wanted.max()).max() < 0.03


@pytest.mark.parametrize("name", [name for name in RAMPS if name not in CYCLIC])
def test_a_ramp_goes_from_dark_to_light_or_back_in_even_steps(name: str) -> None:
    lightness, steps = _looks(name)
    ways = np.sign(np.diff(lightness[::16]))
    assert abs(ways.sum()) == len(ways)
    assert np.ptp(lightness) > 0.3
    assert steps.reshape(-1, 15).sum(1).std() < 0.35 * steps.reshape(-1, 15).sum(1).mean()


def test_the_ramp_of_headings_closes_and_opposite_ones_differ() -> None:
    _, steps = _looks("heading")
    ramp = _lab(RAMPS["heading"])
    assert np.linalg.norm(ramp[0] - ramp[-1]) < 2 * steps.max()
    assert np.linalg.norm(ramp - np.roll(ramp, 128, axis=0), axis=1).min() > 0.15


# Of red, green and blue as they shine, what who lacks one kind of cone sees: Machado, Oliveira and Fernandes (2009).
LACKING = {
    "none": np.eye(3),
    "long": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "medium": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "short": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def seen_without(cones: str, colours: np.ndarray) -> np.ndarray:
    """OKLab of what one sees of colours, 0xRRGGBB, who lacks these cones."""
    shown = channels(colours) / 255
    linear = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
    linear = np.clip(linear @ np.array(LACKING[cones]).T, 0, 1)
    return lab(np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055))


@pytest.mark.parametrize("cones", LACKING)
@pytest.mark.parametrize("name", RAMPS)
def test_the_colour_blind_read_every_ramp(name: str, cones: str) -> None:
    found = seen_without(cones, RAMPS[name])
    if name in CYCLIC:
        assert np.linalg.norm(found - np.roll(found, 128, axis=0), axis=1).min() > 0.15
        return
    ways = np.sign(np.diff(found[::16, 0]))
    assert abs(ways.sum()) == len(ways)
    assert np.ptp(found[:, 0]) > 0.2


@pytest.mark.parametrize("cones", LACKING)
def test_the_colour_blind_tell_all_flocks_apart(cones: str) -> None:
    found = seen_without(cones, PALETTE)
    apart = np.linalg.norm(found[:, None] - found, axis=2)
    assert apart[~np.eye(len(found), dtype=bool)].min() > (0.19 if cones == "none" else 0.11)


def test_the_colours_of_flocks_are_as_light_as_those_of_ramps() -> None:
    darkest = min(_lab(ramp)[:, 0].min() for name, ramp in RAMPS.items() if name != "heat")
    assert _lab(PALETTE)[:, 0].min() > darkest


def _lab(ramp: np.ndarray) -> np.ndarray:
    return lab(channels(ramp) / 255)


def _looks(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The lightness of a ramp's colours, and how far each is from the one before."""
    found = _lab(RAMPS[name])
    return found[:, 0], np.linalg.norm(np.diff(found, axis=0), axis=1)


def test_a_menu_lists_every_colouring_and_overlay(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 12)), (1280, 720))
    click(window, "Overlays")
    seen = look(window).places
    overlays = {overlay.title for overlay in window.session.app.overlays if not overlay.always}
    assert {*(f"Colour by {tint}" for tint in TINTS), *overlays, "Cycle colouring"} <= seen.keys()
    click(window, "Colour by flock")
    window.on_update(0.1)
    assert window.session.document.coloured_by == "flock"
    assert [tint for tint in TINTS if window.session.actions[f"colour_{tint}"].is_on(window.session)] == ["flock"]
