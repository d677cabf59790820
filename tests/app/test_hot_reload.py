"""Files of a mod that change while the window runs: it is reloaded, after a person was asked once."""

from __future__ import annotations

import gc
import os
import shutil
import time
from functools import partial
from pathlib import Path
from threading import Event
from weakref import ref

import pytest

from components.store.declare import component, switch
from sandbox.app.fields.lines import lines_of
from sandbox.app.jobs.jobs import LONG
from sandbox.app.mod_files import IN_A_FRAME, ModWatch
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit.placing import Spawn
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.run.host import SwitchMod

from .conftest import OpenWindow, at, drifting
from .modded import SYSTEM, frames, named, said, with_overlay, with_panel, with_tool, write_mod
from .mouse import click as mouse_click
from .mouse import press
from .panels import panel
from .widgets import click, look

LODE = '''
from sandbox.api import component, number

@component
class Lode:
    """Pulls."""

    strength: float = number({default}, "1/s", 0, 10000, "how much")

def install(app):
    app.add_component(Lode)
    app.add_prefabs('[prefabs.iron]\\nextends = "boid"\\nLode = {{ strength = 30 }}')
'''


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "work" / "mods").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "data" / "boids-sandbox" / "mods"


def opened(open_on: OpenWindow, own: Path, python: str, panels: tuple[str, ...] = ("lode.lodes",)) -> FlockWindow:
    """With a mod of a person's own that is enabled."""
    write_mod(own, python)
    library = Library(Trust(own / "trust.toml"))
    library.enable("lode")
    window = open_on(drifting(at(300, 180)), (900, 640), panels=panels, library=library)
    rest(window)
    assert not said(window)
    return window


def rest(window: FlockWindow, seconds: float = 2.0) -> None:
    """So much time passes, in frames."""
    frames(window, round(seconds / 0.1), 0.1)


def save(own: Path, python: str) -> None:
    """As an editor does it."""
    write_mod(own, python)
    os.utime(own / "lode" / "lode.py", ns=(time.time_ns(), time.time_ns() + 5_000_000))


def reload(window: FlockWindow, own: Path, python: str) -> None:
    """Save it, and say so when the window asks."""
    save(own, python)
    rest(window)
    click(window, "Reload")
    rest(window)


def test_a_new_default_is_not_that_of_those_who_live_and_it_is_said(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, LODE.format(default=5))
    session = window.session
    session.submit(Spawn(Entry("iron", values={"Lode.strength": 5.0})))
    rest(window)
    save(own, LODE.format(default=7))
    session.services.modding.reload("lode")
    rest(window)
    assert "Existing entities keep the old default of Lode.strength; new ones get the new default" in said(window)
    table = session.simulation.world.table
    rows = table.rows(table.components["Lode"])
    assert table.columns["Lode.strength"][rows].tolist() == [5]


def test_the_first_change_asks_and_later_ones_do_not(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_panel('ui.text("one")'))
    assert "one" in look(window).texts
    save(own, with_panel('ui.text("two")'))
    rest(window)
    assert "Lodes has changed" in look(window).text
    assert "one" in look(window).texts
    click(window, "Reload")
    rest(window)
    assert "two" in look(window).texts
    assert said(window) == ["Reloaded lode 1.0"]
    save(own, with_panel('ui.text("three")'))
    rest(window)
    assert window.session.asking.question is None
    assert "three" in look(window).texts


def test_who_keeps_what_is_loaded_is_asked_again_when_it_changes_again(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_panel('ui.text("one")'))
    save(own, with_panel('ui.text("two")'))
    rest(window)
    click(window, "Keep the loaded version")
    rest(window)
    assert window.session.asking.question is None
    assert "one" in look(window).texts
    save(own, with_panel('ui.text("three")'))
    rest(window)
    click(window, "Reload")
    rest(window)
    assert "three" in look(window).texts


def test_a_folder_that_a_person_named_is_loaded_anew_without_a_question(open_on: OpenWindow, own: Path) -> None:
    folder = write_mod(own, with_panel('ui.text("one")'))
    window = open_on(drifting(at(300, 180)), (900, 640), panels=["lode.lodes"], library=named(folder))
    rest(window)
    save(own, with_panel('ui.text("two")'))
    rest(window)
    assert "two" in look(window).texts


