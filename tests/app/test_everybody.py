"""The inspector's tab Everybody: six sliders for all animals, a surprise, and presets."""

from __future__ import annotations

from pathlib import Path

import pytest
from arcade import key
from imgui_bundle import icons_fontawesome_6 as icons

from components.store.fields import Field
from components.store.prefab import Prefab
from sandbox.app.fields.binding import Reading, of_prefab
from sandbox.app.window import FlockWindow
from sandbox.design.presets import Presets, factors_now
from sandbox.design.scene import Scene
from sandbox.edit import SetField, SetPrefabs, SetTables
from tests.recordings import meta_in

from .conftest import OpenWindow, send
from .fields import A_WHILE, SIZE, down, drag, duck, frame, pike, pond, press, tap, twice, up, write
from .mouse import steps, values
from .widgets import look

SURPRISE = f"{icons.ICON_FA_DICE}  Surprise me##everybody"
KEEP = f"{icons.ICON_FA_HEART}  Keep##everybody"
RESET = f"{icons.ICON_FA_ROTATE_LEFT}  Reset##everybody"


def flocking() -> Scene:
    """Ducks 1 and 2 and pike 3, all of which flock; ducks see 50 u far, pikes nothing."""
    scene = pond(duck(100, 100), duck(200, 100), pike(300, 300))
    for prefab in scene.prefabs.values():
        prefab.components["Flocker"] = {"cohesion_strength": 2.0 if prefab.name == "duck" else 1.0}
    return scene


def opened(open_on: OpenWindow, size: tuple[int, int] = SIZE) -> FlockWindow:
    window = open_on(flocking(), size, panels=["inspector"])
    window.session.clock.paused = True
    frame(window)
    return window


def kept(window: FlockWindow) -> dict[str, dict[str, float]]:
    frame(window)
    return {name: dict(own) for name, own in window.simulation.world.resource(Presets).kept.items()}


def rename(window: FlockWindow, name: str, text: str, end: int) -> None:
    press(window, f"{icons.ICON_FA_PEN}##{name}")
    look(window, 3)  # until the field has the keyboard
    write(window, text)
    tap(window, end)


def undo(window: FlockWindow) -> None:
    window.session.document.undo()
    frame(window)


def test_the_inspector_opens_on_everybody_and_who_is_selected_comes_to_the_front(open_on: OpenWindow) -> None:
    window = opened(open_on)
    seen = look(window, 3)
    assert next(label for label in seen.places if label in ("Everybody", "Prefabs")) == "Everybody"
    assert "##everybody/cohesion" in seen.places
    window.session.selection.choose([1])
    seen = look(window, 3)
    assert "##selected/Motion.max_speed" in seen.places
    assert {"Everybody", "Selected", "Prefabs"} <= seen.places.keys()
    assert "##everybody/cohesion" not in seen.places


def test_a_drag_turns_all_animals_in_shares_of_what_the_scene_says_and_is_one_step(open_on: OpenWindow) -> None:
    window = opened(open_on)
    drag(window, "##everybody/cohesion", 60)
    duck_has, _, pike_has = values(window, "Flocker.cohesion_strength")
    assert 2 < duck_has == 2 * pike_has < 8
    assert window.simulation.world.prefabs["pike"].components["Flocker"]["cohesion_strength"] == pytest.approx(pike_has)
    assert f"{pike_has:.0%}" in look(window).texts
    assert steps(window) == ["cohesion of everybody"]
    undo(window)
    assert values(window, "Flocker.cohesion_strength") == [2, 2, 1]
    assert look(window).texts.count("100%") == 6


def test_a_slider_goes_from_little_to_four_times_with_the_scene_in_the_middle(open_on: OpenWindow) -> None:
    window = opened(open_on)
    for side, factor in ((0.99, 4), (0.01, 0), (0.5, 1)):
        press(window, "##everybody/cohesion", side=side)
        assert factors_now(window.simulation.world, "cohesion") == [factor] * 2
    for side, factor in ((0.99, 4), (0.01, 0.1), (0.5, 1)):  # who had no speed at all would not find out of it
        press(window, "##everybody/speed", side=side)
        assert factors_now(window.simulation.world, "speed") == [factor] * 2


