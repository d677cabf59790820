"""The command `boids share`: writes a part of a recording or scene as a page that plays it in a browser."""

from __future__ import annotations

import math
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from sandbox.cli.options import FileArgument, FromOption, ModOption, ToOption, check_target, mods_on
from sandbox.cli.overlays import check_overlays
from sandbox.cli.times import read_span
from sandbox.files import named, write_atomically
from sandbox.files.atomic import is_page
from sandbox.terminal import compile_if_cold, progress, say


def share(
    file: FileArgument,
    out: Annotated[Path, typer.Option(help="The page to write: an .html.")],
    begin: FromOption = None,
    end: ToOption = None,
    title: Annotated[
        str | None, typer.Option(help="The heading; default: the name of the scene.", show_default=False)
    ] = None,
    caption: Annotated[
        str | None,
        typer.Option(help="A text below the picture; default: what the scene says of itself.", show_default=False),
    ] = None,
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="NAME",
            help="Draw this measure over time; default: polarization. Repeat for more.",
            show_default=False,
        ),
    ] = None,
    mods: ModOption = None,
    told: Annotated[
        bool,
        typer.Option("--progress", help="Print a line after each tick: the number done and the total, like 12 300."),
    ] = False,
) -> None:
    """Write a page that plays a recording, scene or snapshot in a browser; exit 1 if a replay differs."""
    from sandbox.opening import opened_to_run
    from sandbox.past.replay import problem_of
    from systems.engine.settings import Settings

    if not is_page(out):
        raise ValueError(f"--out {named(out)}: must end in .html")
    check_target(out)
    check_overlays(["labels"])  # they are drawn into the still picture
    from sandbox.share.sharing import Shared  # imports arcade, after its display was chosen

    with mods_on(mods) as library:
        timeline = opened_to_run(file, library, budget=0)  # no keyframes are needed
    with closing(timeline):
        rate = timeline.simulation.world.resource(Settings).tick_rate
        ends = timeline.recording.first, timeline.branch.last
        first, last = read_span("the page", rate, ends, begin, end)
        compile_if_cold(file)
        shared = Shared(timeline, math.floor(first), math.ceil(last), measures or ["polarization"])
        for _ in progress("Running", shared.run(), shared.count, told=told):
            pass
        write_atomically(out, shared.page(title, caption, out.name))
        problem = problem_of(timeline)
        failed = bool(problem or library.problems or timeline.simulation.mods.faults)
    if problem:
        say(f"boids: {problem}", stderr=True)
    for lacking in filter(None, (shared.left_out, shared.lacks)):
        say(f"boids: {lacking}", stderr=True)
    say(f"Page: {named(out)} ({out.stat().st_size / 1e6:.1f} MB; {shared.shows})")
    raise typer.Exit(failed)