def test_a_file_that_is_touched_but_the_same_changes_nothing(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_panel())
    save(own, with_panel())
    rest(window)
    assert window.session.asking.question is None
    assert not said(window)


def test_a_folder_that_goes_is_not_taken_for_another_of_its_id(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_panel('ui.text("one")'))
    write_mod(Path("mods"), with_panel('ui.text("another")'))
    shutil.rmtree(own / "lode")
    rest(window)
    assert window.session.asking.question is None
    assert "one" in look(window).texts


@pytest.mark.parametrize(
    ("python", "message"),
    [
        ("def install(app:\n", "lode.py:2: SyntaxError"),
        ("def install(app):\n    app.add_panel(3)\n", "add_panel got the int 3"),
    ],
)
def test_a_version_that_fails_leaves_the_old_one(open_on: OpenWindow, own: Path, python: str, message: str) -> None:
    window = opened(open_on, own, with_panel('ui.text("one")'))
    reload(window, own, python)
    assert any(message in text for text in said(window)), said(window)
    assert "one" in look(window).texts
    save(own, with_panel('ui.text("mended")'))
    rest(window)
    assert "mended" in look(window).texts


def test_a_mod_that_was_stopped_goes_on_when_it_is_mended(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_panel())
    reload(window, own, with_panel("1 / 0"))
    assert window.simulation.mods.off == {"lode"}
    messages = window.session.messages
    assert "The mod Lodes was stopped: lode.py:" in messages.newest
    save(own, with_panel('ui.text("mended")'))
    rest(window)
    assert not window.simulation.mods.off
    assert {each.text for each in messages.shown} == {"Reloaded lode 1.0"}
    window.session.front("lode.lodes")
    assert "mended" in look(window).texts


def test_a_mod_that_could_not_be_loaded_is_when_it_is_mended(open_on: OpenWindow, own: Path) -> None:
    write_mod(own, "1 / 0\n")
    library = Library(Trust(own / "trust.toml"))
    library.enable("lode")
    window = open_on(drifting(at(300, 180)), (900, 640), panels=["lode.lodes"], library=library)
    rest(window)
    reload(window, own, with_panel('ui.text("mended")'))
    assert "mended" in look(window).texts


def test_mods_that_come_and_go_are_no_edits_to_save(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_panel())
    reload(window, own, with_panel('ui.text("two")'))
    window.session.submit(SwitchMod("lode", False))
    rest(window, 0.3)
    assert not window.session.document.unsaved.some


# ---- what follows: hand, overlays, panels


def test_the_tool_in_hand_becomes_the_new_one_in_the_middle_of_a_drag(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_tool(), ("palette",))
    click(window, "##tool lode.horseshoe")
    press(window, (500, 300))
    before = window.session.hand.tool
    reload(window, own, with_tool(press="session.messages.say('new')"))
    assert window.session.hand.tool.name == "lode.horseshoe"
    assert window.session.hand.tool is not before
    press(window, (500, 320))
    assert "new" in said(window)
    assert window.session.hand.number == len(window.session.hand.tools)


def test_what_is_shown_stays_shown_and_what_goes_is_gone(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_overlay().replace("always = True", ""), ("palette",))
    window.session.toggle_overlay("lode.lines")
    reload(window, own, with_overlay().replace("always = True", "under = True"))
    assert "lode.lines" in window.session.shown
    assert "lode.lines" in [overlay.name for overlay in window.overlays.all]
    window.session.submit(SwitchMod("lode", False))
    frames(window)
    assert "lode.lines" not in window.session.shown
    assert "lode.lines" not in [overlay.name for overlay in window.overlays.all]


def test_a_panel_that_is_renamed_goes_and_the_menu_lists_the_new_one(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_panel())
    reload(window, own, with_panel().replace('"lodes", "Lodes"', '"poles", "Poles"'))
    assert window.session.preferences.open == []
    assert panel(window, "lode.poles").title == "Poles"
    click(window, "Panels")
    assert "Poles" in look(window).places


def test_a_restart_begins_with_the_newest_version(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_panel('ui.text("one")'))
    reload(window, own, with_panel('ui.text("two")'))
    window.filing.restart()
    frames(window, 3)
    assert "two" in look(window).texts
    assert window.simulation.tick <= 1


# ---- looking at files


