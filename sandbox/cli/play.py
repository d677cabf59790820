"""The command `boids play`: the window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sandbox.cli.options import (
    DEFAULT_SCENE,
    ModOption,
    SceneArgument,
    SeedOption,
    SetOption,
    library_with,
    open_with,
    opened,
)
from sandbox.cli.running import draw_end, run_ticks
from sandbox.files import free_name, named
from sandbox.terminal import compile_if_cold, has_display, say

if TYPE_CHECKING:
    from sandbox.mods.load.loaded_mods import LoadedMods
    from sandbox.past.timeline import Timeline
    from sandbox.simulation import Simulation

PICTURE_SECONDS = 10  # simulated, before a picture is drawn where there is no display


def play(
    scene: SceneArgument = DEFAULT_SCENE,
    seed: SeedOption = None,
    settings: SetOption = None,
    mods: ModOption = None,
) -> None:
    """Open the window on a scene or a recording. Where there is no display, draw a picture of it instead."""
    from sandbox.opening import is_recording

    compile_if_cold()
    if has_display():
        from sandbox.app.start import start
        from sandbox.mods.find.trust import read_trust
        from sandbox.mods.load.library import Library

        trust, wrong = read_trust()
        library = Library(trust, [folder.absolute() for folder in mods or ()])
        start(scene, lambda: _shown(scene, seed, settings, library), library, wrong)
        return
    path = free_name(Path(f"{Path(scene).stem}.png"))
    if is_recording(scene):
        say(f"There is no display: drawing how {named(scene)} ends.")
        library = library_with(mods)
        timeline, problems = _recorded(scene, seed, settings, library), library.problems
        timeline.seek(timeline.branch.last)
        simulation = timeline.simulation
    else:
        say(f"There is no display: running {named(scene)} for {PICTURE_SECONDS} simulated seconds without a window.")
        simulation, problems = opened(scene, seed, settings, mods)
        run_ticks(simulation, PICTURE_SECONDS * _tick_rate(simulation))
    draw_end(simulation, path)
    say(f"Picture: {named(path.resolve())}")
    raise typer.Exit(bool(problems or simulation.mods.faults))


def _shown(scene: str, seed: int | None, settings: list[str] | None, library: LoadedMods) -> Simulation | Timeline:
    """What the window begins with."""
    from sandbox.opening import is_recording

    if not is_recording(scene):
        return open_with(scene, seed, settings, library)
    return _recorded(scene, seed, settings, library)


def _recorded(scene: str, seed: int | None, settings: list[str] | None, library: LoadedMods) -> Timeline:
    from sandbox.past.read_recording import open_recording

    if seed is not None or settings:
        raise ValueError(f"{named(scene)}: a recording has its own seed and settings: leave out --seed and --set")
    return open_recording(scene, library)


def _tick_rate(simulation: Simulation) -> int:
    from systems.engine.settings import Settings

    return simulation.world.resource(Settings).tick_rate
