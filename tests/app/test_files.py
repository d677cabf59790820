"""Opening and saving, by the events a person's hands would cause, with real files; nothing is lost unasked."""

from __future__ import annotations

import io
import sys
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
from arcade import MOUSE_BUTTON_LEFT as LEFT
from arcade import key
from PIL import Image

import sandbox
from sandbox.app.jobs import jobs
from sandbox.app.questions import Question, nothing
from sandbox.app.window import FlockWindow
from sandbox.edit import SetHand
from sandbox.files.png import with_recording
from sandbox.scenes.bundled import bundled_scenes
from sandbox.scenes.reader import read_scene

from .conftest import OpenWindow, at, drifting, living, send
from .widgets import click, look

CTRL, SHIFT, ALT = key.MOD_CTRL, key.MOD_SHIFT, key.MOD_ALT
TWO = """
format = 1
name = "Two"
# a comment of mine
[world]
size = [800, 600]
[[spawn]]
prefab = "boid"
count = 2
"""


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for the person's own scenes, with one in it."""
    monkeypatch.setenv("XDG_DOCUMENTS_DIR", str(tmp_path))
    folder = tmp_path / "boids"
    folder.mkdir()
    (folder / "two.toml").write_text(TWO)
    return folder


@pytest.fixture
def window(open_on: OpenWindow) -> FlockWindow:
    """Large enough for the dialog; time stands."""
    window = open_on(drifting(at(100, 100)), (900, 640))
    window.session.clock.paused = True
    return window


def press(window: FlockWindow, symbol: int, modifiers: int = 0) -> None:
    send(window, ("on_key_press", symbol, modifiers), ("on_key_release", symbol, 0))
    frames(window)


def frames(window: FlockWindow, count: int = 3) -> None:
    for _ in range(count):
        window.on_update(0.01)
        window.on_draw()


def type_name(window: FlockWindow, text: str, then: int = key.ENTER) -> None:
    """Type into the field of the dialog, which has the keyboard, over what stands there."""
    frames(window)
    send(window, *(("on_text", char) for char in text))
    frames(window)
    press(window, then)
    window.jobs.finish()


def edit(window: FlockWindow) -> None:
    """Place a few under the cursor."""
    send(window, ("on_mouse_press", 450, 300, LEFT, 0), ("on_mouse_release", 450, 300, LEFT, 0))
    frames(window)
    assert window.session.document.unsaved.some


def drop(window: FlockWindow, path: Path) -> None:
    send(window, ("on_file_drop", 10, 10, [str(path)]))
    frames(window)


# ---- saving


def test_ctrl_s_asks_for_a_file_and_then_writes_to_it(window: FlockWindow, mine: Path) -> None:
    edit(window)
    press(window, key.S, CTRL)
    type_name(window, "dusk")
    assert read_scene(mine / "dusk.toml").name == "drifting"
    assert "saved" in window.session.messages.newest
    assert window.session.document.file == mine / "dusk.toml"
    edit(window)
    before = (mine / "dusk.toml").stat().st_mtime_ns
    press(window, key.S, CTRL)
    assert window.session.asking.dialog is None
    assert (mine / "dusk.toml").stat().st_mtime_ns > before
    with sandbox.load(mine / "dusk.toml") as saved:
        assert saved.world.table.size == len(living(window))


def test_a_scene_of_mine_is_saved_where_it_was_opened_with_its_comments(window: FlockWindow, mine: Path) -> None:
    drop(window, mine / "two.toml")
    edit(window)
    press(window, key.S, CTRL)
    assert "# a comment of mine" in (mine / "two.toml").read_text()
    assert (mine / "two.toml").read_text() != TWO


def test_a_bundled_scene_is_never_written_over(window: FlockWindow) -> None:
    storm = next(path for path in bundled_scenes() if path.stem == "storm")
    content = storm.read_bytes()
    drop(window, storm)
    press(window, key.S, CTRL)
    assert window.session.asking.dialog is not None  # it asks for another name
    type_name(window, str(storm))
    click(window, "Replace")
    assert "comes with the program" in look(window).text
    assert storm.read_bytes() == content


