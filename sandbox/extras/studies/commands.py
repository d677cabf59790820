"""The commands of `boids study`: those that repeat runs; the others are in `commands_run.py`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandbox.cli.options import ModOption, library_with, two_numbers
from sandbox.cli.past import DIFFERS
from sandbox.cli.play import AtOption, PictureOption, draw_past, open_at
from sandbox.extras.studies.commands_run import FolderArgument, opened_to_run, show_progress, study_app
from sandbox.extras.studies.format import MOST_RUNS
from sandbox.files import named
from sandbox.terminal import has_display, progress, say

if TYPE_CHECKING:
    from sandbox.mods.load.loaded_mods import LoadedMods
    from sandbox.past.timeline import Timeline

MOST_TOLD = 20


@study_app.command()
def play(
    folder: FolderArgument,
    run: Annotated[int, typer.Option(min=0, max=MOST_RUNS, metavar="N", help="The number of the run.")],
    mods: ModOption = None,
    at: AtOption = None,
    picture: PictureOption = None,
) -> None:
    """Open the window at the end of a run, with its whole past, paused."""
    if not has_display():
        name, command = f"run {run:,} of {named(folder)}", f"boids study play {named(folder)} --run {run}"
        draw_past(name, lambda library: past_of(folder, run, library, at), mods, picture, command)
    from sandbox.app.run_window import start

    library = library_with(mods)
    start(str(folder), lambda: past_of(folder, run, library, at), library)


def past_of(folder: Path, run: int, mods: LoadedMods, at: str | None = None) -> Timeline:
    """Return a run as a timeline that has been run to its end, or to `at`, and opens there."""
    from sandbox.extras.studies.again import run_as_timeline

    timeline, last = run_as_timeline(folder, run, mods)
    timeline.opens_at = last
    open_at(timeline, at, last)
    for _ in progress("Running", range(timeline.opens_at), timeline.opens_at):
        timeline.step()
    timeline.seek(timeline.recording.first)  # so that a restart leads there; the window then seeks `opens_at`
    return timeline


@study_app.command()
def reproduce(
    folder: FolderArgument,
    sample: Annotated[
        int | None, typer.Option(min=1, max=MOST_RUNS, metavar="N", help="Only N of the runs.", show_default=False)
    ] = None,
    mods: ModOption = None,
) -> None:
    """Run a study's runs again and compare the digests at their ends; exit 3 if one differs."""
    from sandbox.extras.studies.again import differing, drawn_runs, ends_of
    from sandbox.extras.studies.run_study import repeated

    results, scene = opened_to_run(folder, mods)
    runs, ends = drawn_runs(results, sample), ends_of(results)
    differs: list[str] = []

    def done() -> Iterator[int]:
        for again in repeated(results, results.study, runs, scene):
            differs.extend(differing(ends, again))
            yield from (result.run for result in again)

    show_progress(done(), len(runs))
    _tell(differs)
    if not differs:
        say(f"{named(folder)}: {len(runs):,} runs again, with the same ends")
    raise typer.Exit(DIFFERS if differs else 0)


@study_app.command()
def add(
    folder: FolderArgument,
    measure: Annotated[str, typer.Option(metavar="NAME", help="What to measure: nearest_neighbour.")],
    ticks: Annotated[
        str | None,
        typer.Option(metavar="A..B", help="In these ticks; default: those of the study.", show_default=False),
    ] = None,
    mods: ModOption = None,
) -> None:
    """Add another measure to a finished study by running it again; exit 3 if the end of a run differs."""
    from sandbox.extras.studies.again import Added
    from sandbox.extras.studies.run_study import repeated, stored

    window = two_numbers("--ticks", ticks, "..", "two ticks, from 1 on: 5000..6000") if ticks is not None else None
    results, scene = opened_to_run(folder, mods)
    added = Added(results, scene, measure, window)
    with results.alone():
        runs = added.to_do()
        show_progress(stored(added.store, repeated(results, added.study, runs, scene)), len(runs))
        differs = added.finish()
    if differs:
        _tell(differs)
        raise typer.Exit(DIFFERS)
    say(f"{named(folder)}: the mean of {measure} is added")


def _tell(differs: list[str]) -> None:
    for sentence in differs[:MOST_TOLD]:
        say(sentence)
    if len(differs) > MOST_TOLD:
        say(f"and {len(differs) - MOST_TOLD:,} more")


def install(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.add_typer(study_app, name="study")
