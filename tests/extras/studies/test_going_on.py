"""Whatever ends a study early costs nothing that was done, and is told in a sentence."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import psutil
import pytest

from sandbox.extras.studies.folder import StudyFolder, open_results
from sandbox.extras.studies.read_study import read_study
from sandbox.files import WriteError
from sandbox.mods.load.loaded_mods import NO_MODS
from tests.command_line import boids, kill_once
from tests.extras.studies.done import done, fabricated, run_here
from tests.extras.studies.small import rows, small_study, started, wait_for, workers_of
from tests.sandbox.test_files import no_privileges

GO_ON = "the same command goes on where it stopped"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return small_study(tmp_path)


@pytest.mark.parametrize("later", [0.03, 2.0])  # s: while workers begin, and when they run
def test_ctrl_c_ends_it_at_once_however_long_runs_are(later, tmp_path):
    study = small_study(tmp_path, ticks=100_000_000)
    command = started("study", "run", study, "--out", tmp_path / "out")
    wait_for("worker", partial(workers_of, command))
    time.sleep(later)
    workers = workers_of(command)
    os.killpg(command.pid, signal.SIGINT)  # as a terminal does
    _, errors = command.communicate(timeout=10)
    told = f"boids: interrupted: 28 of 28 runs are still to be done: {GO_ON}\n"
    assert (command.returncode, errors) == (130, told)
    assert not psutil.wait_procs(workers, timeout=5)[1]


@pytest.mark.parametrize("moment", [0.6, 1.2])
def test_ctrl_c_while_it_begins(moment, study, tmp_path):
    command = started("study", "run", study, "--out", tmp_path / "out")
    time.sleep(moment)
    os.killpg(command.pid, signal.SIGINT)
    _, errors = command.communicate(timeout=10)
    assert command.returncode in (0, 130, -signal.SIGINT)
    assert command.returncode == -signal.SIGINT or "Traceback" not in errors


def test_on_a_full_disk_it_goes_on_when_there_is_room(study, tmp_path):
    resource = pytest.importorskip("resource")
    out = done(study, 3).path
    small = (out / "unfinished.sqlite").stat().st_size  # bytes of any file: no room for another page
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (small, before[1]))
    try:
        command = started("study", "run", study, "--out", out, "--workers", 1)
        _, errors = command.communicate()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert command.returncode == 1
    assert errors.startswith(f"boids: {out / 'unfinished.sqlite'}: a result can't be written: ")
    assert errors.count("\n") == 1
    kept = len(open_results(out).table())
    assert 3 <= kept < 28
    assert f"{28 - kept} runs in" in boids("study", "run", study, "--out", out, "--workers", 1).stdout
    again = run_here(tmp_path / "again", *read_study(study, NO_MODS))
    assert rows(out).equals(rows(again.path))


@pytest.mark.skipif(sys.platform == "win32", reason="folders of POSIX")
def test_a_folder_that_may_not_be_written(study):
    read, _ = read_study(study, NO_MODS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begun = StudyFolder(folder / "begun", read)
        for path in (folder, folder / "begun"):
            path.chmod(0o555)
        with no_privileges():
            with pytest.raises(WriteError, match=r"new: can't be created: permission denied$"):
                StudyFolder(folder / "new", read)
            with pytest.raises(WriteError, match=r"unfinished\.sqlite: a result can't be written: "):
                begun.store.add([fabricated(begun, 0)])
            assert len(begun.table()) == 0
        for path in (folder, folder / "begun"):
            path.chmod(0o755)


def test_a_folder_that_was_left_half_made_is_gone_on_with(study, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "study.toml").write_text(study.read_text())
    (out / f".{'0' * 16}.part").write_text("form")
    (out / "running.lock").touch()  # of a process that was killed
    assert boids("study", "run", study, "--out", out, "--workers", 1).returncode == 0
    assert len(rows(out)) == 28


@pytest.mark.parametrize("there", ["thesis.doc", "study.toml"])
def test_a_folder_with_something_else_in_it_is_left_alone(there, study, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / there).write_text("mine")
    ran = boids("study", "run", study, "--out", out)
    assert ran.returncode == 1
    assert ran.stderr == f"boids: {out}: is not a study's folder: choose an empty or new one\n"
    assert [path.name for path in out.iterdir()] == [there]
    assert (out / there).read_text() == "mine"


def test_a_second_run_of_the_same_study_is_told_how_far_the_first_is(study):
    folder = done(study, 4)
    out = folder.path
    with folder.alone():
        ran = boids("study", "run", study, "--out", out)
        assert ran.returncode == 1
        assert ran.stderr == (
            f"boids: {out}: another process is running this study; 4 of 28 runs are done: boids study show {out} "
            "shows them\n"
        )
    assert boids("study", "run", study, "--out", out, "--workers", 1).stdout.startswith(f"{out}: 24 runs in ")
    assert not [*out.glob("*.lock")]


def test_the_folder_of_another_study_is_left_alone(study, tmp_path):
    out = done(study).path
    before = rows(out)
    ran = boids("study", "run", small_study(tmp_path, seeds=3), "--out", out)
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"boids: {out}: its results are of another study")
    assert rows(out).equals(before)


WRITES = """
import os, sys
from pathlib import Path
from sandbox.extras.studies import store
from sandbox.extras.studies.folder import open_results
from tests.extras.studies.done import fabricated

folder = open_results(Path(sys.argv[1]))
with folder.store._opened(create=True) as connection:
    connection.execute("PRAGMA cache_size = 1")  # what does not fit in it is written before the end
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(store.INSERT, (store._row(fabricated(folder, run)) for run in range(10, 2000)))
    print("written", flush=True)
    sys.stdin.read()
"""


def test_results_of_which_the_writing_was_cut_count_for_nothing(tmp_path):
    folder = done(small_study(tmp_path, seeds=200), 0)
    folder.store.add([fabricated(folder, run) for run in range(10)])
    kill_once(WRITES, folder.path)
    assert (folder.path / "unfinished.sqlite-journal").stat().st_size
    assert open_results(folder.path).table()["run"].to_pylist() == [*range(10)]
    folder.store.add([fabricated(folder, 11)])
    assert folder.left() == folder.runs - 11


def test_a_table_that_another_process_has_written_meanwhile_is_read(tmp_path):
    folder = done(small_study(tmp_path), 5)
    reader = open_results(folder.path)
    folder.store.add([fabricated(folder, run) for run in range(5, 28)])
    folder.finish()
    assert len(reader.table()) == 28
    assert reader.left() == 0


@pytest.mark.verify
def test_without_a_terminal_a_line_now_and_then_says_how_far_it_is(tmp_path):
    command = started("study", "run", small_study(tmp_path, ticks=60_000), "--out", tmp_path / "out")
    assert command.stderr
    line = command.stderr.readline()
    command.kill()
    command.communicate()
    assert line.startswith("Running: ")
    assert " of 28, " in line
    assert line.endswith(" s left\n")