@pytest.mark.parametrize("size", [(900, 640), (320, 240)])
def test_whoever_saves_sees_both_kinds_and_chooses_one_by_a_click(
    open_on: OpenWindow, mine: Path, size: tuple[int, int]
) -> None:
    window = open_on(drifting(at(100, 100)), size)
    window.session.clock.paused = True
    press(window, key.S, CTRL)
    assert {"Scene, begins anew (.toml)", "State, goes on from there (.boids)"} <= {*look(window).places}
    click(window, "State, goes on from there (.boids)")
    click(window, "Save##file")
    window.jobs.finish()
    assert [path.name for path in mine.glob("*.boids")] == ["drifting.boids"]
    with sandbox.load(mine / "drifting.boids") as saved:
        assert saved.digest() == window.simulation.digest()


def test_saving_the_state_keeps_every_bit(window: FlockWindow, mine: Path) -> None:
    edit(window)
    window.simulation.step(5)
    press(window, key.S, CTRL | ALT)
    type_name(window, "then")
    with sandbox.load(mine / "then.boids") as saved:
        assert saved.digest() == window.simulation.digest()
    assert not window.session.document.unsaved.some


def test_a_name_of_the_other_kind_decides_what_is_saved(window: FlockWindow, mine: Path) -> None:
    press(window, key.S, CTRL | SHIFT)
    type_name(window, "state.boids")
    with sandbox.load(mine / "state.boids") as saved:
        assert saved.digest() == window.simulation.digest()


@pytest.mark.parametrize("replace", [True, False])
def test_a_file_that_is_there_is_replaced_only_when_asked(window: FlockWindow, mine: Path, replace: bool) -> None:
    press(window, key.S, CTRL | SHIFT)
    type_name(window, "two")
    assert window.session.asking.question is not None
    press(window, key.ENTER)  # a second press must not answer
    assert (mine / "two.toml").read_text() == TWO
    click(window, "Replace" if replace else "Cancel")
    assert ((mine / "two.toml").read_text() != TWO) is replace
    assert (window.session.asking.dialog is None) is replace


def test_escape_gives_up_and_nothing_is_written(window: FlockWindow, mine: Path) -> None:
    press(window, key.S, CTRL | SHIFT)
    type_name(window, "never", then=key.ESCAPE)
    assert window.session.asking.dialog is None
    assert [path.name for path in mine.iterdir()] == ["two.toml"]
    assert not window.gui.events.hidden


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux'")
def test_where_it_can_not_be_written_all_stays_and_is_said(window: FlockWindow, tmp_path: Path) -> None:
    edit(window)
    press(window, key.S, CTRL)
    type_name(window, "/proc/dusk.toml")
    assert "can't be written" in look(window).text
    assert window.session.asking.dialog is not None
    assert window.session.document.unsaved.some
    press(window, key.ESCAPE)
    window.session.document.file = tmp_path / "gone" / "dusk.toml"
    press(window, key.S, CTRL)
    assert "can't be written" in window.session.messages.newest
    assert window.session.document.unsaved.some


# ---- what is not saved


WAYS: dict[str, Callable[[FlockWindow, Path], None]] = {
    "drop": lambda window, mine: drop(window, mine / "two.toml"),
    "restart": lambda window, mine: press(window, key.R),
    "new": lambda window, mine: press(window, key.N, CTRL),
    "quit": lambda window, mine: press(window, key.Q, CTRL),
    "close": lambda window, mine: send(window, ("on_close",)),
    "open": lambda window, mine: choose_two(window),
}


def choose_two(window: FlockWindow) -> None:
    press(window, key.O, CTRL)
    click(window, "##two.toml", times=2)


def gone(window: FlockWindow) -> bool:
    """Whether the way out was taken."""
    frames(window)
    return window._leaving or window.simulation.scene.name in ("Two", "untitled")


@pytest.mark.parametrize("way", WAYS)
def test_edits_are_asked_about_before_they_are_gone(window: FlockWindow, mine: Path, way: str) -> None:
    edit(window)
    running, count = window.simulation, len(living(window))
    WAYS[way](window, mine)
    click(window, "Cancel")
    assert window.simulation is running
    assert len(living(window)) == count
    assert not gone(window)
    assert not window.session.asking.waits

    WAYS[way](window, mine)
    click(window, "Save")
    type_name(window, "kept")
    with sandbox.load(mine / "kept.toml") as saved:
        assert saved.world.table.size == count
    assert gone(window) or (way == "restart" and window.simulation is not running)


