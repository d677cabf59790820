"""A hundred thousand runs: what is done is found within seconds, and handing out more takes no more memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.command_line import ROOT, boids_alone
from tests.extras.studies.small import SCENE

STUDY = """
format = 1
scene = "small.toml"
ticks = 10
seeds = 2
[vary]
"boid.Flocker.cohesion_strength" = {{ from = 2, to = 20 }}
"boid.Flocker.alignment_strength" = {{ from = 2, to = 20 }}
[design]
kind = "latin"
samples = {samples}
[measure]
every = 1
columns = ["polarization"]
summary = {{ polarization = ["mean", "last"] }}
"""
FABRICATE = """
import resource, sys
from pathlib import Path
import sandbox.extras.studies.running as running
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.journal import Journal, line_of
from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.run import Result

study, _ = read_study(Path(sys.argv[1]), NO_MODS)
folder = StudyFolder(Path(sys.argv[2]), study)
running.SECONDS = 0.2
series = {"tick": list(range(1, 11)), "polarization": [0.123456789] * 10}

def fabricate(runs):
    journal = Journal(folder.path / "journals")
    for run in runs:
        folder.tables.values(run), folder.tables.seed(run)
        journal.append(line_of(Result(run, "0" * 64, 10, "ticks", "", 0.05, [0.5, 0.25], series)))
        yield run

for run in running.put_together(folder, fabricate(running.to_do(folder)[: -int(sys.argv[3]) or None])):
    pass
print(folder.reasons().total(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def fabricated(folder: Path, runs: int, left: int) -> int:
    """A folder with results of so many runs but for some, handed out and put together; MB that this took at most."""
    (folder / "small.toml").write_text(SCENE)
    (folder / "study-file.toml").write_text(STUDY.format(samples=runs // 2))
    words = [folder / "study-file.toml", folder / "out", left]
    ran = subprocess.run(
        [sys.executable, "-c", FABRICATE, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    failed, size = map(int, ran.stdout.split())
    assert failed == 0
    return size


@pytest.mark.verify
@pytest.mark.timeout(900)
def test_a_hundred_thousand_take_no_more_memory_than_a_thousand_and_resume_in_five_seconds(tmp_path):
    (tmp_path / "few").mkdir()
    (tmp_path / "many").mkdir()
    few, many = fabricated(tmp_path / "few", 1000, 0), fabricated(tmp_path / "many", 100_000, 1)
    print(f"{few} MB and {many} MB")
    assert many < few + 25
    out = tmp_path / "many" / "out"
    assert len([*out.glob("parts/*")]) == 99
    assert len([*out.glob("journals/*")]) < 5
    begin = os.times()
    ran = boids_alone("study", "run", tmp_path / "many" / "study-file.toml", "--out", out)
    end = os.times()  # by the processor's clock, for other programs may be at work
    seconds = end.children_user + end.children_system - begin.children_user - begin.children_system
    print(f"{seconds:.1f} s")
    assert "1 runs in" in ran.stdout
    assert "all 100,000 are done" in ran.stdout
    assert seconds < 5
    assert pq.read_metadata(out / "runs.parquet").num_rows == 100_000
    assert {path.name for path in (out / "series").iterdir()} == {f"{part:05}.parquet" for part in range(100)}
