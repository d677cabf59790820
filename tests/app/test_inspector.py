"""The inspector: those who are selected, prefabs, systems, and the search over all of them."""

from __future__ import annotations

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import key
from imgui_bundle import icons_fontawesome_6 as icons

from components.store.prefab import Prefab
from sandbox.app.fields.selected_entities import Members
from sandbox.app.gui.prefab_combo import counts_of, in_order
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import Clear, Despawn, SetField, SetSetting, Spawn, Undo

from .conftest import OpenWindow, send
from .fields import SIZE, down, drag, duck, frame, pike, pond, press, tap, twice, type_into, up, write
from .widgets import look


def opened(open_on: OpenWindow, size: tuple[int, int] = SIZE) -> FlockWindow:
    """Ducks 1 and 2, pike 3; time stands."""
    window = open_on(pond(duck(100, 100), duck(200, 100), pike(300, 300)), size, panels=["inspector"])
    window.session.clock.paused = True
    frame(window)
    press(window, "Prefabs")
    return window


def value(window: FlockWindow, serial: int, key: str) -> float:
    table = window.simulation.world.table
    return float(table.columns[key][table.rows_of(np.array([serial]))[0]])


def test_one_who_is_selected_is_told_and_edited_alone(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.selection.choose([2])
    seen = look(window)
    assert "duck 2" in seen.text
    type_into(window, "##selected/Motion.max_speed", "33")
    assert [value(window, n, "Motion.max_speed") for n in (1, 2, 3)] == [100, 33, 100]
    assert window.simulation.world.prefabs["duck"].components["Motion"]["max_speed"] == 100


def test_places_are_numbers_too(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.selection.choose([2])
    type_into(window, "##selected/Position.x", "345.5")
    assert value(window, 2, "Position.x") == 345.5
    left, low, right, high = look(window).boxes["##selected/Position.x"]
    twice(window, (left + right) / 2, (low + high) / 2)
    assert value(window, 2, "Position.x") == 345.5  # there is no usual place


def test_several_show_where_they_differ_and_are_edited_together(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.submit(SetField("Motion.max_speed", 50, (2,)))
    frame(window)
    window.session.selection.choose([1, 2])
    assert "2 duck" in look(window).text
    drag(window, "##selected/Motion.max_speed", 30)
    speeds = [value(window, n, "Motion.max_speed") for n in (1, 2)]
    assert speeds[0] == speeds[1] > 50
    window.session.submit(Undo())
    frame(window)
    assert [value(window, n, "Motion.max_speed") for n in (1, 2)] == [100, 50]


def test_where_several_differ_both_ends_are_told(open_on: OpenWindow) -> None:
    window = opened(open_on)
    for name, other in (("Look.size", 9), ("Look.shape", "wolf"), ("Look.colour", "#ff0000")):
        window.session.submit(SetField(name, other, (2,)))
    frame(window)
    window.session.selection.choose([1, 2])
    members = Members(window.session)
    assert members.is_current()
    fields = window.simulation.world.table.components["Look"].fields
    assert members.read(fields["size"])[:2] == (5, 9)
    assert all(members.read(fields[name]).mixed for name in ("size", "shape", "colour"))
    assert "colour, mixed" in look(window).texts


def test_of_several_prefabs_only_what_all_have_is_shown(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.selection.choose([1, 2, 3])
    seen = look(window)
    assert "3: 2 duck, 1 pike" in seen.text
    assert "##selected/Look.size" in seen.places
    assert "##selected/Perception.radius" not in seen.places
    assert "##selected/Energy.level" not in seen.places


def test_one_entity_is_reset_to_its_prefab(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.selection.choose([2])
    type_into(window, "##selected/Motion.max_speed", "33")
    frame(window, 1)
    left, low, right, high = look(window).boxes["##selected/Motion.max_speed"]
    twice(window, (left + right) / 2, (low + high) / 2)
    assert value(window, 2, "Motion.max_speed") == 100


def test_of_several_prefabs_each_is_reset_to_its_own(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.submit(SetField("Look.size", 7, prefab="pike"))
    window.session.submit(SetField("Look.size", 9, (2, 3)))
    frame(window)
    window.session.selection.choose([2, 3])
    frame(window, 1)
    left, low, right, high = look(window).boxes["##selected/Look.size"]
    twice(window, (left + right) / 2, (low + high) / 2)
    assert [value(window, n, "Look.size") for n in (2, 3)] == [5, 7]
    window.session.submit(Undo())
    frame(window)
    assert [value(window, n, "Look.size") for n in (2, 3)] == [9, 9]


def test_what_is_typed_for_one_is_not_given_to_another(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.selection.choose([1])
    press(window, "##selected/Motion.max_speed", key.MOD_CTRL)
    write(window, "44")
    window.session.selection.choose([2])
    frame(window)
    tap(window, key.ENTER)
    assert value(window, 2, "Motion.max_speed") == 100


def test_those_who_die_leave_the_inspector(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.selection.choose([2])
    assert "duck 2" in look(window).text
    window.session.submit(Despawn((1,)))  # rows move
    frame(window)
    type_into(window, "##selected/Motion.max_speed", "61")
    assert value(window, 2, "Motion.max_speed") == 61
    press(window, f"{icons.ICON_FA_TRASH_CAN}##delete")
    assert window.simulation.world.table.size == 1
    assert "Selected" not in look(window).places


def test_a_drag_goes_on_when_one_of_many_dies(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.selection.choose([1, 2, 3])
    label = "##selected/Motion.max_speed"
    left, low, right, high = look(window).boxes[label]
    x, y = round((left + right) / 2), round((low + high) / 2)
    down(window, x, y)
    for step in (10, 20, 30):
        send(window, ("on_mouse_drag", x + step, y, 10, 0, LEFT, 0))
        frame(window)
    before = value(window, 1, "Motion.max_speed")
    window.session.submit(Despawn((2,)))
    for _ in range(2):
        frame(window)
    send(window, ("on_mouse_drag", x + 60, y, 40, 0, LEFT, 0))
    frame(window)
    up(window, x + 60, y)
    assert value(window, 1, "Motion.max_speed") == value(window, 3, "Motion.max_speed") > before > 100


def test_the_selected_are_copied(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.selection.choose([1, 2])
    press(window, f"{icons.ICON_FA_COPY}##copy")
    assert len(window.session.document.copied.copies) == 2


def test_following_and_explaining(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.selection.choose([2])
    press(window, f"{icons.ICON_FA_CROSSHAIRS}##follow")
    assert window.session.view.following
    press(window, f"{icons.ICON_FA_CROSSHAIRS}##follow")
    assert not window.session.view.following
    press(window, f"{icons.ICON_FA_LIGHTBULB}##explain")
    assert "explain" in window.session.preferences.open


def test_in_a_world_with_depth_one_rides_by_a_button_beside_follow(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.selection.choose([2])
    ride, follow = f"{icons.ICON_FA_HORSE}##ride", f"{icons.ICON_FA_CROSSHAIRS}##follow"
    assert ride not in look(window).places
    window.session.submit(SetSetting("depth", 300.0))
    frame(window)
    boxes = look(window).boxes
    assert boxes[follow][2] < boxes[ride][0] < boxes[f"{icons.ICON_FA_COPY}##copy"][0]
    assert boxes[follow][1] == boxes[ride][1]
    for words, rides in (("Ride on the selection (Shift+F)", True), ("Stop riding (Shift+F)", False)):
        send(window, ("on_mouse_motion", *look(window).places[ride], 0, 0))
        for _ in range(60):
            frame(window, 0.02)
        assert words in look(window).text
        press(window, ride)
        assert window.session.view.riding is rides


def test_everybody_of_a_prefab_is_selected(open_on: OpenWindow) -> None:
    window = opened(open_on)
    press(window, f"{icons.ICON_FA_OBJECT_GROUP} Select all##prefab")
    assert window.session.selection.serials == (1, 2)


def test_prefabs_in_use_come_first(open_on: OpenWindow) -> None:
    window = open_on(pond(pike(300, 300)), SIZE, panels=["inspector"])
    press(window, "Prefabs")
    assert "##pike/Motion.max_speed" in look(window).places
    press(window, "##prefab")
    seen = look(window)
    assert seen.places["pike##prefab"][1] > seen.places["duck##prefab"][1]


def test_a_prefab_is_as_the_scene_had_it_again(open_on: OpenWindow) -> None:
    window = opened(open_on)
    type_into(window, "##duck/Motion.max_speed", "61")
    press(window, "More##duck/Motion")
    press(window, "##duck/Motion.drag_after_clamp")
    press(window, f"{icons.ICON_FA_ROTATE_LEFT} Reset##prefab")
    prefab = window.simulation.world.prefabs["duck"].components["Motion"]
    assert prefab["max_speed"] == 100
    assert not prefab["drag_after_clamp"]
    window.session.submit(Undo())  # both at once
    frame(window)
    assert value(window, 1, "Motion.max_speed") == 61
    assert value(window, 1, "Motion.drag_after_clamp") == 1


def test_those_who_are_born_have_what_was_set(open_on: OpenWindow) -> None:
    window = opened(open_on)
    type_into(window, "##duck/Motion.max_speed", "61")
    window.session.submit(Spawn(duck(400, 400)))
    frame(window)
    assert value(window, 4, "Motion.max_speed") == 61


def test_fields_are_found_by_name_over_all(open_on: OpenWindow) -> None:
    window = opened(open_on)
    press(window, "##search")
    write(window, "max speed")
    seen = look(window)
    assert {"##duck/Motion.max_speed", "##pike/Motion.max_speed"} <= set(seen.places)
    assert "##duck/Motion.min_speed" not in seen.places
    type_into(window, "##pike/Motion.max_speed", "21")
    assert value(window, 3, "Motion.max_speed") == 21
    assert value(window, 1, "Motion.max_speed") == 100


def without_pikes(open_on: OpenWindow) -> FlockWindow:
    window = open_on(pond(duck(100, 100), duck(200, 100)), SIZE, panels=["palette", "inspector"])
    window.session.clock.paused = True
    frame(window)
    return window


def test_the_search_finds_fields_of_kinds_of_whom_nobody_lives_yet(open_on: OpenWindow) -> None:
    window = without_pikes(open_on)
    press(window, "##search")
    write(window, "hunts")
    assert "##pike/Predator.hunts" in look(window).places


def test_the_kind_that_is_taken_into_the_hand_is_shown_under_prefabs(open_on: OpenWindow) -> None:
    window = without_pikes(open_on)
    press(window, "##tool predator")
    press(window, "Prefabs")
    assert "##pike/Motion.max_speed" in look(window).places
    press(window, "##prefab")  # in the inspector one is free to look at another
    press(window, "duck##prefab")
    press(window, "##tool select")
    assert "##duck/Motion.max_speed" in look(window).places


def test_a_search_that_finds_nothing_says_so(open_on: OpenWindow) -> None:
    window = opened(open_on)
    press(window, "##search")
    write(window, "xyzzy")
    assert "No matches." in look(window).texts
    press(window, f"{icons.ICON_FA_XMARK}##search")
    assert "##duck/Motion.max_speed" in look(window).places


@pytest.mark.parametrize(("theme", "text"), [("dark", 1.0), ("light", 1.5)])
def test_every_widget_stands_inside_the_panel(open_on: OpenWindow, theme: str, text: float) -> None:
    window = opened(open_on, (800, 600) if text == 1 else (1000, 720))
    window.session.preferences.theme, window.session.preferences.text = theme, text
    window.session.selection.choose([3])
    seen, widgets = look(window, 3), 0
    for label, (left, _, right, _) in seen.boxes.items():
        if label.startswith("##") and "/" in label:
            widgets += 1
            assert window.width / 2 < left < right <= window.width - 8
            assert right - left > 90 or label.endswith("after_clamp")
    assert widgets > 8


def test_with_somebody_selected_prefabs_and_systems_stay_one_click_away(open_on: OpenWindow) -> None:
    window = opened(open_on)
    window.session.selection.choose([1])
    seen = look(window, 3).places
    assert {"Selected", "Prefabs", "##search"} <= set(seen)
    assert "##selected/Motion.max_speed" in seen
    press(window, "Prefabs")
    assert "##duck/Motion.max_speed" in look(window).places
    window.session.selection.choose([3])  # somebody else is what a person now looks at
    assert "##selected/Motion.max_speed" in look(window, 3).places
    window.session.selection.choose(())
    assert "Selected" not in look(window, 3).places


def test_what_people_play_with_stands_first_and_the_rest_under_more(open_on: OpenWindow) -> None:
    window = open_on(pond(duck(300, 400)), SIZE, panels=["inspector"])
    window.session.selection.choose([1])
    seen = look(window, 3).places
    headings = [label.partition("##")[0] for label in seen if label.endswith("##selected")]
    assert headings == ["Perception", "Motion", "Prey", "Look", "Position", "Velocity"]
    assert "##selected/Motion.drag_after_clamp" not in seen
    press(window, "More##selected/Motion")
    assert "##selected/Motion.drag_after_clamp" in look(window).places


def test_an_empty_set_of_prefabs_says_whom_it_means(open_on: OpenWindow) -> None:
    window = open_on(pond(pike(300, 400)), SIZE, panels=["inspector"])
    press(window, "Prefabs")
    seen = look(window, 3)
    assert "##pike/Predator.hunts" in seen.places
    assert "everyone" in seen.texts


def test_the_kind_that_lives_most_is_shown_and_the_list_keeps_its_order(open_on: OpenWindow) -> None:
    window = open_on(pond(pike(300, 400), duck(100, 100), duck(200, 100)), SIZE, panels=["inspector"])
    press(window, "Prefabs")
    assert "##duck/Motion.max_speed" in look(window).places
    before = in_order(window.session, counts_of(window.session))
    window.session.submit(Clear("pike"))
    frame(window)
    assert in_order(window.session, counts_of(window.session)) == before


# ---- what only worlds with depth have


def lake(open_on: OpenWindow, depth: float) -> FlockWindow:
    """Leaf 1, a rock 2 and a whirl 3; time stands."""
    scene = pond(
        Entry("leaf", at=(100, 100), velocity=(0, 0)), Entry("rock", at=(300, 300)), Entry("whirl", at=(500, 300))
    )
    scene.prefabs["leaf"] = Prefab("leaf", {"Position": {}, "Velocity": {}, "Look": {}})
    scene.prefabs["rock"] = Prefab("rock", {"Position": {}, "Obstacle": {}, "Look": {}})
    scene.prefabs["whirl"] = Prefab("whirl", {"Position": {}, "Wind": {}, "Look": {}})
    scene.settings.depth = depth
    window = open_on(scene, SIZE, panels=["inspector"])
    window.session.clock.paused = True
    frame(window)
    return window


ONLY_DEEP = {1: ["Position.z", "Velocity.z"], 2: ["Obstacle.pillar", "Position.z"], 3: ["Wind.axis", "Wind.tilt"]}


@pytest.mark.parametrize("depth", [0.0, 500.0])
def test_fields_that_only_worlds_with_depth_have_are_shown_in_these_alone(open_on: OpenWindow, depth: float) -> None:
    window = lake(open_on, depth)
    for serial, keys in ONLY_DEEP.items():
        window.session.selection.choose([serial])
        labels = " ".join(look(window).places)
        assert [key for key in keys if f"##selected/{key}" in labels] == (keys if depth else [])


def test_what_is_found_and_chosen_stays_through_a_change_of_depth(open_on: OpenWindow) -> None:
    window = lake(open_on, 0)
    for label in ("Prefabs", "##prefab", "whirl##prefab"):
        press(window, label)
    press(window, "##search")
    write(window, "tilt")
    for depth in (500.0, 0.0):
        window.session.submit(SetSetting("depth", depth))
        frame(window)
        assert ("##whirl/Wind.tilt" in look(window).places) == bool(depth)
    press(window, f"{icons.ICON_FA_XMARK}##search")
    assert "##whirl/Wind.strength" in look(window).places


def test_a_third_coordinate_is_typed_and_undone(open_on: OpenWindow) -> None:
    window = lake(open_on, 500)
    window.session.selection.choose([2])
    type_into(window, "##selected/Position.z", "345.5")
    assert value(window, 2, "Position.z") == 345.5
    window.session.submit(Undo())
    frame(window)
    assert value(window, 2, "Position.z") == 250


def test_a_rock_becomes_a_pillar_and_all_rocks_do(open_on: OpenWindow) -> None:
    window = lake(open_on, 500)
    window.session.selection.choose([2])
    press(window, "##selected/Obstacle.pillar")
    assert value(window, 2, "Obstacle.pillar")
    window.session.submit(Undo())
    frame(window)
    assert not value(window, 2, "Obstacle.pillar")
    press(window, "Prefabs")
    press(window, "##prefab")
    press(window, "rock##prefab")
    press(window, "##rock/Obstacle.pillar")
    assert value(window, 2, "Obstacle.pillar")
    assert window.simulation.world.prefabs["rock"].components["Obstacle"]["pillar"]
    window.session.submit(Undo())
    frame(window)
    assert not value(window, 2, "Obstacle.pillar")