@pytest.mark.parametrize("way", WAYS)
def test_edits_are_thrown_away_when_asked(window: FlockWindow, mine: Path, way: str) -> None:
    edit(window)
    running = window.simulation
    WAYS[way](window, mine)
    click(window, "Don't save")
    assert gone(window) or (way == "restart" and window.simulation is not running)
    assert [path.name for path in mine.iterdir()] == ["two.toml"]


@pytest.mark.parametrize("way", WAYS)
def test_a_save_that_fails_or_is_given_up_keeps_the_world(window: FlockWindow, mine: Path, way: str) -> None:
    edit(window)
    running = window.simulation
    WAYS[way](window, mine)
    click(window, "Save")
    type_name(window, "/proc/kept.toml")
    assert "can't be written" in look(window).text
    click(window, "Cancel##file")
    assert window.simulation is running
    assert window.session.document.unsaved.some
    assert not window._leaving


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_asked_where_nothing_was_edited(window: FlockWindow, mine: Path, way: str) -> None:
    window.session.clock.paused = False
    window.on_update(0.5)
    window.session.submit(SetHand(100, 100, 5))
    window.on_update(0.5)
    assert window.simulation.tick > 0
    WAYS[way](window, mine)
    assert window.session.asking.question is None


def test_the_caption_marks_what_is_not_saved(window: FlockWindow, mine: Path) -> None:
    frames(window)
    assert window.session.document.caption == "drifting – boids"
    edit(window)
    assert window.session.document.caption == "drifting* – boids"
    press(window, key.S, CTRL)
    type_name(window, "dusk")
    assert window.session.document.caption == "dusk.toml – boids"


def test_a_new_world_is_empty_and_takes_the_name_it_is_saved_under(window: FlockWindow, mine: Path) -> None:
    press(window, key.N, CTRL)
    assert len(living(window)) == 0
    edit(window)
    press(window, key.S, CTRL)
    type_name(window, "pond")
    assert read_scene(mine / "pond.toml").name == "pond"


def test_restart_leads_back_to_what_was_saved(window: FlockWindow, mine: Path) -> None:
    edit(window)
    count = len(living(window))
    press(window, key.S, CTRL)
    type_name(window, "dusk")
    press(window, key.R)
    assert len(living(window)) == count


@pytest.mark.collected
def test_a_world_that_is_left_keeps_no_memory(window: FlockWindow, mine: Path) -> None:
    world = window.simulation.world
    left = [weakref.ref(world), weakref.ref(world.table)]
    del world
    press(window, key.R)
    frames(window)
    assert [one() for one in left] == [None, None]


@pytest.mark.collected
def test_what_once_showed_a_world_that_is_left_does_not_keep_it(window: FlockWindow, mine: Path) -> None:
    session, pipeline = window.session, window.simulation.pipeline
    branches = session.document.timeline.recording.branches
    left = [weakref.ref(one) for one in (window.simulation.world, pipeline, *pipeline.systems, *branches)]
    del pipeline, branches
    session.selection.choose([1])
    session.shown |= {overlay.name for overlay in session.app.overlays}
    for panel in session.app.panels:
        session.preferences.open[:] = [panel.name]
        frames(window, 3)
    session.preferences.open.clear()
    session.shown.clear()
    session.clock.paused = True
    press(window, key.R)
    frames(window)
    assert [one for one in left if one() is not None] == []


# ---- opening


def test_where_no_file_is_dropped_none_is_opened(window: FlockWindow) -> None:
    running = window.simulation
    send(window, ("on_file_drop", 10, 10, []))
    assert window.simulation is running


def test_the_dialog_opens_what_is_clicked_twice(window: FlockWindow, mine: Path) -> None:
    press(window, key.O, CTRL)
    click(window, "##two.toml", times=2)
    assert window.simulation.scene.name == "Two"
    assert window.session.document.file == mine / "two.toml"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every name is text")
