"""Charts: what is measured, what they show, and the table they write."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import key
from imgui_bundle import imgui

from components.store.prefab import Prefab
from sandbox.app.drawing.colours import rgb_of
from sandbox.app.gui.chart_lines import (
    CONTRAST,
    _luminance,
    charts_of,
    chosen_rows,
    legible,
    nice_top,
)
from sandbox.app.gui.theme import THEMES
from sandbox.app.measuring.measures_log import KEPT, MeasuresLog
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry, Scene
from sandbox.edit import Despawn, Erase, SetParameter, Spawn
from sandbox.simulation import Simulation
from sandbox.window_part import MeasureChart

from .conftest import OpenWindow, at, drifting, places, screen, send
from .fields import down, twice, up
from .panels import panel
from .plots import height_of, plots
from .widgets import click, look

TICK = 0.1  # s


def pass_time(window: FlockWindow, ticks: int) -> None:
    """Frames of a tick each, drawn."""
    window.session.clock.now = lambda: 0  # however slow this machine is, the budget is not spent
    for _ in range(ticks):
        window.on_update(TICK)
        window.on_draw()


def log_of(window: FlockWindow) -> MeasuresLog:
    return window.session.document.measures


@pytest.mark.parametrize("panels", [(), ("charts",)])
def test_they_record_from_tick_0_open_or_not(open_on: OpenWindow, panels: tuple[str, ...]) -> None:
    window = open_on(drifting(Entry("red", 20)), (1280, 720), panels=panels)
    pass_time(window, 5)
    assert log_of(window).seconds == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    window.session.toggle_panel("charts")
    pass_time(window, 1)
    assert len(log_of(window)) == 7
    assert log_of(window).column("population.red").tolist() == [20] * 7


def test_hidden_panels_gather_too(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 20)), panels=["charts"])
    window.session.act("hide")
    pass_time(window, 3)
    assert len(log_of(window)) == 4


def test_ten_rows_a_second_and_no_expensive_measures() -> None:
    scene = drifting(Entry("red", 20))
    scene.settings.tick_rate = 60
    log = MeasuresLog()
    with Simulation(scene) as simulation:
        for _ in range(121):
            log.gather(simulation)
            simulation.step()
    assert len(log) == 21
    assert np.diff(log.seconds) == pytest.approx(0.1)
    assert {"polarization", "milling", "mean_speed", "mean_energy", "food", "population.red"} <= set(log.names)
    assert not {"flocks", "nearest_neighbour"} & set(log.names)


def test_only_prefabs_that_ever_lived_are_counted_and_none_counts_nothing() -> None:
    log = MeasuresLog()
    with Simulation(drifting(Entry("red", 20))) as simulation:
        log.gather(simulation)
        assert not log.is_some("population.green")
        simulation.step()
        log.gather(simulation)
        simulation.submit(Spawn(Entry("green", 3)))
        simulation.submit(Erase(320, 180, 1000, "red"))
        simulation.step()
        log.gather(simulation)
        assert log.column("population.green").tolist() == [0, 0, 3]
        assert log.column("population.red").tolist() == [20, 20, 0]
        assert [line.words for line in charts_of(log, simulation.world, THEMES["dark"])[0].lines] == ["red", "green"]


def test_an_edit_shows_while_the_world_stands() -> None:
    log = MeasuresLog()
    with Simulation(drifting(Entry("red", 20))) as simulation:
        log.gather(simulation)
        simulation.submit(Spawn(Entry("red", 5)))
        simulation.settle_commands()
        log.gather(simulation)
    assert log.column("population.red").tolist() == [25]


def test_a_full_log_thins_out_what_is_old() -> None:
    log = MeasuresLog()
    with Simulation(drifting(Entry("red", 1))) as simulation:
        for _ in range(KEPT + 10):
            log.gather(simulation)
            simulation.world.tick += 1
    assert len(log) == KEPT * 3 // 4 + 10
    steps = np.diff(log.seconds)
    assert steps[: KEPT // 4 - 1] == pytest.approx(0.2)
    assert steps[KEPT // 4 + 1 :] == pytest.approx(0.1)


def test_another_simulation_begins_anew(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 20)), panels=["charts"])
    pass_time(window, 8)
    window.session.act("restart")
    pass_time(window, 1)
    assert log_of(window).seconds == pytest.approx([0, 0.1])


def test_a_part_of_the_rows_is_drawn_always_the_same_ones() -> None:
    log = MeasuresLog()
    with Simulation(drifting(Entry("red", 1))) as simulation:
        for _ in range(2000):
            log.gather(simulation)
            simulation.world.tick += 1
    early, late = (chosen_rows(log, 0, end, 200) for end in (150.0, 155.0))
    assert len(early) <= 202
    assert set(early[:-1]) <= set(late)
    few = chosen_rows(log, 20.0, 30.0, 200)
    assert log.seconds[few[0]] <= 20 <= 30 <= log.seconds[few[-1]]


def test_the_panel_names_every_line_and_its_number(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 20), Entry("green", 7)), (1280, 720), panels=["charts"])
    pass_time(window, 5)
    seen = look(window).texts
    order = "Alignment", "polarization", "milling"
    for words in ("Populations", "red", "20", "green", "7", *order, "Mean speed"):
        assert words in seen
    assert "Food" not in seen


def test_a_drag_looks_back_and_a_double_click_returns(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 20)), (1280, 720), panels=["charts"])
    charts = panel(window, "charts")
    charts.span = 10.0
    window.session.clock.now = lambda: 0
    for _ in range(300):
        window.on_update(TICK)
    left, low, right, _ = look(window).boxes["##span"]
    x, y = (left + right) / 2 + 60, low - 80
    down(window, x, y)
    for _ in range(3):
        x += 30
        send(window, ("on_mouse_drag", x, y, 30, 0, LEFT, 0))
        window.on_draw()
    up(window, x, y)
    assert charts.end is not None
    assert 25 < charts.end < 29.5
    send(window, ("on_key_press", key.LCTRL, key.MOD_CTRL))
    for notches, longer in ((-2.0, True), (3.0, False)):
        span = charts.span
        send(window, ("on_mouse_scroll", x, y, 0, notches))
        window.on_draw()
        assert (charts.span > span) is longer
    send(window, ("on_key_release", key.LCTRL, 0))
    twice(window, x, y)
    assert charts.end is None


def test_the_table_holds_every_row(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(Entry("red", 20)), (1280, 720), panels=["charts"])
    charts = panel(window, "charts")
    charts.folder = tmp_path / "documents"
    pass_time(window, 30)
    label = next(label for label in look(window).places if label.endswith("CSV##charts"))
    click(window, label)
    assert "drifting-30.csv" in window.session.messages.newest
    with open(charts.folder / "drifting-30.csv") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["tick"]) for row in rows] == list(range(31))
    assert {row["population.red"] for row in rows} == {"20"}
    assert float(rows[-1]["polarization"]) == pytest.approx(window.simulation.measures()["polarization"], abs=1e-6)
    click(window, label)
    assert (charts.folder / "drifting-30-2.csv").exists()
    charts.folder = charts.folder / "drifting-30.csv"
    click(window, label)
    assert "Could not save" in window.session.messages.newest


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_line_shows_on_its_ground(theme) -> None:
    for colour in (0x000000, 0xFFFFFF, 0x14151F, 0xF6F3EC, 0xFF0000, 0x00FF00, 0x0000FF, 0xE8D9A0):
        one, other = (_luminance(np.array(rgb[:3])) for rgb in (legible(rgb_of(colour), theme.well), theme.well))
        assert (max(one, other) + 0.05) / (min(one, other) + 0.05) >= CONTRAST


def test_a_scale_ends_at_a_round_number() -> None:
    assert [nice_top(n) for n in (0, 0.4, 1, 90, 99, 3000, 9_999)] == [1, 0.5, 1.2, 100, 120, 4000, 12000]


@pytest.mark.painted
def test_every_line_stands_at_its_value_on_its_scale(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 400), Entry("green", 26)), (1280, 720), panels=["charts"])
    pass_time(window, 150)
    window.session.submit(Spawn(Entry("green", 13)))
    pass_time(window, 100)
    assert {"400", "39 (right scale)"} <= set(look(window).texts)
    window.switch_to()
    (populations, order, *_), picture = plots(window), screen(window)
    assert [highest for _, highest in populations.scales] == pytest.approx([1.03 * 500, 1.03 * 50])
    assert len(order.scales) == 1
    for line, known in enumerate(({8: 400, 20: 400}, {8: 26, 20: 39})):  # red on the left scale, green on the other
        for second, value in known.items():
            height = height_of(picture, populations, line, populations.x(second))
            assert height == pytest.approx(populations.y(value, line), abs=1)


@pytest.mark.painted
def test_the_second_scale_stands_inside_the_plot_in_the_colour_of_its_line(open_on: OpenWindow) -> None:
    """So all plots are as wide as the panel, also those with one scale."""
    window = open_on(drifting(Entry("red", 400), Entry("green", 26)), (1280, 720), panels=["charts"])
    pass_time(window, 3)  # the lines are still far at the left
    window.switch_to()
    (populations, *others), picture = plots(window), screen(window).astype(int)
    assert {round(plot.right) for plot in others} == {round(populations.right)}
    assert populations.right > 1280 - 30
    high, right = int(populations.high), int(populations.right)
    number = picture[high - 16 : high - 1, right - 24 : right - 2]
    assert (number[..., 1] - number[..., [0, 2]].max(axis=-1)).max() > 60


def test_trees_and_stones_are_no_population() -> None:
    scene = drifting(Entry("red", 3), Entry("tree", 5))
    scene.prefabs["tree"] = Prefab("tree", {"Position": {}, "Obstacle": {}})
    log = MeasuresLog()
    with Simulation(scene) as simulation:
        log.gather(simulation)
        lines = charts_of(log, simulation.world, THEMES["dark"])[0].lines
    assert [line.words for line in lines] == ["red"]


def test_in_a_small_window_every_line_is_named(open_on: OpenWindow) -> None:
    names = ["wandering albatross", "northern fulmar", "storm petrel", "kittiwake"]
    scene = drifting(*(Entry(name, 5) for name in names))
    scene.prefabs |= {name: Prefab(name, scene.prefabs["red"].components) for name in names}
    window = open_on(scene, (800, 600), panels=["palette", "inspector", "time bar", "charts"])
    pass_time(window, 3)
    assert {*names, "Alignment", "polarization", "milling"} <= set(look(window).texts)


@pytest.mark.painted
def test_a_line_stands_at_its_value_also_where_another_has_the_same(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 20), Entry("green", 20)), (1280, 720), panels=["charts"])
    pass_time(window, 250)
    look(window, 1)
    window.switch_to()
    (populations, *_), picture = plots(window), screen(window)
    seen = picture[int(populations.low) : int(populations.high), int(populations.left) : int(populations.right)]
    for channel in (0, 1):
        found = places(seen, channel)  # the symbols of the first line are seen below the second line
        assert len({x // 40 for x in found[:, 0].tolist()}) > 2
        assert found[:, 1].mean() + int(populations.low) + 0.5 == pytest.approx(populations.y(20), abs=1)


def test_a_mod_says_the_colours_of_its_lines_and_whole_numbers_have_no_decimals() -> None:
    chart = MeasureChart("Counts", "counting", {"left": "left", "right": "right"}, colours={"right": "#ff0000"})
    log = MeasuresLog()
    theme = next(iter(THEMES.values()))
    with Simulation(drifting(Entry("red", 3))) as simulation:
        log._put(0, {"left": 589.0, "right": 0.5}, known=False)
        lines = charts_of(log, simulation.world, theme, [chart])[-1].lines
    assert [line.whole for line in lines] == [True, False]
    assert lines[1].colour == legible((255, 0, 0), theme.well)
    with pytest.raises(ValueError, match="colours must give names of its measures colours"):
        MeasureChart("Counts", "counting", {"left": "left"}, colours={"right": "red"})


def meeting() -> Scene:
    """Twelve at rest, and twelve who pass them: less than 25 u from them from 0.7 s to 1.7 s."""
    resting = [at(200 + 10 * n, 180) for n in range(12)]
    return drifting(*resting, *(at(200 + 10 * n, 120, (0, 50)) for n in range(12)))


@pytest.fixture
def marked(open_on: OpenWindow) -> FlockWindow:
    window = open_on(meeting(), (1280, 900), panels=["charts"])
    window.session.submit(SetParameter("render", "colour", "flock"))
    pass_time(window, 30)
    return window


def test_marks_say_when_flocks_joined_and_parted(marked: FlockWindow) -> None:
    assert {"flocks joined", "parted"} <= set(look(marked).texts)
    flocks = plots(marked)[2]
    for second, told in ((0.8, "two flocks joined at 0.8 s"), (1.7, "a flock parted at 1.7 s")):
        assert told not in look(marked).texts
        send(marked, ("on_mouse_motion", round(flocks.x(second)), round((flocks.low + flocks.y(0)) / 2), 0, 0))
        assert told in look(marked).texts


def test_the_number_of_flocks_is_drawn_and_no_mark_hides_it(marked: FlockWindow) -> None:
    texts = look(marked).texts
    at_title = texts.index("Flocks")
    assert texts[at_title + 1] == "2"
    flocks = plots(marked)[2]
    strip = flocks.y(0) - flocks.low
    assert 8 < strip < 0.4 * (flocks.high - flocks.low)  # below 0 there is room for marks alone
    assert log_of(marked).column("flocks")[-1] == 2
    assert log_of(marked).column("flocks")[10] == 1


def test_resting_on_a_name_says_what_it_is(open_on: OpenWindow) -> None:
    window = open_on(drifting(Entry("red", 20)), (1280, 720), panels=["charts"])
    pass_time(window, 5)
    for name, told in (
        ("polarization", "Polarization: how much all that moves goes the same way, from 0 to 1."),
        ("milling", "Milling: how much all that moves circles around its middle, from 0 to 1."),
        ("Flocks", "Flocks: how many flocks there are: groups whose members are near to each other."),
        ("Mean speed", "Mean speed: mean speed of all that moves."),
    ):
        assert told not in look(window).texts
        send(window, ("on_mouse_motion", *place_of(window, name), 0, 0))
        for _ in range(40):
            window.on_update(TICK)
            window.on_draw()
        assert told in look(window).texts


def place_of(window: FlockWindow, text: str) -> tuple[int, int]:
    """Where a text stands, pixels from the lower left."""
    found = []
    originals = {name: getattr(imgui, name) for name in ("text_disabled", "text_unformatted")}

    def noting(name: str) -> Callable[[str], None]:
        def call(words: str) -> None:
            originals[name](words)
            if words == text:
                low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
                found.append((round((low.x + high.x) / 2), round(window.height - (low.y + high.y) / 2)))

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in originals:
            patch.setattr(imgui, name, noting(name))
        window.on_draw()
    return found[-1]


def test_the_wheel_scrolls_the_panel_and_with_ctrl_changes_the_time(open_on: OpenWindow) -> None:
    window = open_on(meadow(), (1280, 420), panels=["charts"])
    charts = panel(window, "charts")
    pass_time(window, 5)

    def wheel(notches: float) -> tuple[float, float]:
        """Over the plot in the middle: how far the panel moved, and how the time shown changed."""
        before, plot = charts.span, plots(window)[1]
        send(window, ("on_mouse_motion", round(plot.x(1)), round(plot.y(0.5)), 0, 0))
        pass_time(window, 2)
        send(window, ("on_mouse_scroll", round(plot.x(1)), round(plot.y(0.5)), 0, notches))
        pass_time(window, 2)
        return plots(window)[1].y(0.5) - plot.y(0.5), charts.span - before

    moved, longer = wheel(-1.0)
    assert (moved > 20, longer) == (True, 0)
    wheel(1.0)
    send(window, ("on_key_press", key.LCTRL, key.MOD_CTRL))
    moved, longer = wheel(-1.0)
    assert (abs(moved) < 2, longer > 1) == (True, True)


def meadow() -> Scene:
    """One with energy and food, so that there are more charts than have room."""
    scene = drifting(Entry("red", 20), Entry("green", 20), Entry("grass", 5))
    for name in ("red", "green"):
        scene.prefabs[name] = Prefab(name, {**scene.prefabs[name].components, "Energy": {}})
    scene.prefabs["grass"] = Prefab("grass", {"Position": {}, "Food": {}})
    return scene


def test_going_back_keeps_the_marks_and_seeing_it_again_makes_no_others(marked: FlockWindow) -> None:
    changes = list(log_of(marked).changes)
    assert [change.joined for change in changes] == [True, False]
    marked.session.playback.go(3)
    pass_time(marked, 1)
    assert log_of(marked).changes == changes
    pass_time(marked, 26)
    assert log_of(marked).changes == changes


def test_what_comes_to_be_otherwise_has_no_marks(marked: FlockWindow) -> None:
    marked.session.playback.go(12)
    pass_time(marked, 1)
    marked.session.submit(Despawn([1]))
    pass_time(marked, 1)
    assert [change.joined for change in log_of(marked).changes] == [True]


@pytest.mark.parametrize("others", [("palette", "time bar", "inspector"), ("palette", "time bar"), ()])
@pytest.mark.parametrize("height", [800, 1400])
def test_all_are_equally_high_also_where_names_take_several_lines(
    open_on: OpenWindow, height: int, others: tuple[str, ...]
) -> None:
    """High enough to be read; the panel scrolls where it is lower."""
    names = ["wandering albatross", "northern fulmar", "storm petrel", "kittiwake"]
    scene = drifting(*(Entry(name, 5) for name in names))
    scene.prefabs |= {name: Prefab(name, scene.prefabs["red"].components) for name in names}
    window = open_on(scene, (1280, height), panels=[*others, "charts"])
    pass_time(window, 4)
    found = plots(window)
    heights = [plot.high - plot.low for plot in found]
    assert plots(window) == found  # nothing moves from frame to frame
    assert min(heights) > 50
    assert np.ptp(heights) < 5


def test_where_they_have_room_they_fill_the_panel_and_do_not_scroll(open_on: OpenWindow) -> None:
    window = open_on(meadow(), (1280, 1400), panels=["charts"])
    pass_time(window, 4)
    charts = imgui.internal.find_window_by_name("###charts")
    assert charts.scroll_max.y == 0
    assert plots(window)[-1].low < window.height - charts.pos.y - charts.size.y + 60