def test_a_double_click_goes_back_to_the_scene_in_one_step(open_on: OpenWindow) -> None:
    window = opened(open_on)
    drag(window, "##everybody/size", 60)
    frame(window, A_WHILE * 2)
    left, low, right, high = look(window).boxes["##everybody/size"]
    twice(window, left + 0.3 * (right - left), (low + high) / 2)
    assert values(window, "Look.size") == [5, 5, 5]
    assert len(steps(window)) == 2
    undo(window)
    assert values(window, "Look.size")[0] > 5


def test_where_prefabs_differ_from_the_scene_it_says_mixed_and_the_mean(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.submit(SetField("Look.size", 10, prefab="pike"))
    frame(window)
    assert "mixed, 150%" in look(window).texts


def test_a_value_that_its_field_can_not_hold_is_as_near_as_it_can_be_and_nobody_is_told(open_on: OpenWindow) -> None:
    window = opened(open_on)
    prefabs = window.simulation.scene.prefabs
    prefabs["duck"] = Prefab("duck", {**prefabs["duck"].components, "Perception": {"radius": 9000.0}})
    press(window, "##everybody/sight", side=0.99)
    assert values(window, "Perception.radius", [1, 2]) == [10_000] * 2
    assert not window.session.messages.log


def test_a_world_saved_and_opened_again_knows_what_the_scene_had(open_on: OpenWindow, tmp_path: Path) -> None:
    window = opened(open_on)
    window.session.submit(SetPrefabs((("duck", "Flocker.cohesion_strength", 0.02), ("pike", "Look.size", 20.0))))
    window.session.submit(SetTables("presets", {"tight": {"cohesion": 1.5}}))
    frame(window)
    for _ in range(2):  # and once more, from there
        window.simulation.save(tmp_path / "mine.boids")
        window.session.document.unsaved.saved()
        digest, before = window.simulation.digest(), window.simulation
        send(window, ("on_file_drop", 5, 5, [str(tmp_path / "mine.boids")]))
        window.on_update(0)
        window.session.clock.paused = True
        assert window.simulation is not before
        assert window.simulation.digest() == digest
        assert factors_now(window.simulation.world, "cohesion") == pytest.approx([0.01, 1.0])
    assert "mixed, 50%" in look(window).texts
    press(window, "Prefabs")
    assert of_prefab(window.session, "duck")(cohesion(window)).get() == Reading(pytest.approx(0.02))
    assert of_prefab(window.session, "duck")(cohesion(window)).changed
    assert not of_prefab(window.session, "pike")(cohesion(window)).changed
    press(window, "Everybody")
    press(window, "tight##preset")
    assert values(window, "Flocker.cohesion_strength") == [3, 3, 1.5]
    press(window, RESET)
    assert values(window, "Flocker.cohesion_strength") == [2, 2, 1]
    assert look(window).texts.count("100%") == 6
    window.simulation.save(tmp_path / "mine.boids")
    assert "usual" not in meta_in(tmp_path / "mine.boids")


def cohesion(window: FlockWindow) -> Field:
    return window.simulation.world.table.field("Flocker.cohesion_strength")


def test_what_nobody_has_can_not_be_turned(open_on: OpenWindow) -> None:
    window = open_on(pond(duck(100, 100)), SIZE, panels=["inspector"])  # it does not flock
    assert "none" in look(window, 3).texts
    press(window, "##everybody/cohesion", side=0.9)
    assert not steps(window)


def test_words_for_people_show_on_hover(open_on: OpenWindow) -> None:
    window = opened(open_on)
    x, y = look(window).places["##everybody/sight"]
    send(window, ("on_mouse_motion", x, y, 0, 0))
    for _ in range(60):
        frame(window, 0.02)
    assert "How far each animal sees; it follows only those it sees." in look(window).text


def test_a_surprise_turns_all_six_in_one_step_and_tells_how(open_on: OpenWindow) -> None:
    window = opened(open_on)
    before = values(window, "Look.colour")
    press(window, SURPRISE)
    assert steps(window) == ["surprise"]
    factors = {name: factors_now(window.simulation.world, name)[0] for name in ("cohesion", "size", "speed")}
    assert any(factor != 1 for factor in factors.values())
    said = window.session.messages.newest
    assert said.startswith("Surprise: ")
    assert all(f"{name} {factor:.0%}" in said for name, factor in factors.items() if factor != 1)
    assert values(window, "Look.colour") == before
    undo(window)
    assert factors_now(window.simulation.world, "size") == [1, 1]


def test_reset_goes_back_to_the_scene_in_one_step(open_on: OpenWindow) -> None:
    window = opened(open_on)
    for name in ("cohesion", "speed"):
        press(window, f"##everybody/{name}", side=0.8)
    press(window, RESET)
    assert window.simulation.world.prefabs == window.simulation.scene.prefabs
    assert len(steps(window)) == 3


def test_a_preset_is_kept_named_applied_and_removed(open_on: OpenWindow) -> None:
    window = opened(open_on)
    press(window, "##everybody/size", side=0.99)
    press(window, KEEP)
    assert kept(window)["Preset 1"]["size"] == 4
    press(window, RESET)
    press(window, KEEP)
    press(window, "Preset 1##preset")
    assert values(window, "Look.size") == [20] * 3
    press(window, "Preset 2##preset")
    assert values(window, "Look.size") == [5] * 3

    rename(window, "Preset 1", "huge", key.ENTER)
    assert [*kept(window)] == ["huge", "Preset 2"]
    press(window, f"{icons.ICON_FA_XMARK}##Preset 2")
    assert [*kept(window)] == ["huge"]
    for names in (["huge", "Preset 2"], ["Preset 1", "Preset 2"]):
        undo(window)
        assert [*kept(window)] == names


def test_two_presets_have_two_names_and_escape_leaves_a_name(open_on: OpenWindow) -> None:
    window = opened(open_on)
    for _ in range(2):
        press(window, KEEP)
    rename(window, "Preset 1", "Preset 2", key.ENTER)
    assert [*kept(window)] == ["Preset 1", "Preset 2"]
    assert "already" in window.session.messages.newest
    rename(window, "Preset 1", "other", key.ESCAPE)
    assert [*kept(window)] == ["Preset 1", "Preset 2"]


def test_more_leads_to_every_field(open_on: OpenWindow) -> None:
    window = opened(open_on)
    press(window, "More##everybody")
    assert "##duck/Motion.max_speed" in look(window, 3).places


def test_a_slider_is_held_while_the_world_goes_on(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.clock.paused = False
    left, low, right, high = look(window).boxes["##everybody/size"]
    x, y = (left + right) / 2, (low + high) / 2
    down(window, x, y)
    for step in range(10, 60, 10):
        send(window, ("on_mouse_drag", round(x + step), round(y), 10, 0, 1, 0))
        frame(window, 0.5)
    up(window, x + 50, y)
    assert len(steps(window)) == 1
    assert values(window, "Look.size", [1])[0] > 5


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", [(800, 600), (1440, 900)])
def test_everything_stands_inside_the_panel(open_on: OpenWindow, theme: str, size: tuple[int, int]) -> None:
    window = opened(open_on, size)
    window.session.preferences.theme = theme
    press(window, KEEP)
    seen = look(window, 3)
    for label, (left, low, right, _) in seen.boxes.items():
        if "everybody" in label or "preset" in label:
            assert size[0] / 2 < left < right <= size[0] - 8, label
            assert low > 0, label
