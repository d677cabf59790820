"""A widget for every kind of field, changed by the events of a hand: what it shows is what the world has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from arcade import key

import sandbox
from components.store.declare import choice, colour, component, integer, number, prefabs, quantity, switch, vector
from components.store.fields import AMOUNT_SCALE, Field
from components.store.prefab import Prefab
from sandbox.app.fields.binding import Binding, Reading
from sandbox.app.fields.kinds import animals_first
from sandbox.app.fields.lines import line
from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.ui import Ui
from sandbox.app.session.session import Session
from sandbox.app.window import FlockWindow
from sandbox.edit import CommandQueue, SetField, Undo
from sandbox.parts import BUILT_IN
from sandbox.undo.history import History
from systems.engine.app import App
from systems.engine.settings import Settings

from .conftest import OpenWindow, send
from .fields import SIZE, down, drag, duck, frame, pike, pond, press, tap, twice, type_into, up, write
from .panels import scroll_to
from .widgets import look

Opened = Callable[..., FlockWindow]


@pytest.fixture
def inspector(open_on: OpenWindow) -> Opened:
    """A window whose inspector shows a prefab, while time stands."""

    def opened(prefab: str = "duck", more: dict[str, dict[str, Any]] | None = None) -> FlockWindow:
        """`more`: components that it has beside its own."""
        scene = pond(duck(100, 100), duck(200, 100), pike(300, 300))
        own = scene.prefabs[prefab]
        scene.prefabs[prefab] = replace(own, components={**(more or {}), **own.components})
        window = open_on(scene, SIZE, panels=["inspector"])
        window.session.clock.paused = True
        window.session.camera.fit()
        frame(window)
        press(window, "Prefabs")
        if prefab != "duck":
            press(window, "##prefab")
            press(window, f"{prefab}##prefab")
        return window

    return opened


def column(window: FlockWindow, name: str, prefab: str = "duck") -> list[Any]:
    world = window.simulation.world
    rows = world.table.prefab[: world.table.size] == world.prefab_index(prefab)
    return [value.item() for value in world.table.columns[name][: world.table.size][rows]]


def of_prefab(window: FlockWindow, owner: str, name: str, prefab: str = "duck") -> Any:
    found: Prefab = window.simulation.world.prefabs[prefab]
    return found.components[owner].get(name)


def steps(window: FlockWindow) -> int:
    return len(window.simulation.world.resource(History).undoable)


def test_a_number_is_dragged_and_all_members_follow(inspector: Opened) -> None:
    window = inspector()
    drag(window, "##duck/Motion.max_speed", 40)
    speed = of_prefab(window, "Motion", "max_speed")
    assert 130 < speed < 160
    assert column(window, "Motion.max_speed") == [pytest.approx(speed)] * 2
    assert column(window, "Motion.max_speed", "pike") == [100]


def test_a_drag_is_undone_at_once(inspector: Opened) -> None:
    window = inspector()
    drag(window, "##duck/Motion.max_speed", 40)
    drag(window, "##duck/Motion.max_speed", 40)
    assert steps(window) == 2
    faster = of_prefab(window, "Motion", "max_speed")
    window.session.submit(Undo())
    frame(window)
    assert 130 < of_prefab(window, "Motion", "max_speed") < faster
    window.session.submit(Undo())
    frame(window)
    assert column(window, "Motion.max_speed") == [100, 100]


def test_a_wide_range_is_dragged_the_faster_the_larger_the_number_is(inspector: Opened) -> None:
    window = inspector()
    drag(window, "##duck/Perception.radius", 100)
    once = of_prefab(window, "Perception", "radius")
    assert 80 < once < 200
    drag(window, "##duck/Perception.radius", 100)
    assert of_prefab(window, "Perception", "radius") - once > 1.5 * (once - 50)
    for _ in range(4):
        drag(window, "##duck/Perception.radius", -150)
    assert of_prefab(window, "Perception", "radius") == 0


@pytest.mark.parametrize("modifiers", [0, key.MOD_CTRL])
def test_a_number_is_typed_after_a_click(inspector: Opened, modifiers: int) -> None:
    window = inspector()
    press(window, "##duck/Motion.max_speed", modifiers)
    write(window, "72.125")
    tap(window, key.ENTER)
    assert column(window, "Motion.max_speed") == [72.125] * 2
    assert steps(window) == 1


def test_a_slider_goes_where_it_is_pressed_and_takes_what_is_typed(inspector: Opened) -> None:
    window = inspector()
    press(window, "##duck/Perception.fov", side=0.25)
    assert 60 < of_prefab(window, "Perception", "fov") < 120
    type_into(window, "##duck/Perception.fov", "123.25")
    assert of_prefab(window, "Perception", "fov") == 123.25


def test_an_integer_is_dragged_and_typed(inspector: Opened) -> None:
    window = inspector()
    press(window, "More##duck/Perception")
    drag(window, "##duck/Perception.neighbours", 40, side=0.1)
    assert 7 < of_prefab(window, "Perception", "neighbours") <= 40
    type_into(window, "##duck/Perception.neighbours", "12")
    assert column(window, "Perception.neighbours") == [12, 12]


def test_a_switch_is_clicked(inspector: Opened) -> None:
    window = inspector()
    press(window, "More##duck/Motion")
    press(window, "##duck/Motion.drag_after_clamp")
    assert column(window, "Motion.drag_after_clamp") == [True, True]
    press(window, "##duck/Motion.drag_after_clamp")
    assert column(window, "Motion.drag_after_clamp") == [False, False]
    assert steps(window) == 2


def test_a_choice_is_made(inspector: Opened) -> None:
    window = inspector()
    press(window, "More##duck/Perception")
    press(window, "##duck/Perception.reach")
    press(window, "topological")
    assert column(window, "Perception.reach") == [1, 1]


def test_a_choice_that_can_not_be_made_says_why(inspector: Opened) -> None:
    window = inspector()
    press(window, "More##duck/Perception")
    window.simulation.world.resource(Settings).edges = "wrap"
    press(window, "##duck/Perception.reach")
    press(window, "everyone")
    assert window.session.messages.newest.startswith("Reach: a mean position is undefined")
    assert column(window, "Perception.reach") == [0, 0]


def test_a_colour_is_typed_and_picked(inspector: Opened) -> None:
    window = inspector()
    press(window, "##duck/Look.colour", side=0.3)
    tap(window, key.A, key.MOD_CTRL)
    write(window, "00ff80")
    tap(window, key.ENTER)
    assert column(window, "Look.colour") == [0x00FF80] * 2
    before = steps(window)
    press(window, "##duck/Look.colour", side=0.97)  # opens the picker
    picker = next(w for w in window.gui.events._context.windows if w.active and "Popup" in w.name)
    x, y = picker.pos.x + 0.3 * picker.size.x, window.height - (picker.pos.y + 0.5 * picker.size.y)
    down(window, x, y)
    up(window, x, y)
    colours = column(window, "Look.colour")
    assert colours[0] == colours[1] != 0x00FF80
    assert steps(window) == before + 1


def test_a_set_of_prefabs_is_checked(inspector: Opened) -> None:
    window = inspector("pike", {"Prey": {}})
    press(window, "##pike/Predator.hunts")
    press(window, "duck##pike/Predator.hunts")
    press(window, "pike##pike/Predator.hunts")
    assert column(window, "Predator.hunts", "pike") == [0b11]
    press(window, "pike##pike/Predator.hunts")
    assert column(window, "Predator.hunts", "pike") == [0b01]


def test_only_whom_it_would_matter_for_is_offered_and_who_was_chosen_before(inspector: Opened) -> None:
    window = inspector("pike")
    press(window, "##pike/Predator.hunts")
    assert "duck##pike/Predator.hunts" in look(window).boxes
    assert "pike##pike/Predator.hunts" not in look(window).boxes
    window.session.submit(SetField("Predator.hunts", ["pike"], prefab="pike"))
    frame(window)
    assert "pike##pike/Predator.hunts" in look(window).boxes


def test_whom_a_set_may_name_begins_with_the_animals_that_live_here() -> None:
    with sandbox.load("reef") as simulation:
        names, living = [*animals_first(simulation.world)], simulation.populations()
        animals = [name for name in names if "Velocity" in simulation.world.prefabs[name].components]
        assert names[: len(animals)] == animals
        here = [name for name in animals if living.get(name)]
        assert animals[: len(here)] == here
        assert 0 < len(here) < len(animals) < len(names)


def test_an_amount_is_typed(inspector: Opened) -> None:
    window = inspector("pike")
    type_into(window, "##pike/Energy.level", "12.5")
    assert column(window, "Energy.level", "pike") == [12.5 * AMOUNT_SCALE]


@pytest.mark.parametrize("end", [key.ENTER, key.TAB])
def test_a_number_out_of_range_is_refused_and_says_why(inspector: Opened, end: int) -> None:
    window = inspector()
    type_into(window, "##duck/Perception.fov", "400", end)
    assert "Fov must be at most 360." in look(window).texts  # below the field
    assert window.session.messages.log[-1].text == "Fov must be at most 360."
    assert of_prefab(window, "Perception", "fov") in (None, 300)
    assert not steps(window)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("abc", "“abc” is not a number."),
        ("12abc", "“12abc” is not a number."),
        ("-1", "Radius must be at least 0."),
        ("1e9", "Radius must be at most 10,000."),
    ],
)
def test_what_is_typed_and_is_no_such_number_changes_nothing_and_says_why(
    inspector: Opened, text: str, said: str
) -> None:
    window = inspector()
    type_into(window, "##duck/Perception.radius", text)
    assert said in look(window).texts
    assert not steps(window)


def test_a_number_may_be_typed_with_its_unit_and_escape_says_nothing(inspector: Opened) -> None:
    window = inspector()
    type_into(window, "##duck/Perception.radius", "120 u")
    assert column(window, "Perception.radius") == [120] * 2
    type_into(window, "##duck/Perception.radius", "abc", key.ESCAPE)
    assert not window.session.messages.log


def test_a_double_click_resets_a_number_to_what_the_scene_says(inspector: Opened) -> None:
    window = inspector()
    press(window, "More##duck/Perception")
    for label, owner, name, other in (
        ("##duck/Motion.max_speed", "Motion", "max_speed", 150),
        ("##duck/Perception.fov", "Perception", "fov", 100),
        ("##duck/Perception.neighbours", "Perception", "neighbours", 3),
    ):
        declared = window.simulation.world.table.components[owner].fields[name]
        usual = window.simulation.scene.prefabs["duck"].components[owner].get(name, declared.default)
        window.session.submit(SetField(f"{owner}.{name}", other, prefab="duck"))
        frame(window)
        before = steps(window)
        left, low, right, high = look(window).boxes[label]
        twice(window, left + 0.3 * (right - left), (low + high) / 2)
        assert of_prefab(window, owner, name) == usual
        assert steps(window) <= before + 1  # with what the first click did to a slider
        frame(window)


def test_a_double_click_on_a_caption_resets_any_kind(inspector: Opened) -> None:
    window = inspector()
    press(window, "##duck/Look.shape")
    press(window, "wolf")
    left, low, _, high = look(window).boxes["##duck/Look.shape"]
    twice(window, left - 100, (low + high) / 2)
    assert of_prefab(window, "Look", "shape") == window.simulation.scene.prefabs["duck"].components["Look"]["shape"]


def test_typing_into_a_field_is_no_shortcut(inspector: Opened) -> None:
    window = inspector()
    window.session.clock.paused = False
    before = window.session.shown.copy(), window.session.hand.number, window.session.preferences.open[:]
    simulation = window.simulation
    press(window, "##duck/Motion.max_speed", key.MOD_CTRL)
    write(window, "rg p.vthb,/[]d")
    tap(window, key.SPACE)
    tap(window, key.DELETE)
    tap(window, key.HOME)
    write(window, "88")
    tap(window, key.ESCAPE)
    assert window.simulation is simulation
    assert not window.session.clock.paused
    assert not window.gui.events.hidden
    assert (window.session.shown, window.session.hand.number, window.session.preferences.open) == before
    assert column(window, "Motion.max_speed") == [100, 100]
    assert not steps(window)
    tap(window, key.SPACE)
    assert window.session.clock.paused


def test_escape_leaves_a_number_and_tab_goes_to_the_next(inspector: Opened) -> None:
    window = inspector()
    tool = window.session.hand.number
    press(window, "##duck/Motion.max_speed", key.MOD_CTRL)
    write(window, "70")
    tap(window, key.TAB)
    write(window, "20")
    tap(window, key.ENTER)
    assert column(window, "Motion.min_speed") == [20, 20]
    assert column(window, "Motion.max_speed") == [70, 70]
    assert window.session.hand.number == tool


def test_escape_closes_an_open_list_and_nothing_else(inspector: Opened) -> None:
    window = inspector()
    press(window, "More##duck/Perception")
    press(window, "##duck/Perception.reach")
    assert "topological" in look(window).places
    tap(window, key.ESCAPE)
    assert "topological" not in look(window).places
    assert not window.gui.events.hidden


def test_help_shows_on_hover(inspector: Opened) -> None:
    window = inspector()
    x, y = look(window).places["##duck/Perception.fov"]
    send(window, ("on_mouse_motion", x, y, 0, 0))
    frame(window)
    frame(window, 1)  # resting there
    text = look(window).text
    assert "field of view" in text  # the caption; its key is in the tip: "Perception fov"
    for words in ("Perception fov", "Field of view", "0 to 360 (degrees)", "Double-click", "300 degrees", "Ctrl+click"):
        assert words in text


@pytest.mark.parametrize(
    ("field", "how"),
    [("Perception.fov", "Ctrl+click types a number."), ("Motion.max_speed", "A click types a number.")],
)
def test_the_help_says_how_to_type_a_number_on_a_slider_and_on_what_is_dragged(
    inspector: Opened, field: str, how: str
) -> None:
    window = inspector()
    send(window, ("on_mouse_motion", *look(window).places[f"##duck/{field}"], 0, 0))
    frame(window)
    frame(window, 1)  # resting there
    assert [line for line in look(window).text.split("\n") if "types a number" in line] == [how]


@component
class Plumage:
    """A mod's component, with a field of every kind."""

    length: float = number(2, "cm", 0, 1e4, "of a feather", above_low=True)
    feathers: int = integer(40, "", 0, 5000, "how many")
    wet: bool = switch(False, "after a bath")
    pattern: int = choice("plain", "barred", default="plain", help="what it looks like")
    tint: int = colour("#102030", "seen from above")
    oil: int = quantity(1, 0, 100, "keeps water off")
    shared_with: int = prefabs("who looks alike")


