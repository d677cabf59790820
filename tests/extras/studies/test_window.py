"""Studies in the window: put together from the inspector's fields, run by another process, and stepped into."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
import pyarrow.parquet as pq
import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import MOUSE_BUTTON_RIGHT as RIGHT
from arcade import key
from hypothesis import given
from hypothesis import strategies as st
from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import implot
from PIL import Image

from components.motion import Motion
from components.store.fields import Field
from sandbox.app.gui import plots
from sandbox.app.window import FlockWindow
from sandbox.design.pictures import wrong_pictures
from sandbox.edit import SetField, SetTables
from sandbox.extras.studies.files import SCENE_COPY
from sandbox.extras.studies.packages import PACKAGES
from sandbox.extras.studies.read_vary import read_vary
from sandbox.extras.studies.window.edited_study import Varied, varied
from sandbox.extras.studies.window.filing import open_run
from sandbox.extras.studies.window.panel import VARY, StudyPanel
from sandbox.extras.studies.window.so_far import SoFar
from sandbox.extras.studies.window.studying import Studied, Studying
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.scenes.reader import read_scene
from sandbox.toml.source import TomlSource
from tests.app.conftest import OpenWindow, at, drifting, send
from tests.app.fields import down, up
from tests.app.mouse import hit, point
from tests.app.panels import panel
from tests.app.widgets import click, look
from tests.command_line import ROOT, boids

MODS = ROOT / "mods"
RUN, SAVE = f"{icons.ICON_FA_PLAY}  Run##study", f"{icons.ICON_FA_FLOPPY_DISK}  Save as file ..."
CANCEL, BACK = f"{icons.ICON_FA_XMARK}  Cancel##study", f"{icons.ICON_FA_ARROW_LEFT}  Back to the scene##study"
MAX, MIN = Motion.fields["max_speed"], Motion.fields["min_speed"]


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    """Two red dots that fly as fast as they may, and no slower: a study knows what it will find."""
    window = open_on(drifting(at(100, 200, (50, 0)), at(300, 100, (0, 50))), (1100, 700), panels=["inspector"])
    window.session.clock.paused = True
    window.session.selection.choose([1])
    return window


def studying(window: FlockWindow) -> Studying:
    panel = next(panel for panel in window.session.app.panels if isinstance(panel, StudyPanel))
    return panel.studying


def vary(window: FlockWindow, *ranges: tuple[Field, float, float, int]) -> None:
    """Put together a study of dots over so many values of these fields, of two runs of a second each."""
    edited = studying(window).edited
    edited.varied[:] = [
        Varied(f"red.{field.key}", f"red {field.name.replace('_', ' ')}", field, low, high, steps)
        for field, low, high, steps in ranges
    ]
    edited.measure, edited.seconds, edited.seeds = "mean_speed", 1.0, 2
    window.session.front("study")


def until(window: FlockWindow, ready: Callable[[], object]) -> None:
    """Frames until it is so."""
    end = time.monotonic() + 300
    while not ready():
        assert time.monotonic() < end
        window.on_update(0.0)
        time.sleep(0.01)


def done(window: FlockWindow) -> None:
    """Frames until a study is over, well or not."""
    until(window, lambda: studying(window).job is None)
    reading = studying(window)._reading
    until(window, lambda: reading is None or reading.over)


def over_plot(window: FlockWindow, across: float, up: float, *, pressed: bool = False) -> None:
    """The mouse comes to a place of the map, shares of its width and height from the lower left, and clicks there."""
    found = []
    original = implot.end_plot

    def noting() -> None:
        corner, size = implot.get_plot_pos(), implot.get_plot_size()
        found[:] = [corner.x + across * size.x, window.height - corner.y - (1 - up) * size.y]
        original()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(implot, "end_plot", noting)
        look(window, 3)
    x, y = map(round, found)
    point(window, x, y)
    for event in ("on_mouse_press", "on_mouse_release") if pressed else ():
        window.on_draw()
        send(window, (event, x, y, LEFT, 0))
    window.on_draw()


def warned(window: FlockWindow) -> list[str]:
    return [message.text for message in window.session.messages.log if message.wrong]


def test_a_right_click_on_a_field_of_the_inspector_puts_it_into_the_panel(window: FlockWindow) -> None:
    for field in ("Motion.max_speed", "Motion.min_speed", "Look.size"):
        click(window, f"##selected/{field}", RIGHT)
        click(window, VARY)
    edited = studying(window).edited
    assert [one.key for one in edited.varied] == ["red.Motion.min_speed", "red.Look.size"]
    assert window.session.preferences.open[-1] == "study"
    assert "red size" in look(window).texts
    click(window, f"{icons.ICON_FA_XMARK}##vary 0")
    assert [one.key for one in edited.varied] == ["red.Look.size"]
    assert {"A second field makes a map: vary one more.", "5 values, 20 runs of 200 ticks."} <= {*look(window).texts}
    hit(window, key.ESCAPE)


def test_a_system_s_parameter_can_be_varied_and_a_colour_can_not(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(100, 200)), (1600, 1400), panels=["inspector", "pipeline"])
    place = look(window).places["Prefabs"]
    down(window, *place)
    up(window, *place)
    click(window, "##red/Look.colour", RIGHT)
    assert VARY not in look(window).places
    click(window, "##box commit")
    click(window, "##commit/Commit.reorder_every", RIGHT)
    click(window, VARY)
    assert [one.key for one in studying(window).edited.varied] == ["commit.reorder_every"]


def test_run_fills_the_map_and_a_click_shows_a_run_and_the_way_back_the_scene(window: FlockWindow) -> None:
    vary(window, (MAX, 10.0, 30.0, 3), (MIN, 1.0, 2.0, 2))
    window.session.submit(SetField("Position.y", 40.0, [2]))
    window.on_update(0)
    before, camera = window.simulation.digest(), window.session.camera
    click(window, RUN)
    done(window)
    assert warned(window) == []
    shown = studying(window).shown
    assert shown is not None
    assert shown.so_far is not None
    assert shown.so_far.mean.tolist() == [10, 10, 20, 20, 30, 30]
    assert (shown.so_far.count.tolist(), shown.so_far.done, shown.so_far.failed) == ([2] * 6, 12, 0)
    assert window.session.messages.newest == f"the study is done: {shown.folder}"
    over_plot(window, 0.9, 0.2)
    told = look(window).texts
    assert {"red max speed: 30 u/s", "red min speed: 1 u/s", "mean_speed: 30 ± 0", "2 of 2 runs are done."} <= {*told}
    over_plot(window, 0.9, 0.2, pressed=True)
    assert "Save the changes?" in look(window).text
    click(window, "Don't save")
    rows = pq.read_table(shown.folder / "runs.parquet")
    until(window, lambda: window.simulation.tick == 10)
    assert window.simulation.digest() == rows["digest"][4].as_py()
    assert window.session.messages.newest.startswith("run 4: red max speed 30")
    assert window.session.document.timeline.recording.first == 0
    over_plot(window, 0.9, 0.2, pressed=True)  # another one of the same cell
    until(window, lambda: window.simulation.tick == 10)
    assert window.simulation.digest() == rows["digest"][10].as_py()
    window.session.act("restart")
    assert window.simulation.tick == 0
    click(window, BACK)
    window.on_update(0)
    assert window.simulation.digest() == before
    assert window.session.camera is camera
    assert window.session.document.unsaved.some
    assert BACK not in look(window).places


def test_one_field_makes_a_line_and_more_runs_of_it_go_on_in_the_same_folder(window: FlockWindow) -> None:
    vary(window, (MAX, 10.0, 40.0, 30))
    studying(window).edited.seeds = 12
    click(window, RUN)
    shown = studying(window).shown
    assert shown is not None
    until(window, lambda: shown.so_far is not None and shown.so_far.done >= 3)
    look(window)
    (child,) = (child for child in psutil.Process().children() if "study" in child.cmdline())
    click(window, CANCEL)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
    done(window)
    first = shown.so_far.done if shown.so_far else 0
    assert 3 <= first < 360
    assert f"{first} of 360 runs are done. A click shows a run." in look(window).texts
    over_plot(window, 0.5, 0.5)
    assert "of 12 runs are done." in look(window).text
    click(window, RUN)
    done(window)
    assert studying(window).shown is shown
    assert shown.so_far is not None
    assert np.allclose(shown.so_far.mean, np.linspace(10, 40, 30))
    assert os.listdir(studying(window).home) == ["drifting-1"]


def test_another_study_or_another_scene_has_a_folder_of_its_own_and_the_same_goes_on_in_its_own(
    window: FlockWindow,
) -> None:
    def folder() -> str:
        assert studying(window).run(window.session)
        studying(window).cancel(window.session)
        assert studying(window).shown
        return studying(window).shown.folder.name

    vary(window, (MAX, 10.0, 40.0, 3))
    assert folder() == "drifting-1"
    studying(window).edited.seeds = 1
    assert folder() == "drifting-2"
    studying(window).edited.seeds = 2
    assert folder() == "drifting-1"
    window.session.submit(SetField("Look.size", 7.0, prefab="red"))
    assert folder() == "drifting-3"
    window.session.document.undo()
    assert folder() == "drifting-1"


def test_the_scene_of_a_study_knows_where_the_picture_behind_it_is(window: FlockWindow, tmp_path: Path) -> None:
    Image.new("RGB", (4, 4)).save(tmp_path / "map.png")
    window.simulation.scene.folder = tmp_path
    window.session.submit(SetTables("pictures", {"map": {"file": "map.png"}}, "show a map"))
    vary(window, (MAX, 10.0, 40.0, 3))
    assert studying(window).run(window.session)
    studying(window).cancel(window.session)
    assert studying(window).shown
    scene = read_scene(studying(window).shown.folder / SCENE_COPY)
    assert wrong_pictures(scene.tables["pictures"], studying(window).shown.folder / "pictures") == {}


def test_closing_the_window_ends_the_study(window: FlockWindow) -> None:
    vary(window, (MAX, 10.0, 40.0, 50))
    studying(window).edited.seeds = 200
    assert studying(window).run(window.session)
    until(window, lambda: studying(window).job and studying(window).job.done)
    (child,) = (child for child in psutil.Process().children() if "study" in child.cmdline())
    workers = child.children()
    assert workers
    window.close()
    psutil.wait_procs([child, *workers], 10)
    assert not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in (child, *workers))


def test_what_is_no_study_yet_says_what_is_missing(window: FlockWindow) -> None:
    window.session.front("study")
    assert "Right-click a field of a prefab or a system" in look(window).text
    vary(window, (MAX, 10.0, 10.0, 3))
    assert "Red max speed must go from a lower to a higher value." in look(window).texts
    click(window, RUN)
    assert studying(window).job is None


def test_what_goes_wrong_is_told_in_a_sentence(window: FlockWindow, tmp_path: Path) -> None:
    vary(window, (MAX, 10.0, 20.0, 2))
    studying(window).edited.varied[0].key = "green.Motion.max_speed"
    click(window, RUN)
    done(window)
    assert "green.Motion.max_speed: nobody in the scene is a green" in look(window).texts
    assert "runs are done" not in look(window).text
    (tmp_path / "full").write_text("")
    studying(window).home = tmp_path / "full" / "studies"
    click(window, RUN)
    assert studying(window).job is None
    assert "can't be created: not a directory" in look(window).text


def test_runs_that_fail_are_told_with_their_reason(window: FlockWindow, tmp_path: Path) -> None:
    vary(window, (MAX, 10.0, 20.0, 2))
    studying(window).shown = shown = Studied(tmp_path, studying(window).edited)
    shown.so_far = SoFar(np.array([np.nan, 20.0]), np.full(2, np.nan), np.array([0, 2]), 4, 2, "a mod gave up")
    texts = look(window).texts
    assert "2 of the runs failed: a mod gave up" in texts
    assert "4 of 4 runs are done. A click shows a run." in texts
    over_plot(window, 0.2, 0.5)
    assert {"mean_speed: not known yet", "0 of 2 runs are done."} <= {*look(window).texts}


def test_a_scene_with_a_mod_is_studied_with_it(open_on: OpenWindow, tmp_path: Path) -> None:
    library = Library(Trust(tmp_path / "trust.toml"), [MODS / "magnet"])
    window = open_on(drifting(at(100, 200, (50, 0))), (1100, 700), library=library)
    vary(window, (MAX, 10.0, 30.0, 2))
    click(window, RUN)
    done(window)
    shown = studying(window).shown
    assert studying(window).wrong == ""
    assert shown is not None
    assert shown.so_far is not None
    assert shown.so_far.mean.tolist() == [10, 30]
    open_run(window.session, shown.folder, 1, "")
    until(window, lambda: window.simulation.tick == 10)
    assert "magnet" in window.simulation.mods.mods


def test_the_study_can_be_saved_as_a_file_that_the_command_line_runs(window: FlockWindow, tmp_path: Path) -> None:
    vary(window, (MAX, 10.0, 30.0, 3), (MIN, 1.0, 2.0, 2))
    window.session.document.folder = tmp_path
    click(window, SAVE)
    dialog = window.session.asking.dialog
    assert dialog is not None
    dialog.confirm()
    assert sorted(os.listdir(tmp_path)) == ["study-scene.toml", "study.toml"]
    assert "boids study run study.toml" in window.session.messages.newest
    said = boids("study", "check", tmp_path / "study.toml").stdout
    assert "good: 6 points, 12 runs of 10 ticks" in said


@given(
    value=st.floats(0.125, 900, width=32),
    share=st.floats(1.01, 50),
    steps=st.integers(2, 50),
    field=st.sampled_from([MAX, *(field for field in Motion.fields.values() if field.high > 100)]),
)
def test_the_file_says_the_values_that_the_map_has(value: float, share: float, steps: int, field: Field) -> None:
    one = varied("red.x", "red x", field, value)
    one.high, one.steps = one.low * share, steps
    source = TomlSource("study.toml", f'[vary]\n"red.x" = {one.as_toml}\n'.encode())
    (_, levels) = read_vary(source, source.data["vary"])["red.x"]
    assert [*levels.values] == one.values


@given(value=st.floats(0, 1e4, width=32))
def test_the_first_range_holds_the_value_and_is_allowed(value: float) -> None:
    one = varied("red.x", "red x", MAX, min(value, MAX.high))
    assert MAX.low <= one.low <= min(value, MAX.high) * (1 + 1e-5)
    assert min(value, MAX.high) * (1 - 1e-5) <= one.high <= MAX.high


@given(
    rows=st.integers(1, 6).flatmap(
        lambda wide: st.lists(st.lists(st.booleans(), min_size=wide, max_size=wide), min_size=1)
    )
)
def test_what_is_not_known_yet_is_covered_and_nothing_else(rows: list[list[bool]]) -> None:
    covered = {(row, column) for row, begin, end in plots._gaps(np.array(rows)) for column in range(begin, end)}
    assert covered == {(row, column) for row, line in enumerate(rows) for column, known in enumerate(line) if not known}


def test_without_the_packages_the_panel_says_what_to_install(
    window: FlockWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in PACKAGES:
        monkeypatch.setitem(sys.modules, name, None)
    window.session.front("study")
    said = look(window).texts
    assert 'Studies need SALib: pip install "boids-sandbox[study]"' in said
    assert RUN not in look(window).places
    assert panel(window, "study").title == "Study"


def test_the_window_opens_without_them() -> None:
    program = f"import sys; sys.modules.update(dict.fromkeys({PACKAGES})); import sandbox.app.window"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