def test_a_few_files_are_looked_at_in_each_frame(tmp_path: Path) -> None:
    for number in range(1500):
        (tmp_path / f"file{number}.py").write_text("")
    watch, frames = ModWatch(), 1
    while not watch.pass_time(1 / 60, [tmp_path]):
        frames += 1
    assert frames > 2 * 1500 / IN_A_FRAME  # it is told with the second look


def test_a_change_is_told_once_it_rests(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    file = tmp_path / "inner" / "lode.py"
    file.write_text("one")
    watch = ModWatch()

    def told(looks: int = 4) -> list[Path]:
        return [path for _ in range(30 * looks) for path in watch.pass_time(1 / 60, [tmp_path])]

    assert told() == [tmp_path]  # it is new
    assert told() == []
    for text in ("two and", "two and more", "two and more of it"):  # it is being written
        file.write_text(text)
        assert told(1) == []
    assert told() == [tmp_path]
    (tmp_path / ".hidden").write_text("")
    (tmp_path / "__pycache__").mkdir()
    assert told() == []
    file.unlink()
    assert told() == [tmp_path]


def test_a_folder_that_is_gone_is_told_once_and_what_is_loaded_goes_on(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_panel('ui.text("one")'))
    shutil.rmtree(own / "lode")
    rest(window, 5)
    assert [text.split(":")[0] for text in said(window)] == ["The folder of lode is gone"]
    assert "one" in look(window).texts


def test_the_tool_in_hand_is_held_again_once_its_mod_is_mended(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_tool("1 / 0"), ())
    hand = window.session.hand
    hand.take(window.session, next(each for each in hand.tools if each.name == "lode.horseshoe"))
    mouse_click(window, 300, 180)
    frames(window)
    assert hand.tool.name != "lode.horseshoe"
    write_mod(own, with_tool())
    window.modding.reload("lode")
    frames(window)
    assert hand.tool.name == "lode.horseshoe"


def test_a_question_about_changed_files_goes_when_the_mod_is_switched_off(open_on: OpenWindow, own: Path) -> None:
    window = opened(open_on, own, with_panel())
    save(own, with_panel("ui.text('newer')"))
    rest(window)
    assert "Reload and enable it?" in window.session.asking.question.text
    window.modding.library.disable("lode")
    frames(window)
    assert window.session.asking.question is None


def test_what_is_shown_of_a_class_does_not_keep_the_class() -> None:
    for derive in (partial(lines_of, axes="xy"), partial(lines_of, axes="xy", own=False)):

        @component
        class Brief:
            """Soon gone."""

            much: bool = switch(True, "much")

        assert derive(Brief)
        gone = ref(Brief)
        del Brief
        gc.collect()
        assert gone() is None


def test_a_slow_system_of_a_mod_is_named_once(open_on: OpenWindow, own: Path) -> None:
    slow = SYSTEM.replace("pass", "__import__('time').sleep(0.003)")
    folder = write_mod(own, slow + "\n\ndef install(app):\n    app.add_system(Drift)\n")
    scene = drifting(at(300, 180))
    scene.settings.tick_rate = 240
    window = open_on(scene, (800, 600), library=named(folder))
    window.session.clock.now = lambda: 0
    film_made = Event()
    window.jobs.begin("making a film ...", film_made.wait, lane="film")
    time.sleep(LONG)
    for _ in range(3):
        window.simulation.step(60)
        frames(window, 1)
    assert not [text for text in said(window) if "takes" in text]  # it may be the film that makes it slow
    film_made.set()
    window.jobs.close()
    for _ in range(3):
        window.simulation.step(60)
        frames(window, 1)
    assert len([text for text in said(window) if text.startswith("The system drift takes")]) == 1
    assert not [message for message in window.session.messages.log if "drift" in message.text and message.wrong]


def test_a_system_of_a_mod_that_was_slow_only_while_a_kernel_compiled_is_not_named(
    open_on: OpenWindow, own: Path
) -> None:
    slow = SYSTEM.replace("pass", "__import__('time').sleep(0.8 if world.tick == 90 else 0)")
    folder = write_mod(own, slow + "\n\ndef install(app):\n    app.add_system(Drift)\n")
    scene = drifting(at(300, 180))
    scene.settings.tick_rate = 240
    window = open_on(scene, (800, 600), library=named(folder))
    window.session.clock.now = lambda: 0
    for _ in range(5):
        window.simulation.step(60)
        frames(window, 1)
    assert not [text for text in said(window) if "takes" in text]
