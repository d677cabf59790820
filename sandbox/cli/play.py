"""The command `boids play`: opens the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from sandbox.cli.options import (
    DEFAULT_SCENE,
    DepthOption,
    ModOption,
    SeedOption,
    SetOption,
    check_target,
    library_with,
    mods_on,
    open_with,
    opened,
    refuse_for_past,
)
from sandbox.cli.running import draw_end, run_ticks
from sandbox.cli.times import read_moment, seconds
from sandbox.files import named
from sandbox.terminal import has_display, say

if TYPE_CHECKING:
    from sandbox.mods.load.loaded_mods import LoadedMods
    from sandbox.past.timeline import Timeline
    from sandbox.simulation import Simulation

PICTURE_SECONDS = 10  # simulated, before a picture is drawn if there is no display

AtOption = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="Where to begin, paused: 12.5s, or tick 750.", show_default=False),
]
PictureOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Where there is no display, draw a picture into this .png instead: of a scene after ten seconds, of a "
        "past where it begins.",
        show_default=False,
    ),
]


def play(
    scene: Annotated[
        str,
        typer.Argument(help="A scene's name (see `boids scenes`), a scene file, a recording or a screenshot."),
    ] = DEFAULT_SCENE,
    seed: SeedOption = None,
    settings: SetOption = None,
    depth: DepthOption = None,
    mods: ModOption = None,
    at: AtOption = None,
    ambient: Annotated[
        bool,
        typer.Option("--ambient", help="Show scene after scene over the whole screen, until a key is pressed."),
    ] = False,
    picture: PictureOption = None,
) -> None:
    """Open the window on a scene or a recording."""
    from sandbox.files.read_recording import has_past
    from sandbox.opening import other_than_a_world

    is_past = has_past(scene)
    if at is not None and not is_past:
        raise ValueError(f"--at {at}: {named(scene)} has no past: only recordings (.boids) have one")
    if what := other_than_a_world(scene):
        raise ValueError(what)
    if ambient and not has_display():
        raise ValueError("--ambient: it needs a window, and there is no display")
    if is_past:
        refuse_for_past(scene, seed, settings, depth)
    if is_past and not has_display():
        draw_past(scene, lambda library: _past(scene, library, at), mods, picture, f"boids play {named(scene)}")
    if has_display():
        from sandbox.app.run_window import start

        library = library_with(mods)
        start(scene, lambda: shown(scene, seed, settings, library, at, depth), library, ambient=ambient)
        return
    simulation, problems = opened(scene, seed, settings, mods, depth)
    target = checked_picture(picture, f"boids run {named(scene)}")
    say(f"There is no display: running {named(scene)} for {PICTURE_SECONDS} simulated seconds without a window.")
    run_ticks(simulation, PICTURE_SECONDS * _tick_rate(simulation))
    _draw(simulation, target, bool(problems))


def checked_picture(picture: Path | None, command: str) -> Path:
    """Return the file of `--picture`, where there is no display.

    Raises:
        ValueError: there is none; the message says that the command draws one.
        OSError: it can't be written.
    """
    if picture is None:
        raise ValueError(f"there is no display for a window: {command} --picture FILE draws a picture")
    if picture.suffix.lower() != ".png":
        raise ValueError(f"--picture {named(picture)}: a picture is a .png")
    check_target(picture)
    return picture


def draw_past(
    name: str, make: Callable[[LoadedMods], Timeline], mods: list[Path] | None, picture: Path | None, command: str
) -> NoReturn:
    """Draw the moment at which a timeline opens into a picture, and exit."""
    from sandbox.past.replay import problem_of

    target = checked_picture(picture, command)
    with mods_on(mods) as library:
        timeline, problems = make(library), library.problems
    timeline.seek(timeline.branch.last if timeline.opens_at is None else timeline.opens_at)
    simulation = timeline.simulation
    say(f"There is no display: drawing {named(name)} at {seconds(simulation.tick, _tick_rate(simulation))}.")
    if problem := problem_of(timeline):
        say(f"boids: {problem}", stderr=True)
    _draw(simulation, target, bool(problems or problem))


def _draw(simulation: Simulation, picture: Path, failed: bool) -> NoReturn:
    draw_end(simulation, picture)
    say(f"Picture: {named(picture.resolve())}")
    raise typer.Exit(failed or bool(simulation.mods.faults))


def shown(
    scene: str,
    seed: int | None,
    settings: list[str] | None,
    library: LoadedMods,
    at: str | None,
    depth: float | None = None,
) -> Simulation | Timeline:
    """Open what the window shows first: a simulation, or the timeline of a recording."""
    from sandbox.files.read_recording import has_past

    return _past(scene, library, at) if has_past(scene) else open_with(scene, seed, settings, library, depth)


def _past(scene: str, library: LoadedMods, at: str | None) -> Timeline:
    from sandbox.files.read_recording import open_recording

    timeline = open_recording(scene, library)
    open_at(timeline, at, timeline.branch.last)
    return timeline


def open_at(timeline: Timeline, at: str | None, last: int) -> None:
    """Let a timeline open at the moment of `--at`, if it is given; `last`: its last tick.

    Raises:
        ValueError: there is no such moment.
    """
    if at is not None:
        rate, first = _tick_rate(timeline.simulation), timeline.recording.first
        timeline.opens_at = round(read_moment("--at", at, rate, first, last))


def _tick_rate(simulation: Simulation) -> int:
    from systems.engine.settings import Settings

    return simulation.world.resource(Settings).tick_rate
