"""The commands that repeat runs of a study: `boids study reproduce` and `add`."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from sandbox.cli.options import ModOption, two_numbers
from sandbox.cli.past import DIFFERS
from sandbox.cli.play import MOST_RUNS
from sandbox.cli.study import FolderArgument, opened_to_run, run_here
from sandbox.files import named
from sandbox.terminal import say

MOST_TOLD = 20


def reproduce(
    folder: FolderArgument,
    sample: Annotated[
        int | None, typer.Option(min=1, max=MOST_RUNS, metavar="N", help="Only N of the runs.", show_default=False)
    ] = None,
    mods: ModOption = None,
) -> None:
    """Run a study's runs again and compare the digests at their ends; exit 3 if one differs."""
    from sandbox.studies.again import begun_again, differing, drawn_runs

    results, scene = opened_to_run(folder, mods)
    runs = drawn_runs(results, sample)
    with TemporaryDirectory() as place:
        again = begun_again(results, Path(place), results.study)
        run_here(again, runs, scene)
        differs = differing(results, again)
    _tell(differs)
    if not differs:
        say(f"{named(folder)}: {len(runs):,} runs again, with the same ends")
    raise typer.Exit(DIFFERS if differs else 0)


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
    from sandbox.studies.again import added_folder, differing, study_of_measure
    from sandbox.studies.running import alone, to_do

    window = two_numbers("--ticks", ticks, "..", "two ticks, from 1 on: 5000..6000") if ticks is not None else None
    results, scene = opened_to_run(folder, mods)
    if left := results.left():
        raise ValueError(f"{named(folder)}: {left:,} runs are still to be done: boids study run does them")
    added = added_folder(results, study_of_measure(results, scene, measure, window))
    with alone(added):
        run_here(added, to_do(added), scene)
    differs = differing(results, added)
    _tell(differs)
    if differs:
        shutil.rmtree(added.path)
        raise typer.Exit(DIFFERS)
    say(f"{named(folder)}: the mean of {measure} is added")


def _tell(differs: list[str]) -> None:
    for sentence in differs[:MOST_TOLD]:
        say(sentence)
    if len(differs) > MOST_TOLD:
        say(f"and {len(differs) - MOST_TOLD:,} more")
