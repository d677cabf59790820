"""How a window begins: with the mods that are on; after a session that ended unexpectedly with mods, without them."""

from __future__ import annotations

import os
from pathlib import Path

from sandbox.app.lost import offer_lost
from sandbox.app.questions import Answers, Question
from sandbox.app.restart import Make, maker, simulation_of
from sandbox.app.run import made_window, run_window
from sandbox.app.teaching import teaching_of
from sandbox.app.window import FlockWindow
from sandbox.language import said
from sandbox.lessons.lesson import Lesson
from sandbox.mods.find.fault import ModInterrupt
from sandbox.mods.load.library import Library
from sandbox.mods.run.running import RunningMods
from sandbox.opening import is_recording, is_snapshot, load
from sandbox.scenes.bundled import find_scene
from sandbox.simulation import Simulation

SAFE_SCENE = "murmuration"  # comes with the program, and needs no mod


def start(scene: str, make: Make, library: Library, lesson: Lesson | None = None) -> None:
    """Show a scene until the window is closed.

    Args:
        scene: its name or file, a snapshot, a recording or the folder of a study; `make` opens it with the mods of
            `library`.
        lesson: begins in it; it is about this scene.
    Raises:
        ValueError: it can't be opened.
        OSError: no window can be opened.
    """
    window = begun(scene, make, library, RunningMods())
    if lesson is not None:
        teaching_of(window.session).begin(window.session, lesson)
    run_window(window)


def begun(scene: str, make: Make, library: Library, running: RunningMods) -> FlockWindow:
    """The window of `start`, with the questions that it begins with."""
    left = running.left()
    library.safe = bool(left)
    if not left:
        running.begin(library.wanted)
    wrong = ""
    try:
        shown = make()
        is_no_scene = is_recording(scene) or is_snapshot(scene) or os.path.isdir(scene)
        file = None if is_no_scene else find_scene(scene, _scenes(simulation_of(shown)))
    except (ValueError, OSError) as error:
        running.end()
        if not left:
            raise
        wrong, shown = str(error), load(SAFE_SCENE, mods=library)
        file = find_scene(SAFE_SCENE)
    except ModInterrupt:
        raise  # the next start asks before it loads mods
    except KeyboardInterrupt:
        running.end()
        raise
    window = made_window(shown, maker(simulation_of(shown)), file, library, running)
    window.filing.tell_lacks()
    if left:
        _ask_for_mods(window, left, wrong, scene, make)
    else:
        offer_lost(window.session, window.filing, window.autosave)
    return window


def _ask_for_mods(window: FlockWindow, left: list[str], wrong: str, scene: str, make: Make) -> None:
    """Whether to load the mods after all."""

    def load_them() -> None:
        if wrong:
            window.modding.leave_safe_mode(into_world=False)
            window.filing.reopen(make, Path(scene))
        else:
            window.modding.leave_safe_mode()
        stay()

    def stay() -> None:
        offer_lost(window.session, window.filing, window.autosave)

    text = said(
        "The last session ended unexpectedly while mods were on: {mods}. Maybe because of one of them, so this one "
        "began without mods.",
        mods=", ".join(left),
    )
    if wrong:
        text += said(" {scene} can't be opened so: {wrong}", scene=scene, wrong=wrong)
    answers: Answers = [("Load the mods", load_them), ("Stay without", stay)]
    window.session.ask(Question("Load the mods again?", text, answers, by_enter=False))


def _scenes(simulation: Simulation) -> list[Path]:
    """The folders with scenes that its mods brought."""
    return [folder for part in simulation.mods.parts.values() for folder in part.scenes]
