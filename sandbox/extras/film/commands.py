"""The command `boids film`: writes a part of a recording or scene as a film."""

from __future__ import annotations

from contextlib import ExitStack, closing
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer

from sandbox.cli.options import (
    FileArgument,
    FromOption,
    GlowOption,
    ModOption,
    OverlayOption,
    ToOption,
    check_target,
    mods_on,
)
from sandbox.cli.overlays import check_overlays, overlays_of
from sandbox.cli.times import read_span
from sandbox.files import named
from sandbox.terminal import compile_if_cold, progress, say

MOST_FPS, MOST_PROCESSES = 1000, 64


def film(
    file: FileArgument,
    out: Annotated[
        Path,
        typer.Option(help="What to write: an .mp4, .webm, .gif or .webp, or, without an ending, a new folder of PNG."),
    ],
    begin: FromOption = None,
    end: ToOption = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Width and height, pixels.")] = "1280x720",
    fps: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_FPS, help="Frames per second; default: 60, or 25 for a GIF.", show_default=False),
    ] = None,
    camera: Annotated[
        str,
        typer.Option(
            metavar="VIEW",
            help="fit, recorded, follow:SERIAL, or x,y,zoom in u and pixels per u; with depth also orbit, ride:SERIAL.",
        ),
    ] = "fit",
    overlays: OverlayOption = None,
    glow: GlowOption = None,
    processes: Annotated[
        int, typer.Option(min=1, max=MOST_PROCESSES, help="How many processes draw; the frames do not depend on it.")
    ] = 1,
    silent: Annotated[
        bool, typer.Option("--silent", help="Without sound, which an .mp4 or .webm has otherwise.")
    ] = False,
    mods: ModOption = None,
    told: Annotated[
        bool,
        typer.Option("--progress", help="Print a line after each frame: the number done and the total, like 12 300."),
    ] = False,
) -> None:
    """Film a recording, scene or snapshot without a window; exit 1 if frames are missing or a replay differs."""
    from sandbox.extras.film.cameras import read_view
    from sandbox.extras.film.film import Film, count_of
    from sandbox.extras.film.formats import Format, read_size
    from sandbox.extras.film.soundtrack import Soundtrack
    from sandbox.extras.film.workers import frames_by
    from sandbox.opening import opened_to_run
    from sandbox.past.replay import problem_of
    from systems.engine.settings import Settings

    check_target(out)
    pixels, view = read_size(size), read_view(camera)
    written = Format(out, pixels, fps)
    check_overlays(overlays or ())
    with mods_on(mods) as library:
        timeline = opened_to_run(file, library, budget=0)  # no keyframes are needed
    folders = tuple(folder.absolute() for folder in mods or ())
    with closing(timeline):
        rate = timeline.simulation.world.resource(Settings).tick_rate
        ends = timeline.recording.first, timeline.branch.last
        first, last = read_span("the film", rate, ends, begin, end)
        per_frame = Fraction(rate, written.fps)
        count = count_of(first, last, per_frame)
        compile_if_cold(file)
        names = overlays_of(timeline.simulation, overlays)
        filmed = Film(file, folders, first, per_frame, count, pixels, view, names, glow)
        with ExitStack() as stack:
            sound = None
            if written.is_heard and not silent:
                sound = stack.enter_context(closing(Soundtrack(first, per_frame * written.fps)))
            frames = stack.enter_context(frames_by(processes, filmed, timeline, sound))
            written.write(progress("Filming", frames, count, told=told), count, sound)
        problem = problem_of(timeline)
        failed = bool(problem or library.problems or timeline.simulation.mods.faults)
    if problem:
        say(f"boids: {problem}", stderr=True)
    say(f"Film: {named(out)} ({count:,} frames of {pixels[0]} x {pixels[1]}, {round(count / written.fps, 2):g} s)")
    raise typer.Exit(failed)


def install(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(film)
