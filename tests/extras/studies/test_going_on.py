"""Whatever ends a study early costs nothing that was done, and is told in a sentence."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import psutil
import pytest

from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.journal import Journal
from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.running import alone
from sandbox.files import WriteError
from sandbox.mods.load.loaded_mods import NO_MODS
from tests.command_line import boids
from tests.extras.studies.done import done
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
    small = 2000  # bytes of any file: room for a few results, but not for many

    def run() -> str:
        command = started("study", "run", study, "--out", tmp_path / "out", "--workers", 1)
        _, errors = command.communicate()
        assert command.returncode == 1
        return errors

    assert boids("study", "run", study, "--out", tmp_path / "out", "--shard", "1/28").returncode == 0  # begins it
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (small, before[1]))
    try:
        told = run()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert told == f"boids: {tmp_path / 'out' / 'journals'}: a result can't be written: file too large\n"
    lines = b"".join(path.read_bytes() for path in (tmp_path / "out").glob("journals/*")).split(b"\n")[:-1]
    assert 1 < len(lines) < 28
    assert all(json.loads(line) for line in lines)  # what lacks its end, of a worker that was ended, counts for nothing
    assert (
        f"{28 - len(lines)} runs in" in boids("study", "run", study, "--out", tmp_path / "out", "--workers", 1).stdout
    )
    assert rows(tmp_path / "out").equals(rows(done(study).path))


@pytest.mark.skipif(sys.platform == "win32", reason="folders of POSIX")
def test_a_folder_that_may_not_be_written(study):
    read, _ = read_study(study, NO_MODS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "journals").mkdir()
        for path in (folder, folder / "journals"):
            path.chmod(0o555)
        with no_privileges():
            with pytest.raises(WriteError, match=r"new: can't be created: permission denied$"):
                StudyFolder(folder / "new", read)
            with pytest.raises(WriteError, match=r"jsonl: can't be written: permission denied$"):
                Journal(folder / "journals")


def test_a_folder_that_was_left_half_made_is_gone_on_with(study, tmp_path):
    out = tmp_path / "out"
    (out / "journals").mkdir(parents=True)
    (out / "study.toml").write_text(study.read_text())
    (out / f".{'0' * 16}.part").write_text("form")
    (out / "running-2-3.lock").touch()  # of another process, which begins the folder too
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


def test_a_second_run_of_the_same_study_is_told_how_far_the_first_is(study, tmp_path):
    out = tmp_path / "out"
    boids("study", "run", study, "--out", out, "--shard", "1/7", "--workers", 1)
    with alone(StudyFolder(out, read_study(study, NO_MODS)[0])):
        ran = boids("study", "run", study, "--out", out)
        assert ran.returncode == 1
        assert ran.stderr == (
            f"boids: {out}: another process is running this study; 4 of 28 runs are done: boids study show {out} "
            "shows them\n"
        )
        assert boids("study", "run", study, "--out", out, "--shard", "2/7", "--workers", 1).returncode == 0
    assert boids("study", "run", study, "--out", out, "--workers", 1).stdout.startswith(f"{out}: 20 runs in ")
    assert not [*out.glob("*.lock")]


def test_the_folder_of_another_study_is_left_alone(study, tmp_path):
    out = done(study).path
    before = rows(out)
    ran = boids("study", "run", small_study(tmp_path, seeds=3), "--out", out)
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"boids: {out}: its results are of another study")
    assert rows(out).equals(before)


def test_a_line_that_lacks_its_end_counts_for_nothing(study, tmp_path):
    out = tmp_path / "out"
    boids("study", "run", study, "--out", out, "--shard", "1/2", "--workers", 1)
    (journal,) = out.glob("journals/*")
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]) + lines[-1][:-20])
    assert "15 runs in" in boids("study", "run", study, "--out", out, "--workers", 1).stdout
    assert rows(out).equals(rows(done(study).path))


def test_a_full_journal_goes_on_in_another_file(tmp_path):
    journal = Journal(tmp_path)
    for _ in range(2001):
        journal.append(b"{}\n")
    journal.close()
    assert sorted(path.stat().st_size // 3 for path in tmp_path.iterdir()) == [1, 1000, 1000]


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
