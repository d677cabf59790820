"""The world panel: size, edges and the rest while the world runs; clearing; prefabs made and renamed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from arcade import key
from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.window import FlockWindow
from sandbox.design.scene import Scene
from sandbox.edit import Undo
from sandbox.mods.load.together import mods_from
from sandbox.simulation import Simulation
from systems.engine.settings import Settings
from tests.mods import write_mod
from tests.sandbox.test_resources import SEASONS
from tests.sandbox.test_text_and_lists import NAMES

from .conftest import OpenWindow, living, send
from .fields import A_WHILE, SIZE, drag, duck, frame, pike, pond, press, tap, twice, type_into, write
from .panels import panel
from .widgets import look

NEW, RENAME = f"{icons.ICON_FA_CLONE} Duplicate##kind", f"{icons.ICON_FA_PEN} Rename##kind"
CLEAR_ALL = f"{icons.ICON_FA_TRASH_CAN} Clear all##kind"

PAPER = """
from sandbox.api import Grid, grid, number, resource

@resource
class Paper:
    '''What is written on.'''

    ink: Grid = grid(4, "", 0, 1000, "how much ink there is")
    damp: float = number(0.5, "", 0, 1, "how damp it is")

def install(app):
    app.add_resource(Paper)
"""


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    return paused(open_on, pond(duck(100, 100), duck(900, 700), pike(300, 300)))


def paused(open_on: OpenWindow, scene: Scene) -> FlockWindow:
    """A paused window with the panel World."""
    window = open_on(scene, SIZE, panels=["world"])
    window.session.clock.paused = True
    frame(window)
    return window


def with_mod(open_on: OpenWindow, folder: Path, python: str) -> FlockWindow:
    """A paused window with the panel World, on a scene with a mod of this Python."""
    scene = pond(duck(100, 100))
    scene.loaded = mods_from([write_mod(folder, python)]).loaded
    return paused(open_on, scene)


def settings(window: FlockWindow) -> Settings:
    return window.simulation.world.resource(Settings)


def name_it(window: FlockWindow, name: str) -> None:
    press(window, "##name")
    tap(window, key.A, key.MOD_CTRL)
    write(window, name)


def type_seed(window: FlockWindow, text: str) -> None:
    before = window.simulation.world.seed
    press(window, "##seed")
    tap(window, key.A, key.MOD_CTRL)
    tap(window, key.BACKSPACE)
    write(window, text)
    assert window.simulation.world.seed == before  # until it is whole
    tap(window, key.ENTER)


def test_the_world_is_resized_while_it_runs(window: FlockWindow) -> None:
    window.session.clock.paused = False
    press(window, "##Settings/Settings.edges")
    press(window, "bounce")
    type_into(window, "##Settings/Settings.width", "600")
    type_into(window, "##Settings/Settings.height", "500")
    frame(window, 0.2)
    assert (settings(window).width, settings(window).height) == (600, 500)
    assert window.session.camera.world_size == (600, 500)
    zoom = window.session.camera.zoom
    window.session.camera.fit()
    assert window.session.camera.zoom == zoom  # a view of the whole world stays one
    assert (living(window) <= [600, 500]).all()


def test_a_dragged_size_is_set_when_the_mouse_lets_go(window: FlockWindow) -> None:
    drag(window, "##Settings/Settings.width", -40)
    frame(window, A_WHILE)  # in which a second click could reset it
    frame(window)
    assert 500 < settings(window).width < 800
    window.session.submit(Undo())
    frame(window)
    assert settings(window).width == 1000
    assert living(window).max() == 900


def test_edges_and_what_only_turning_edges_have(window: FlockWindow) -> None:
    type_into(window, "##Settings/Settings.margin", "77")
    assert settings(window).margin == 50
    press(window, "##Settings/Settings.edges")
    press(window, "turn")
    assert settings(window).edges == "turn"
    type_into(window, "##Settings/Settings.margin", "77")
    type_into(window, "##Settings/Settings.acceleration", "150")
    assert (settings(window).margin, settings(window).acceleration) == (77, 150)


def test_backdrop_tick_rate_and_population_limit(window: FlockWindow) -> None:
    press(window, "##Settings/Settings.backdrop")
    press(window, "sea")
    type_into(window, "##Settings/Settings.tick_rate", "30")
    type_into(window, "##Settings/Settings.population_limit", "500")
    now = settings(window)
    assert (now.backdrop, now.tick_rate, now.population_limit) == ("sea", 30, 500)
    assert window.session.clock.tick_rate == 30


def test_a_double_click_brings_back_the_scene_s_size(window: FlockWindow) -> None:
    type_into(window, "##Settings/Settings.width", "600")
    frame(window, 1)
    twice(window, *look(window).places["##Settings/Settings.width"])
    assert settings(window).width == 1000


@pytest.mark.parametrize(("width", "why"), [("0", "must be at least 1."), ("9999999", "must be at most 1,000,000.")])
def test_a_size_that_can_not_be_is_refused(window: FlockWindow, width: str, why: str) -> None:
    type_into(window, "##Settings/Settings.width", width)
    assert why in window.session.messages.log[-1].text
    assert settings(window).width == 1000


def test_a_seed_is_typed_or_thrown(window: FlockWindow) -> None:
    type_seed(window, "4711")
    assert window.simulation.world.seed == 4711
    press(window, f"{icons.ICON_FA_DICE}##new seed")
    assert window.simulation.world.seed not in (1, 4711)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("-5", "Seed must be at least 0."),
        ("abc", "“abc” is not a number."),
        ("1e30", "Seed must be at most 4,611,686,018,427,387,904."),
        ("1e400", "Seed must be at most 4,611,686,018,427,387,904."),
        ("2.5", "Seed must be a whole number."),
    ],
)
def test_a_seed_that_is_none_is_refused(window: FlockWindow, typed: str, said: str) -> None:
    type_seed(window, typed)
    assert window.session.messages.newest == said
    assert window.simulation.world.seed == 1


@pytest.mark.parametrize(("typed", "seed"), [("", 1), ("1e5", 100_000), ("4611686018427387903", 2**62 - 1)])
def test_a_seed_is_exactly_what_was_typed(window: FlockWindow, typed: str, seed: int) -> None:
    type_seed(window, typed)
    assert window.simulation.world.seed == seed


def test_a_world_in_which_its_animals_find_no_room_is_told(window: FlockWindow) -> None:
    type_into(window, "##Settings/Settings.height", "100")
    assert not window.session.messages.log
    type_into(window, "##Settings/Settings.width", "1")
    assert window.session.messages.newest == (
        "There is no room for 3 animals in a world of 1 x 100 u: undo, or place fewer."
    )
    assert settings(window).width == 1


def test_of_another_world_it_shows_the_first_prefab_in_use(window: FlockWindow) -> None:
    """Not the one that was chosen in the world before, of which there may be none."""
    press(window, "##kind")
    press(window, "pike##kind")
    assert panel(window, "world")._typed == "pike"
    window.show(Simulation(pond(duck(100, 100))), lambda: Simulation(pond(duck(100, 100))))
    assert "duck   1" in look(window).text
    assert panel(window, "world")._typed == "duck"


def test_when_a_new_prefab_is_undone_another_one_is_shown_with_its_own_name(window: FlockWindow) -> None:
    press(window, NEW)
    assert "duck 2   0" in look(window).text
    window.session.submit(Undo())
    frame(window)
    assert "duck   2" in look(window).text
    assert panel(window, "world")._typed == "duck"


def test_clearing_a_prefab_asks_first(window: FlockWindow) -> None:
    press(window, f"{icons.ICON_FA_ERASER} Clear duck##kind")
    assert "2 of duck" in look(window).text
    press(window, "Keep")
    assert len(living(window)) == 3
    press(window, f"{icons.ICON_FA_ERASER} Clear duck##kind")
    press(window, "Remove")
    assert window.simulation.populations() == {"pike": 1}


def test_clearing_everything_asks_first_and_is_undone(window: FlockWindow) -> None:
    press(window, CLEAR_ALL)
    assert len(living(window)) == 3
    tap(window, key.ESCAPE)
    assert len(living(window)) == 3
    press(window, CLEAR_ALL)
    press(window, "Remove")
    assert len(living(window)) == 0
    window.session.submit(Undo())
    frame(window)
    assert len(living(window)) == 3


def test_a_prefab_is_copied_under_a_free_name(window: FlockWindow) -> None:
    press(window, NEW)
    assert list(window.simulation.world.prefabs) == ["duck", "pike", "duck 2"]
    press(window, NEW)
    assert "duck 3" in window.simulation.world.prefabs


def test_a_prefab_is_made_with_a_name(window: FlockWindow) -> None:
    name_it(window, "mallard")
    press(window, NEW)
    assert "mallard" in window.simulation.world.prefabs
    assert "mallard" in window.session.messages.newest


def test_a_prefab_is_renamed(window: FlockWindow) -> None:
    name_it(window, "mallard")
    press(window, RENAME)
    assert list(window.simulation.world.prefabs) == ["mallard", "pike"]
    assert window.simulation.populations() == {"mallard": 2, "pike": 1}
    assert f"{icons.ICON_FA_ERASER} Clear mallard##kind" in look(window).places


def test_a_name_is_shown_whole_whatever_is_in_it(window: FlockWindow) -> None:
    name_it(window, "50%d ##1")
    press(window, RENAME)
    assert f"{icons.ICON_FA_ERASER} Clear 50%d # #1##kind" in look(window).places


def test_a_name_that_is_taken_is_refused(window: FlockWindow) -> None:
    name_it(window, "pike")
    press(window, RENAME)
    assert "already a prefab 'pike'" in window.session.messages.newest
    press(window, NEW)
    assert list(window.simulation.world.prefabs) == ["duck", "pike"]


def test_a_word_is_in_the_field_with_the_next_frame(window: FlockWindow) -> None:
    press(window, "##name")
    for letter in "vacay":
        symbol = getattr(key, letter.upper())
        send(window, ("on_key_press", symbol, 0), ("on_text", letter), ("on_key_release", symbol, 0))
    window.on_draw()
    assert panel(window, "world")._typed.endswith("vacay")


def test_what_a_mod_declares_for_the_world_is_set_there(open_on: OpenWindow, tmp_path: Path) -> None:
    window = with_mod(open_on, tmp_path / "seasons", SEASONS)
    world = window.simulation.world
    season: Any = world.resource(world.declared["Season"])
    type_into(window, "##Season/Season.warmth", "0.75")
    press(window, "##Season/Season.kind")
    press(window, "autumn")
    assert (season.warmth, season.kind) == (0.75, "autumn")
    window.session.submit(Undo())
    frame(window)
    assert season.kind == "spring"
    twice(window, *look(window).places["##Season/Season.warmth"])
    assert season.warmth == 0.5


def test_a_grid_of_a_mod_is_no_line_there(open_on: OpenWindow, tmp_path: Path) -> None:
    """Only systems write it."""
    window = with_mod(open_on, tmp_path / "paper", PAPER)
    seen = look(window)
    assert "##Paper/Paper.damp" in seen.places
    assert "##Paper/Paper.ink" not in seen.places


def test_a_text_and_a_list_are_typed_there(open_on: OpenWindow, tmp_path: Path) -> None:
    window = with_mod(open_on, tmp_path / "names", NAMES)
    world = window.simulation.world
    names: Any = world.resource(world.declared["Names"])
    press(window, "##Names/Names.motto")
    write(window, "ahoi")
    assert names.motto == ""  # until it is whole
    tap(window, key.ENTER)
    assert names.motto == "ahoi"
    press(window, "##Names/Names.chances")
    write(window, "0.1")
    tap(window, key.ENTER)
    write(window, "0.05")
    press(window, "##Names/Names.motto")
    assert names.chances == pytest.approx((0.1, 0.05))
    press(window, "##Names/Names.chances")
    tap(window, key.A, key.MOD_CTRL)
    write(window, "x")
    press(window, "##Names/Names.motto")
    assert names.chances == pytest.approx((0.1, 0.05))
    assert "entry 1 must be a number, 0 to 0.1" in window.session.messages.log[-1].text
    window.session.submit(Undo())
    window.session.submit(Undo())
    frame(window)
    assert (names.motto, names.chances) == ("", ())
