"""The commands of `boids study` that make, check, run and show a study."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from sandbox.cli.options import JsonOption, ModOption, library_with, mods_on
from sandbox.extras.studies.packages import with_packages
from sandbox.files import named
from sandbox.terminal import compile_if_cold, say, steps_with_time_left
from sandbox.toml.source import size_said

if TYPE_CHECKING:
    from sandbox.design.scene import Scene
    from sandbox.extras.studies.folder import StudyFolder
    from sandbox.extras.studies.study import Study

FAILED = 1
TRIALS = 3


class _Commands(TyperGroup):
    """The commands; if the optional packages `study` are missing, they say how to install them."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        with with_packages():
            return super().invoke(ctx)


study_app = typer.Typer(
    cls=_Commands,
    help="Run a scene many times with other values, and put together what was measured.",
    no_args_is_help=True,
)

FileArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", readable=False, help="A study file (.toml), or the name of a study that comes with the program."
    ),
]
FolderArgument = Annotated[
    Path, typer.Argument(metavar="FOLDER", readable=False, help="The folder of a study's results.")
]


@study_app.command()
def new(
    scene: Annotated[str, typer.Argument(metavar="SCENE", help="A scene's name, or its file.")] = "hunters",
    mods: ModOption = None,
) -> None:
    """Print a small study of a scene as a starting point: boids study new pasture > wolves.toml"""
    from sandbox.extras.studies.template import template
    from sandbox.opening import scene_at

    say(template(scene, scene_at(scene, library_with(mods))), end="")


@study_app.command()
def check(file: FileArgument, mods: ModOption = None) -> None:
    """Check a study file; print all mistakes, or the number of runs and how long they take on this machine."""
    import numpy as np

    from sandbox.extras.studies.design import count_of, points_of
    from sandbox.extras.studies.executor import cores
    from sandbox.extras.studies.run import run_one
    from systems.engine.threads import exactly

    study, scene = _read(file, mods)
    points = count_of(study)
    runs, tried = points * study.repeats, {*range(points)[:: max(points // TRIALS, 1)][:TRIALS], points - 1}
    trials = [(run, values) for run, values in enumerate(points_of(study)) if run in tried]
    with exactly(1):  # like the workers
        run_one(replace(study, ticks=study.every), scene, *trials[0], 0)  # loads the kernels, so that this is not timed
        results = [run_one(study, scene, run, values, study.seed_of(run, points)) for run, values in trials]
    for result in results:
        if result.ended == "failed":
            raise ValueError(f"{named(file)}: run {result.run} fails: {result.why}")
    series = np.concatenate([result.series for result in results], axis=1)
    for name, values in zip(study.columns, series[1:], strict=True):
        if len(values) and np.isnan(values).all():
            raise ValueError(
                f"{named(file)}: measure.columns: {name} is no number in any of {len(results)} runs that were tried: "
                f"nobody counts for it; boids measures {study.scene_name} lists what can be measured"
            )
    seconds = sum(result.seconds for result in results) / len(results) * runs / cores()
    rows = runs * max(result.series.shape[1] for result in results)
    size = runs * 300 + rows * 8 * (2 + len(study.columns))
    many = f"{points:,} point{'s' * (points > 1)}, {runs:,} run{'s' * (runs > 1)}"
    say(f"{named(file)}: good: {many} of {study.ticks:,} ticks")
    say(f"about {_time(max(seconds, 1))} on {cores()} cores, {size_said(size)} of disk")


@study_app.command()
def run(
    file: FileArgument,
    out: Annotated[Path, typer.Option(help="The folder for its results; an existing one is continued.")],
    workers: Annotated[
        int | None, typer.Option(min=1, max=512, help="How many processes; default: one per core.", show_default=False)
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Run on this Dask cluster: tcp://host:8786.", show_default=False),
    ] = None,
    mods: ModOption = None,
    told: Annotated[
        bool,
        typer.Option("--progress", help="Print a line after each run: the number done and the total, like 12 300."),
    ] = False,
) -> None:
    """Run the runs of a study that are not done yet; exit 1 if a run failed."""
    from sandbox.extras.studies.folder import begin_results
    from sandbox.extras.studies.run_study import run_study

    if workers is not None and scheduler is not None:
        raise ValueError("--workers: a cluster has its own workers: leave it out, or --scheduler")
    study, scene = _read(file, mods)
    folder = begin_results(out, study, scene)
    begin = time.monotonic()
    with folder.alone():
        runs = folder.to_do()
        try:
            show_progress(run_study(folder, runs, scene, workers, scheduler), len(runs), told=told)
        except KeyboardInterrupt:
            rest = f"{folder.left():,} of {folder.runs:,} runs are still to be done"
            say(f"boids: interrupted: {rest}: the same command goes on where it stopped", stderr=True)
            raise
    failed = folder.reasons().total()
    left = folder.left()
    rest = f"{left:,} of {folder.runs:,} are still to be done" if left else f"all {folder.runs:,} are done"
    say(f"{named(out)}: {len(runs):,} runs in {_time(time.monotonic() - begin)}, {rest}")
    if failed:
        say(f"boids: {failed:,} of the runs failed: boids study show {named(out)} says why", stderr=True)
    raise typer.Exit(FAILED if failed else 0)


@study_app.command()
def show(
    folder: FolderArgument,
    as_json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a CSV with a row per run instead.")] = False,
) -> None:
    """Show the results as a table: a row for each point, the mean of its runs; --json and --csv: a row for each run."""
    from sandbox.extras.studies.folder import open_results
    from sandbox.extras.studies.showing import print_csv, print_json, print_table

    results = open_results(folder)
    (print_json if as_json else print_csv if as_csv else print_table)(results)


@study_app.command()
def plot(
    folder: FolderArgument,
    out: Annotated[
        Path | None, typer.Option(help="The folder for the pictures; default: plots in FOLDER.", show_default=False)
    ] = None,
) -> None:
    """Draw the results: pictures, light and dark, and report.html, which is interactive and needs no network."""
    from sandbox.extras.studies.folder import open_results
    from sandbox.extras.studies.report import plot as plot_into

    for path in plot_into(open_results(folder), out or folder / "plots"):
        say(named(path))


def show_progress(done: Iterator[object], count: int, *, told: bool = False) -> None:
    """Go through what runs of a study yield, and show the progress."""
    compile_if_cold()
    for _ in steps_with_time_left("Running", done, count, told=told):
        pass


def _read(file: Path, mods: list[Path] | None) -> tuple[Study, Scene]:
    from sandbox.extras.studies.files import find_study
    from sandbox.extras.studies.read_study import read_study

    with mods_on(mods) as library:
        return read_study(find_study(file), library)


def opened_to_run(path: Path, mods: list[Path] | None) -> tuple[StudyFolder, Scene]:
    """Open the results in a folder; return them with their scene."""
    from sandbox.extras.studies.folder import open_to_run

    with mods_on(mods) as library:
        return open_to_run(path, library)


def _time(seconds: float) -> str:
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
