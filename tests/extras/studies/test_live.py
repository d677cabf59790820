"""What the window reads of a study that goes on is what its tables say, whatever was read before."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from sandbox.extras.studies import folder as folder_file
from sandbox.extras.studies import journal as journal_file
from sandbox.extras.studies.folder import StudyFolder, open_results
from sandbox.extras.studies.journal import Journal, line_of
from sandbox.extras.studies.live import Live
from sandbox.extras.studies.points import numbers, together
from sandbox.extras.studies.run import Result
from tests.extras.studies.done import RADIUS, SPEED, done, study_file

COLUMN = "polarization mean"


def fabricated(run: int) -> Result:
    """A result; every fifth run failed."""
    if run % 5 == 4:
        return Result(run, "", 0, "failed", "a mod gave up", 0.1, [float("nan")] * 2, {})
    series = {"tick": [5], "polarization": [0.5], "mean_speed": [1.0], "population.fish": [12.0]}
    return Result(run, "0" * 64, 20, "ticks", "", 0.1, [run * 0.37 % 1, 1.0], series)


def is_what_the_tables_say(live: Live, folder: StudyFolder) -> None:
    seen, table = live.look(), folder.table()
    points = together(table["point"].to_numpy(), numbers(table, [COLUMN]), len(folder.design))
    assert np.array_equal(seen.mean, points.mean[:, 0], equal_nan=True)
    assert np.array_equal(seen.half, points.half[:, 0], equal_nan=True)
    good = [row["point"] for row in table.to_pylist() if row["ended"] != "failed"]
    assert seen.count.tolist() == [good.count(point) for point in range(len(folder.design))]
    failed = sum(row["ended"] == "failed" for row in table.to_pylist())
    assert (seen.done, seen.failed, seen.why) == (len(table), failed, "a mod gave up" if failed else "")


@pytest.mark.parametrize("seed", range(3))
def test_journals_parts_and_the_whole_table_give_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Runs come in any order from two workers, and are put together on the way."""
    monkeypatch.setattr(folder_file, "PART", 10)
    monkeypatch.setattr(journal_file, "FULL", 3)
    folder = done(study_file(tmp_path, RADIUS + SPEED, seeds=8), 0)
    live = Live(folder.path, len(folder.design), 8, COLUMN)
    is_what_the_tables_say(live, folder)
    choose, runs = random.Random(seed), [*range(folder.runs)]
    choose.shuffle(runs)
    runs.sort(key=lambda run: run // 20)  # so that parts are whole before all are done
    journals = [Journal(folder.path / "journals") for _ in range(2)]
    for run in runs:
        choose.choice(journals).append(line_of(fabricated(run)))
        if choose.random() < 0.3:
            folder.compact()
        if choose.random() < 0.3:
            is_what_the_tables_say(live, folder)
    for journal in journals:
        journal.close()
    folder.compact()
    assert (folder.path / "runs.parquet").exists()
    is_what_the_tables_say(live, folder)
    is_what_the_tables_say(Live(folder.path, len(folder.design), 8, COLUMN), folder)


def test_what_was_cleared_between_two_looks_is_found_where_it_is_now(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, RADIUS), 3)
    live = Live(folder.path, 3, 2, COLUMN)
    live._results = open_results(folder.path)
    live._results.journals.look()
    for path in (folder.path / "journals").iterdir():
        path.unlink()
    assert live.look().done == 0
    assert done(tmp_path / "pond-study.toml").left() == 0
    assert live.look().done == 6