def test_a_mod_s_component_has_all_widgets(inspector: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    def install(app: App) -> None:
        app.add_component(Plumage)

    monkeypatch.setattr("sandbox.mods.load.assembly.BUILT_IN", (*BUILT_IN, install))
    window = inspector("pike", {"Plumage": {name: f.default for name, f in Plumage.fields.items()}})
    scroll_to(window, "##pike/Plumage.shared_with", over="##pike/Motion.max_speed")
    type_into(window, "##pike/Plumage.length", "7.5")
    drag(window, "##pike/Plumage.feathers", 50)
    press(window, "##pike/Plumage.wet")
    press(window, "##pike/Plumage.pattern")
    press(window, "barred")
    type_into(window, "##pike/Plumage.oil", "3")
    press(window, "##pike/Plumage.shared_with")
    press(window, "duck##pike/Plumage.shared_with")
    values = window.simulation.world.prefabs["pike"].components["Plumage"]
    assert values["feathers"] > 40
    assert values | {"feathers": 0} == {
        "length": 7.5,
        "feathers": 0,
        "wet": True,
        "pattern": 1,
        "tint": 0x102030,
        "oil": 3 * AMOUNT_SCALE,
        "shared_with": 1,
    }
    assert column(window, "Plumage.length", "pike") == [7.5]


class Arrow:
    """What has a vector, as a mod's panel may edit one."""

    def __init__(self) -> None:
        self.value = [1.0, 2.0]

    def bind(self, field: Field) -> Binding:
        return Binding(lambda: Reading(self.value), self.set, [0.0, 0.0], f"arrow/{field.key}")

    def set(self, value: Any, joins: bool) -> bool:
        self.value = value
        return True


def test_a_vector_has_two_numbers(inspector: Opened) -> None:
    window, widgets = inspector(), FieldWidgets()
    arrow = Arrow()
    lines = (line(replace(vector("u", "where to"), owner="Arrow", name="tip")),)

    class ArrowPanel(Panel):
        name, title, side, size = "arrow", "Arrow", Side.LEFT, (160.0, 0.0)

        def draw(self, session: Session, ui: Ui) -> None:
            widgets.begin(session, ui)
            widgets.lines(lines, arrow.bind)

    window.session.app.add_panel(ArrowPanel())
    window.session.preferences.open.append("arrow")
    label = "##arrow/Arrow.tip"
    left, low, right, high = look(window).boxes[label]
    down(window, left + 0.8 * (right - left), (low + high) / 2, key.MOD_CTRL)
    up(window, left + 0.8 * (right - left), (low + high) / 2)
    write(window, "9")
    tap(window, key.ENTER)
    assert arrow.value == [1, 9]
    drag(window, label, 30, side=0.2)
    assert arrow.value[0] > 1
    assert arrow.value[1] == 9


def test_what_is_changed_is_logged(inspector: Opened) -> None:
    window = inspector()
    drag(window, "##duck/Motion.max_speed", 40)
    log = window.simulation.world.resource(CommandQueue).log
    assert [done.joins for done in log] == [False] + [True] * (len(log) - 1)
