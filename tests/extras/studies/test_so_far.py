"""What the window reads of a study that goes on is what its tables say."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.points import numbers, together
from sandbox.extras.studies.window.so_far import so_far
from tests.extras.studies.done import RADIUS, SPEED, done, fabricated, study_file

COLUMN = "polarization mean"


def is_what_the_tables_say(folder: StudyFolder) -> None:
    seen, table = so_far(folder.path, len(folder.design), COLUMN), folder.table()
    points = together(table["point"].to_numpy(), numbers(table, [COLUMN]), len(folder.design))
    assert np.array_equal(seen.mean, points.mean[:, 0], equal_nan=True)
    assert np.array_equal(seen.half, points.half[:, 0], equal_nan=True)
    good = [row["point"] for row in table.to_pylist() if row["ended"] != "failed"]
    assert seen.count.tolist() == [good.count(point) for point in range(len(folder.design))]
    failed = sum(row["ended"] == "failed" for row in table.to_pylist())
    assert (seen.done, seen.failed, seen.why) == (len(table), failed, "a mod gave up" if failed else "")


def test_before_a_folder_is_begun_nothing_is_known(tmp_path: Path) -> None:
    seen = so_far(tmp_path, 3, COLUMN)
    assert (np.isnan(seen.mean).all(), seen.count.tolist(), seen.done) == (True, [0, 0, 0], 0)


def test_unfinished_and_whole_tables_give_the_same(tmp_path: Path) -> None:
    """Runs come in any order, some at a time; every fifth fails."""
    folder = done(study_file(tmp_path, RADIUS + SPEED, seeds=8), 0)
    choose, runs = random.Random(1), [*range(folder.runs)]
    choose.shuffle(runs)
    while runs:
        is_what_the_tables_say(folder)
        some = [runs.pop() for _ in range(min(choose.randint(1, 9), len(runs)))]
        folder.store.add([fabricated(folder, run, "a mod gave up" if run % 5 == 4 else "") for run in some])
    unfinished = so_far(folder.path, len(folder.design), COLUMN)
    folder.finish()
    assert folder.is_done
    is_what_the_tables_say(folder)
    assert np.array_equal(so_far(folder.path, len(folder.design), COLUMN).mean, unfinished.mean)
