"""After a session that ended unexpectedly while mods ran, the next one begins without them, and asks."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

from sandbox.app.run_window import _compile_without_blame, begun, run_window
from sandbox.app.window import FlockWindow
from sandbox.mods.find.fault import ModInterrupt
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.run.running_mods import RunningMods
from sandbox.opening import load
from tests.command_line import kill_once

from .conftest import OpenWindow, at, drifting
from .modded import SYSTEM, frames, write_mod
from .widgets import click, look

CRASHES = """
import os, sys
from pathlib import Path
from sandbox.mods.run.running_mods import RunningMods

RunningMods(Path(sys.argv[1])).begin(sys.argv[2:])
print("runs", flush=True)
sys.stdin.read()
"""
MAGNET = f"{SYSTEM}\n\ndef install(app):\n    app.add_system(Drift)\n"
NEEDS = 'format = 1\nname = "Needs"\n[mods]\nrequired = ["lode"]\n[[spawn]]\nprefab = "boid"\ncount = 3\n'


@pytest.fixture(autouse=True)
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where it is noted which mods run."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path / "boids-sandbox" / "running"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    write_mod(tmp_path / "boids-sandbox" / "mods", MAGNET)
    trust = Trust(tmp_path / "trust.toml")
    Library(trust).enable("lode")
    return Library(trust)


@pytest.fixture
def start(running: Path, library: Library) -> Iterator[object]:
    opened: list[FlockWindow] = []

    def start(scene: str, drawn: int = 2) -> FlockWindow:
        window = begun(scene, lambda: load(scene, mods=library), library, RunningMods(running))
        opened.append(window)
        frames(window, drawn)
        return window

    yield start
    for window in opened:
        window.close()


def crash(running: Path, *mods: str) -> None:
    """A session that runs these mods and is killed."""
    kill_once(CRASHES, running, *mods)


def test_what_runs_is_noted_while_it_runs_and_told_once_after_a_crash(running: Path) -> None:
    one, other = RunningMods(running), RunningMods(running)
    one.begin({"wind", "lode"})
    assert other.left() == []
    crash(running, "storm")
    assert other.left() == ["storm"]
    assert other.left() == []
    one.end()
    assert list(running.iterdir()) == []


def test_where_no_mod_runs_nothing_is_written(running: Path) -> None:
    RunningMods(running).begin([])
    assert not running.exists()


def test_a_folder_that_cannot_be_made_stops_nobody(running: Path) -> None:
    running.parent.mkdir(parents=True, exist_ok=True)
    running.write_text("")
    mods = RunningMods(running)
    mods.begin(["lode"])
    assert mods.left() == []
    mods.end()


def test_what_runs_is_noted_again_once_kernels_are_compiled(running: Path, library: Library) -> None:
    mods = RunningMods(running)
    mods.begin(library.wanted)
    _compile_without_blame(library, mods, "ronan")
    assert [path.read_text() for path in running.glob("*/mods.txt")] == ["lode\n"]
    mods.end()


def test_it_is_noted_before_a_mod_is_imported(start: object, running: Path, library: Library) -> None:
    write = f"from pathlib import Path\nassert list(Path({str(running)!r}).glob('*/mods.txt')), 'not noted'\n"
    write_mod(running.parent / "mods", write + MAGNET)
    library.enable("lode")
    window = start("murmuration")  # type: ignore[operator]
    assert [*window.simulation.mods.mods] == ["lode"]
    window.close()
    assert list(running.iterdir()) == []


def test_after_a_crash_no_mod_is_loaded_before_a_person_says_so(start: object, running: Path, library: Library) -> None:
    crash(running, "lode")
    window = start("murmuration")  # type: ignore[operator]
    assert "Load the mods again?" in look(window).text
    assert "lode" in look(window).text
    assert not window.simulation.mods.mods
    click(window, "Load the mods")
    frames(window)
    assert "drift" in window.simulation.pipeline.by_name
    assert not library.safe


def test_who_stays_without_can_load_them_in_the_panel(start: object, running: Path, library: Library) -> None:
    crash(running, "lode")
    window = start("murmuration")  # type: ignore[operator]
    click(window, "Continue without")
    frames(window)
    assert not window.simulation.mods.mods
    window.session.toggle_panel("mods")
    assert "no mod is loaded" in look(window).text
    click(window, "Load them##safe")
    frames(window)
    assert "drift" in window.simulation.pipeline.by_name


def test_a_scene_that_needs_mods_is_opened_with_them_after_another(
    start: object, running: Path, library: Library, tmp_path: Path
) -> None:
    crash(running, "lode")
    scene = tmp_path / "needs.toml"
    scene.write_text(NEEDS)
    window = start(str(scene))  # type: ignore[operator]
    assert window.simulation.scene.name == "Murmuration"
    assert "can't be opened without them" in look(window).text
    click(window, "Load the mods")
    frames(window)
    assert window.simulation.scene.name == "Needs"
    assert window.session.document.file == scene
    assert "drift" in window.simulation.pipeline.by_name


def test_without_a_crash_nothing_is_asked(start: object) -> None:
    window = start("murmuration")  # type: ignore[operator]
    assert window.session.asking.question is None
    assert [*window.simulation.mods.mods] == ["lode"]


def test_a_scene_that_is_wrong_is_refused_as_ever(start: object, running: Path, tmp_path: Path) -> None:
    scene = tmp_path / "wrong.toml"
    scene.write_text("format = 1\nnonsense = 1\n")
    with pytest.raises(ValueError, match="nonsense"):
        start(str(scene))  # type: ignore[operator]
    assert list(running.iterdir()) == []


@pytest.mark.long_ticks
def test_who_interrupts_a_mod_is_asked_at_the_next_start(start: object, running: Path, library: Library) -> None:
    write_mod(running.parent / "mods", MAGNET.replace("pass", "while True: pass"))
    library.enable("lode")
    window = start("murmuration", drawn=0)  # type: ignore[operator]
    Timer(1.0, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(ModInterrupt, match=r"interrupted in the mod lode: lode\.py:"):
        run_window(window)
    assert [path.read_text() for path in running.glob("*/mods.txt")] == ["lode\n"]
    assert any(window.ctx.screen.read())  # something was drawn before


def test_enabling_a_mod_in_the_window_is_noted_too(open_on: OpenWindow, running: Path, library: Library) -> None:
    library.disable("lode")
    window = open_on(drifting(at(300, 180)), (1000, 700), panels=["mods"], library=library)
    frames(window)
    click(window, "##on lode")
    click(window, "Enable")
    frames(window)
    root = running.parent / "mods-running"
    assert [path.read_text() for path in root.glob("*/mods.txt")] == ["lode\n"]
    window.close()
    assert list(root.iterdir()) == []
