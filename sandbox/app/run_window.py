"""Opens a window, runs it and closes it.

The window starts with the enabled mods; after a session that ended unexpectedly while mods were on, without mods.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType

import arcade

from sandbox.app.document.again import Make, Shown, maker, simulation_of
from sandbox.app.lost import offer_lost
from sandbox.app.parts import BUILT_IN
from sandbox.app.questions import Answers, Question
from sandbox.app.session.file_kind import kind_of
from sandbox.app.session.session import Session
from sandbox.app.start_screen import ChosenError, ClosedError, compile_in_window
from sandbox.app.window import FlockWindow
from sandbox.files import is_recording
from sandbox.language import translate
from sandbox.mods.find.fault import ModInterrupt
from sandbox.mods.load.library import Library
from sandbox.mods.run.running_mods import RunningMods
from sandbox.opening import load
from sandbox.scenes.bundled import find_scene
from sandbox.simulation import Simulation
from sandbox.terminal import has_display
from sandbox.warm_up import begin_rest
from systems.engine import kernel
from systems.engine.app import installed
from systems.engine.kernel_cache import cache_folder, is_cold

NEEDS = "it needs a display and OpenGL 3.3"
SAFE_SCENE = "murmuration"  # comes with the program, and needs no mod


def made_window(
    shown: Shown,
    again: Make,
    file: Path | None = None,
    library: Library | None = None,
    running: RunningMods | None = None,
) -> FlockWindow:
    """Return a window on a simulation, or on one with its past; see `FlockWindow`.

    Raises:
        OSError: no window can be opened.
    """
    try:
        return FlockWindow(shown, again, file=file, library=library, running=running)
    except (ValueError, OSError):
        raise
    except Exception as error:  # pyglet has many exceptions: no display, no suitable configuration, no context
        raise OSError(f"no window can be opened: {error}; {NEEDS}") from None


def run_window(window: FlockWindow) -> None:
    """Run the event loop until the window is closed, by the user or by a signal."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, partial(_end, window)) for number in numbers}
    rest = None
    try:
        with suppress(OSError):
            rest = begin_rest() if is_cold() and cache_folder() else None
        if rest is not None:
            window.session.playback.may_compile = lambda: rest.poll() is None
        window.on_update(0.0)  # no tick is due
        window.on_draw()  # the first tick may take long, and the window should not be empty meanwhile
        window.flip()
        arcade.run()
    except ModInterrupt:
        raise  # the next start asks before it loads mods
    except KeyboardInterrupt:
        window.jobs.finish()
        ticks = window.session.playback.ticks
        if ticks is not None and (mod := ticks.stop_mod()):
            raise ModInterrupt(f"interrupted in the mod {mod} (tick {window.simulation.tick})") from None
        window.modding.close()
        raise
    finally:
        if rest is not None:
            rest.terminate()
            rest.wait()
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(window: FlockWindow, number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)  # if the frame never ends, a second signal ends the program
    window.end()


def open_window(simulation: Simulation, again: Make | None = None, file: Path | None = None) -> None:
    """Show a simulation until its window is closed.

    Args:
        again: makes the same simulation again, for restarting; default: `restart.maker`.
        file: the file it was opened from; if that is one of the user's own scenes, saving writes to it.
    Raises:
        OSError: no window can be opened.
    """
    if not has_display():  # arcade would make a headless window, as for pictures
        raise OSError(f"no window can be opened: {NEEDS}")
    window = made_window(simulation, again or maker(simulation), file)
    offer_lost(window.session, window.filing, window.autosave)
    run_window(window)


def start(
    scene: str,
    make: Make,
    library: Library,
    begin: Callable[[Session], object] | None = None,
    *,
    ambient: bool = False,
) -> None:
    """Show a scene until the window is closed.

    Args:
        scene: the name or file of a scene, a recording, or another file that the window opens; `make` opens
            a scene or recording with the mods of `library`.
        begin: called once the scene is shown; a person may then choose no other scene while kernels are compiled.
        ambient: whether to begin in ambient mode.
    Raises:
        ValueError: the scene can't be opened.
        OSError: no window can be opened.
    """
    try:
        window = begun(scene, make, library, RunningMods(), choose=begin is None)
    except ClosedError:
        return
    if begin is not None:
        begin(window.session)
    if ambient:
        window.begin_ambient()
    run_window(window)


def begun(scene: str, make: Make, library: Library, running: RunningMods, *, choose: bool = True) -> FlockWindow:
    """Return the window of `start`, with the questions that are asked at the start.

    Args:
        choose: whether a person may choose another scene while kernels are compiled.
    """
    left = running.left()
    library.safe = bool(left)
    other = Path(scene) if _opens_otherwise(Path(scene), library) else None
    if other is not None:
        scene, make = SAFE_SCENE, partial(load, SAFE_SCENE, mods=library)
    if not left:
        running.begin(library.wanted)
        kernel.before_compiling = partial(_compile_without_blame, library, running, scene, choose)
    wrong = ""
    try:
        try:
            shown = _made(make)
        except ChosenError as chosen:
            scene = chosen.scene
            shown = load(scene, mods=library)
        is_no_scene = is_recording(scene) or os.path.isdir(scene)
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
    if other is not None:
        window.filing.open(other)
    if left:
        _ask_for_mods(window, left, wrong, scene, make)
    else:
        offer_lost(window.session, window.filing, window.autosave)
    return window


def _opens_otherwise(path: Path, library: Library) -> bool:
    """Return whether a file is of another kind than worlds, which a part of the window opens."""
    if not os.path.isfile(path):
        return False
    library.look()
    return kind_of(path, [*installed(BUILT_IN).file_kinds, *library.assembly.app.file_kinds]) is not None


def _made(make: Make) -> Shown:
    """Make the simulation; also compile its kernels if an earlier start did not come to its end.

    Raises:
        ChosenError: a person chose another scene meanwhile.
    """
    shown = make()
    prepare, kernel.before_compiling = kernel.before_compiling, None
    if prepare is not None and is_cold():
        try:
            prepare()
        except KeyboardInterrupt:
            simulation_of(shown).close()
            raise
    return shown


def _compile_without_blame(library: Library, running: RunningMods, scene: str, choose: bool = True) -> None:
    """Compile kernels without mods noted as running: if the program ends in this minute, no mod is to blame.

    Raises:
        ChosenError: a person chose another scene.
    """
    running.end()
    chosen = compile_in_window(scene, choose=choose)
    running.begin(library.wanted)
    if chosen != scene:
        raise ChosenError(chosen)


def _ask_for_mods(window: FlockWindow, left: list[str], wrong: str, scene: str, make: Make) -> None:
    """Ask whether to load the mods after all."""

    def load_them() -> None:
        if wrong:
            window.modding.leave_safe_mode(into_world=False)
            window.filing.reopen(make, Path(scene))
        else:
            window.modding.leave_safe_mode()
        stay()

    def stay() -> None:
        offer_lost(window.session, window.filing, window.autosave)

    text = translate(
        "The last session ended unexpectedly while mods were on: {mods}. One of them may be the cause, so this "
        "session started without mods.",
        mods=", ".join(left),
    )
    if wrong:
        text += translate(" {scene} can't be opened without them: {wrong}", scene=scene, wrong=wrong)
    answers: Answers = [("Load the mods", load_them), ("Continue without", stay)]
    window.session.ask(Question("Load the mods again?", text, answers, by_enter=False))


def _scenes(simulation: Simulation) -> list[Path]:
    """Return the folders of scenes that the simulation's mods added."""
    return [folder for brought in simulation.mods.parts.values() for folder in brought.scenes]