def test_a_name_that_is_no_text_is_opened_and_shown_as_far_as_it_goes(window: FlockWindow, mine: Path) -> None:
    folder = mine / "d\udce9p\udcf4t"  # Latin-1
    folder.mkdir()
    (folder / "caf\udce9.toml").write_text(TWO)
    send(window, ("on_file_drop", 9, 9, [str(folder / "caf\udce9.toml")]))
    frames(window)
    assert window.simulation.scene.name == "Two"
    assert window.session.document.caption == "caf\\udce9.toml – boids"
    window.session.preferences.open[:] = ["scenes", "log"]
    edit(window)
    press(window, key.N, CTRL)
    frames(window)
    assert "caf\\udce9.toml" in (window.session.asking.question or pytest.fail("nothing is asked")).text
    press(window, key.ESCAPE)
    frames(window)
    press(window, key.O, CTRL)
    frames(window)
    assert not (window.session.asking.dialog or pytest.fail("there is no dialog")).entries
    press(window, key.ESCAPE)
    press(window, key.S, CTRL | SHIFT)
    assert "d\\udce9p\\udcf4t" in look(window).text


def test_a_pause_is_kept_by_a_restart_and_not_by_another_scene(window: FlockWindow, mine: Path) -> None:
    window.session.clock.paused = True
    press(window, key.R)
    frames(window)
    assert window.session.clock.paused
    drop(window, mine / "two.toml")
    frames(window)
    assert window.simulation.scene.name == "Two"
    assert not window.session.clock.paused


def test_nothing_is_asked_before_a_file_is_chosen_that_can_be_read(window: FlockWindow, mine: Path) -> None:
    edit(window)
    (mine / "broken.toml").write_text('format = 1\nname = "' + "w" * 300 + '"\nspawm = 3\n')
    press(window, key.O, CTRL)
    frames(window)
    assert window.session.asking.question is None
    click(window, "##broken.toml", times=2)
    frames(window)
    assert "can't be opened" in (window.session.asking.question or pytest.fail("nothing is told")).title
    click(window, "Close")
    click(window, "##two.toml", times=2)
    assert "Save the changes?" in look(window).text
    click(window, "Don't save")
    frames(window)
    assert window.simulation.scene.name == "Two"


def test_why_a_file_is_refused_is_told_once(window: FlockWindow, mine: Path) -> None:
    (mine / "broken.boids").write_bytes(b"")
    press(window, key.O, CTRL)
    click(window, "##broken.boids", times=2)
    frames(window)
    dialog = window.session.asking.dialog or pytest.fail("the dialog is gone")
    assert "broken.boids" in dialog.wrong
    assert dialog.wrong.lower() in look(window).text.lower()
    assert not window.session.messages.shown


def test_arrows_find_nothing_in_an_empty_folder(window: FlockWindow, mine: Path) -> None:
    (mine / "two.toml").unlink()
    press(window, key.O, CTRL)
    frames(window)
    press(window, key.DOWN)
    frames(window)
    press(window, key.ENTER)
    frames(window)
    assert (window.session.asking.dialog or pytest.fail("the dialog is gone")).wrong == "choose a file first"


def test_the_dialog_goes_through_folders_and_lists_what_can_be_opened(window: FlockWindow, mine: Path) -> None:
    (mine / "inner").mkdir()
    (mine / "inner" / "deep.toml").write_text(TWO)
    (mine / "notes.txt").write_text("no scene")
    press(window, key.O, CTRL)
    seen = look(window)
    assert "inner" in seen.texts
    assert seen.texts.index("inner") < seen.texts.index("two.toml")
    assert "notes.txt" not in seen.texts
    click(window, "##inner", times=2)
    assert "deep.toml" in look(window).texts
    press(window, key.UP, ALT)
    assert "two.toml" in look(window).texts
    press(window, key.DOWN)
    press(window, key.UP)
    press(window, key.ENTER)  # the folder is marked
    assert window.session.asking.dialog is not None
    assert window.session.asking.dialog.folder == mine / "inner"
    press(window, key.DOWN)
    assert "deep.toml" in look(window).texts
    press(window, key.ENTER)
    assert window.session.document.file == mine / "inner" / "deep.toml"
    press(window, key.O, CTRL)
    assert window.session.asking.dialog.folder == mine / "inner"  # remembered


