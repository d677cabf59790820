"""The command `boids play`: opens the window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandbox.cli.lesson import found_lesson
from sandbox.cli.options import (
    DEFAULT_SCENE,
    ModOption,
    SeedOption,
    SetOption,
    check_target,
    library_with,
    mods_on,
    open_with,
    opened,
)
from sandbox.cli.running import draw_end, run_ticks
from sandbox.files import named
from sandbox.terminal import has_display, progress, say

if TYPE_CHECKING:
    from sandbox.mods.load.loaded_mods import LoadedMods
    from sandbox.past.timeline import Timeline
    from sandbox.simulation import Simulation

MOST_RUNS = 10_000_000  # of a study
PICTURE_SECONDS = 10  # simulated, before a picture is drawn if there is no display


def play(
    scene: Annotated[
        str,
        typer.Argument(
            help="A scene's name (see `boids scenes`), a scene file, a recording, a screenshot, or with "
            "--run the folder of a study."
        ),
    ] = DEFAULT_SCENE,
    seed: SeedOption = None,
    settings: SetOption = None,
    mods: ModOption = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Where in a recording, or a run of a study, to begin, paused: 12.5s, or tick 750.",
            show_default=False,
        ),
    ] = None,
    run: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MOST_RUNS,
            metavar="N",
            help="This run of a study; SCENE is the folder of its results.",
            show_default=False,
        ),
    ] = None,
    lesson: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE", help="Begin this lesson, in its scene: see `boids lesson list`.", show_default=False
        ),
    ] = None,
    ambient: Annotated[
        bool,
        typer.Option("--ambient", help="Show scene after scene over the whole screen, until a key is pressed."),
    ] = False,
    picture: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where there is no display, draw a picture into this .png instead: of a scene after ten seconds, of a "
            "recording or run where it begins.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Open the window on a scene or a recording."""
    from sandbox.files.read_recording import has_past
    from sandbox.opening import other_than_a_world

    is_past = run is not None or has_past(scene)
    if at is not None and not is_past:
        raise ValueError(f"--at {at}: {named(scene)} has no past: only recordings (.boids) have one")
    if run is None and (what := other_than_a_world(scene)):
        raise ValueError(what)
    if lesson is not None and scene != DEFAULT_SCENE:
        raise ValueError(f"--lesson {lesson}: a lesson has its own scene: leave out {named(scene)}")
    if lesson is not None and not has_display():
        raise ValueError(f"--lesson {lesson}: a lesson needs a window, and there is no display")
    if ambient and not has_display():
        raise ValueError("--ambient: it needs a window, and there is no display")
    if picture is not None and picture.suffix.lower() != ".png":
        raise ValueError(f"--picture {named(picture)}: a picture is a .png")
    if has_display():
        from sandbox.app.run import start

        library = library_with(mods)
        taught = None if lesson is None else found_lesson(lesson, library)
        scene = scene if taught is None else str(taught.scene)
        start(scene, lambda: shown(scene, seed, settings, library, at, run), library, taught, ambient=ambient)
        return
    if picture is None:
        instead = f"boids {'play' if is_past else 'run'} {named(scene)} --picture FILE"
        raise ValueError(f"there is no display for a window: {instead} draws a picture")
    check_target(picture)
    if is_past:
        from sandbox.film.words import seconds
        from sandbox.past.replay import problem_of

        with mods_on(mods) as library:
            timeline, problems = _past(scene, seed, settings, library, at, run), library.problems
        timeline.seek(timeline.branch.last if timeline.opens_at is None else timeline.opens_at)
        simulation, what = timeline.simulation, named(scene) if run is None else f"run {run:,} of {named(scene)}"
        say(f"There is no display: drawing {what} at {seconds(simulation.tick, _tick_rate(simulation))}.")
        if problem := problem_of(timeline):
            say(f"boids: {problem}", stderr=True)
            problems = [*problems, problem]
    else:
        simulation, problems = opened(scene, seed, settings, mods)
        say(f"There is no display: running {named(scene)} for {PICTURE_SECONDS} simulated seconds without a window.")
        run_ticks(simulation, PICTURE_SECONDS * _tick_rate(simulation))
    draw_end(simulation, picture)
    say(f"Picture: {named(picture.resolve())}")
    raise typer.Exit(bool(problems or simulation.mods.faults))


def shown(
    scene: str,
    seed: int | None,
    settings: list[str] | None,
    library: LoadedMods,
    at: str | None,
    run: int | None = None,
) -> Simulation | Timeline:
    """Open what the window shows first: a simulation, or a timeline of a recording or run."""
    from sandbox.files.read_recording import has_past

    if run is None and not has_past(scene):
        return open_with(scene, seed, settings, library)
    return _past(scene, seed, settings, library, at, run)


def _past(
    scene: str, seed: int | None, settings: list[str] | None, library: LoadedMods, at: str | None, run: int | None
) -> Timeline:
    """Open a recording, or a run of a study, run up to its end or to `at`."""
    from sandbox.files.read_recording import open_recording
    from sandbox.film.words import read_moment

    if seed is not None or settings:
        what = "recording" if run is None else "run of a study"
        raise ValueError(f"{named(scene)}: a {what} has its own seed and settings: leave out --seed and --set")
    if run is None:
        timeline = open_recording(scene, library)
        last = timeline.branch.last
    else:
        from sandbox.studies.again import run_as_timeline

        timeline, last = run_as_timeline(Path(scene), run, library)
        timeline.opens_at = last
    if at is not None:
        rate, first = _tick_rate(timeline.simulation), timeline.recording.first
        timeline.opens_at = round(read_moment("--at", at, rate, first, last))
    if run is not None:
        ticks = timeline.opens_at or 0
        for _ in progress("Running", range(ticks), ticks):
            timeline.step()
        timeline.seek(timeline.recording.first)  # so that a restart leads there; the window then seeks `opens_at`
    return timeline


def _tick_rate(simulation: Simulation) -> int:
    from systems.engine.settings import Settings

    return simulation.world.resource(Settings).tick_rate
