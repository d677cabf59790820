"""The command `boids export`: writes trajectories into a file that other programs read."""

from __future__ import annotations

import math
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from sandbox.cli.options import (
    MOST_TICKS,
    DepthOption,
    FileArgument,
    FromOption,
    ModOption,
    SeedOption,
    SetOption,
    check_target,
    mods_on,
    open_with,
    refuse_for_past,
)
from sandbox.cli.times import SECONDS, read_moment
from sandbox.files import named
from sandbox.terminal import compile_if_cold, progress, say


def export(
    file: FileArgument,
    to: Annotated[Path, typer.Option(help="What to write: a .parquet, .csv or .npz.")],
    every: Annotated[int, typer.Option(min=1, max=MOST_TICKS, help="How many ticks lie between two times.")] = 1,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="x, y, z, vx, vy, vz, energy, age and any field, like Perception.radius, with commas in between; "
            "default: place and velocity.",
            show_default=False,
        ),
    ] = None,
    begin: FromOption = None,
    end: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="TIME",
            help=f"The last time; default: the end of the recording, or {SECONDS} s later.",
            show_default=False,
        ),
    ] = None,
    seed: SeedOption = None,
    settings: SetOption = None,
    depth: DepthOption = None,
    mods: ModOption = None,
) -> None:
    """Write where everything that moves was, a row for each animal and time; exit 1 if a replay differs."""
    from sandbox.extras.export.about import end_of, recipe_of
    from sandbox.extras.export.formats import about_csv, check_format, write
    from sandbox.files.read_recording import has_past
    from sandbox.opening import opened_to_run
    from sandbox.past.replay import problem_of
    from sandbox.past.timeline import Timeline
    from sandbox.trajectory import columns_of, samples
    from systems.engine.settings import Settings

    check_target(to)
    check_format(to)
    if to.suffix.lower() == ".csv":
        check_target(about_csv(to))
    is_past = has_past(file)
    if is_past:
        refuse_for_past(file, seed, settings, depth)
    with mods_on(mods) as library:
        if is_past:
            timeline = opened_to_run(file, library, budget=0)  # no keyframes are needed
        else:
            timeline = Timeline(open_with(file, seed, settings, library, depth), budget=0)
    with closing(timeline):
        rate = timeline.simulation.world.resource(Settings).tick_rate
        begun, ended = timeline.recording.first, timeline.branch.last if is_past else None
        first = begun if begin is None else math.ceil(read_moment("--from", begin, rate, begun, ended))
        if end is not None:
            last = math.floor(read_moment("--until", end, rate, first, ended))
        else:
            last = first + SECONDS * rate if ended is None else ended
        compile_if_cold(file)

        def step(ticks: int) -> None:
            for _ in range(ticks):
                timeline.step()

        names = columns and [name.strip() for name in columns.split(",")]
        timeline.seek(min(first, timeline.branch.last))
        columns_of(timeline.simulation.world, names)  # what is wrong with them is said before a file is made to go on
        step(first - timeline.tick)
        simulation = timeline.simulation
        chosen = columns_of(simulation.world, names)
        count = (last - first) // every + 1
        rows = progress("Exporting", samples(simulation, chosen, last, every, step), count)
        recipe = recipe_of(simulation, file, settings or (), first, every)
        write(to, chosen, rows, recipe, lambda: end_of(simulation))
        problem = problem_of(timeline)
        failed = bool(problem or library.problems or simulation.mods.faults)
        said = f"Table: {named(to)} ({count:,} times, ticks {first:,} to {simulation.tick:,})"
    if problem:
        say(f"boids: {problem}", stderr=True)
    say(said)
    raise typer.Exit(failed)


def install(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(export)