def test_a_folder_that_is_gone_is_said(window: FlockWindow, mine: Path) -> None:
    (mine / "inner").mkdir()
    press(window, key.O, CTRL)
    (mine / "inner").rmdir()
    click(window, "##inner", times=2)
    assert "can't be shown" in look(window).text
    assert "two.toml" in look(window).texts


def test_escape_closes_a_list_before_the_dialog(window: FlockWindow) -> None:
    press(window, key.O, CTRL)
    click(window, "##kind")
    assert "all files" in look(window).places
    press(window, key.ESCAPE)
    assert "all files" not in look(window).places
    assert window.session.asking.dialog is not None
    click(window, "##kind")
    click(window, "all files")
    assert window.session.asking.dialog.kind.words == "all files"
    press(window, key.ESCAPE)
    assert window.session.asking.dialog is None


def test_all_mistakes_of_a_bad_file_are_shown_until_they_are_read(window: FlockWindow, mine: Path) -> None:
    (mine / "bad.toml").write_text('format = 1\n[world]\nsize = [1, -2]\nedgse = "wrap"\n')
    running = window.simulation
    press(window, key.O, CTRL)
    type_name(window, "bad.toml")
    text = look(window).text
    assert "bad.toml:3:12" in text
    assert "bad.toml:4:1" in text
    click(window, "Close")
    assert window.simulation is running
    press(window, key.ESCAPE)
    assert not window.session.asking.waits
    edit(window)  # and the world can be touched again


def test_keys_do_nothing_else_while_something_is_asked(window: FlockWindow) -> None:
    edit(window)
    press(window, key.R)
    running = window.simulation
    for symbol in (key.SPACE, key.R, key.N, key.F11):
        press(window, symbol)
    assert window.session.clock.paused
    assert window.simulation is running
    count = len(living(window))
    send(window, ("on_mouse_press", 100, 100, LEFT, 0))
    frames(window)
    assert len(living(window)) == count


def test_a_question_can_be_answered_while_panels_are_hidden(window: FlockWindow) -> None:
    edit(window)
    press(window, key.F12)
    assert window.gui.events.hidden
    press(window, key.R)
    click(window, "Cancel")
    assert not window.session.asking.waits


def test_a_window_that_opens_on_a_file_of_mine_saves_to_it(open_on: OpenWindow, mine: Path) -> None:
    window = open_on(drifting(), file=mine / "two.toml")
    press(window, key.S, CTRL)
    assert read_scene(mine / "two.toml").name == "drifting"


@pytest.mark.painted
def test_a_question_dims_what_lies_behind_it_and_not_itself(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 180)), (900, 640), panels=["palette"])
    for _ in range(3):
        window.on_draw()

    def colour(x: int, y: int) -> tuple[int, ...]:
        return tuple(window.ctx.screen.read(viewport=(x, y, 1, 1), components=3))

    behind = colour(60, 20)  # the empty end of the palette
    window.session.ask(Question("Tea?", "It is hot.", [("Yes", nothing), ("No", nothing)]))
    for _ in range(10):
        window.on_update(0.1)
        window.on_draw()
    left, low, _, top = look(window, 1).boxes["No"]
    assert max(colour(60, 20)) < 0.7 * max(behind)
    assert colour(round(left) - 200, round((low + top) / 2)) == (20, 21, 31)


@pytest.fixture
def saving_a_large_state(window: FlockWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the state of a hundred thousand is being written to, on a stick."""
    window.filing.open(Path("hundred-thousand"))
    frames(window)
    edit(window)
    monkeypatch.setattr(jobs, "MOMENT", 0.0)
    window.filing.saving.save_state()
    dialog = window.session.asking.dialog
    assert dialog is not None
    dialog.folder, dialog.name = tmp_path / "stick", "all.boids"
    dialog.folder.mkdir()
    dialog.confirm()
    assert window.jobs.finishing is not None
    return dialog.folder / "all.boids"


def test_a_large_state_is_saved_while_play_goes_on(window: FlockWindow, saving_a_large_state: Path) -> None:
    saved, digest = window.simulation.tick, window.simulation.digest()
    window.session.clock.paused = False
    frames(window)
    assert window.simulation.tick > saved
    window.jobs.finish()
    assert window.session.messages.newest == f"saved {saving_a_large_state}"
    assert not window.session.document.unsaved.some
    with sandbox.load(saving_a_large_state) as again:
        assert (again.tick, again.digest()) == (saved, digest)


def test_a_large_state_that_can_not_be_saved_after_all_is_still_unsaved(
    window: FlockWindow, saving_a_large_state: Path
) -> None:
    folder = saving_a_large_state.parent
    folder.rename(folder.with_name("pulled out"))  # as a stick, at one moment, also while a part is written
    window.filing.quit()
    assert window.session.asking.work is not None  # it waits for the file
    window.jobs.finish()
    assert "can't be written" in window.session.messages.newest
    assert window.session.document.unsaved.some
    assert window.session.asking.question is not None
    assert not window._leaving


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("page.html", "<html></html>", "this page holds no recording: "),
        ("page.xml", "<page></page>", "is not a scene, recording or picture: their names end in .toml, "),
        ("rows.parquet", "PAR1\0", "is not a scene, recording or picture: their names end in .toml, "),
    ],
)
def test_what_is_no_world_is_told_before_anything_is_asked(
    window: FlockWindow, mine: Path, name: str, content: str, told: str
) -> None:
    edit(window)
    path = mine / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)
    dropped = path if path.parent == mine else path.parent
    send(window, ("on_file_drop", 10, 10, [str(dropped)]))
    frames(window)
    assert f"{dropped}: {told}" in window.session.messages.newest
    assert not window.session.asking.waits


@pytest.mark.parametrize("name", ["bad.toml", "bad.npz", "bad.boids", "bad.png", "two.toml"])
def test_a_damaged_file_is_refused_before_anything_is_asked(window: FlockWindow, mine: Path, name: str) -> None:
    edit(window)
    running, is_good = window.simulation, name == "two.toml"
    if name == "bad.png":
        Image.new("RGB", (9, 9)).save(picture := io.BytesIO(), "PNG")
        (mine / name).write_bytes(with_recording(picture.getvalue(), b"damaged"))
    elif not is_good:
        (mine / name).write_bytes(b'format = 1\nseed = "a"')
    drop(window, mine / name)
    if is_good:
        assert "Save the changes?" in look(window).text
        click(window, "Cancel")
    else:
        assert str(mine / name) in window.session.messages.log[-1].text
        if name == "bad.toml":  # a list of its mistakes
            click(window, "Close")
    assert not window.session.asking.waits
    assert window.simulation is running
    window.on_update(1.0)


def test_a_scene_may_have_any_name(window: FlockWindow, mine: Path) -> None:
    (mine / "two.txt").write_text(TWO)
    send(window, ("on_file_drop", 10, 10, [str(mine / "two.txt")]))
    frames(window)
    assert window.simulation.scene.name == "Two"
    (mine / "typo.txt").write_text(TWO.replace("count = 2", "cuont = 2"))
    send(window, ("on_file_drop", 10, 10, [str(mine / "typo.txt")]))
    frames(window)
    assert "typo.txt:9:1: cuont: unknown key; did you mean" in window.session.messages.log[-1].text


def test_in_the_smallest_window_the_dialog_has_room_for_names(open_on: OpenWindow, mine: Path) -> None:
    window = open_on(drifting(at(100, 100)), (320, 240))
    press(window, key.O, CTRL)
    seen = look(window)
    assert "two.toml" in seen.texts
    left, _, right, _ = seen.boxes["##name"]
    assert right - left > 120


def test_the_names_of_a_world_follow_its_file_of_any_kind(window: FlockWindow, mine: Path) -> None:
    window.session.act("save_state")
    type_name(window, "my birds.boids")
    assert window.session.document.caption == "my birds.boids – boids"
    window.session.act("new")
    frames(window)
    assert window.session.document.caption == "untitled – boids"
    send(window, ("on_file_drop", 5, 5, [str(mine / "my birds.boids")]))
    frames(window)
    document = window.session.document
    assert (document.caption, document.file) == ("my birds.boids – boids", None)  # a scene is not written over it
    assert document.moment == f"my birds-{window.simulation.tick}"  # of screenshots, films, charts
    window.session.act("restart")
    frames(window)
    assert document.caption == "my birds.boids – boids"
    edit(window)
    press(window, key.N, CTRL)
    assert "my birds.boids has changes that are not saved." in look(window).text
