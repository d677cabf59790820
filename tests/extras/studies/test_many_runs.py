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
from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.run_study import stored
from sandbox.mods.load.loaded_mods import NO_MODS
from tests.extras.studies.done import fabricated

study, _ = read_study(Path(sys.argv[1]), NO_MODS)
folder = StudyFolder(Path(sys.argv[2]), study)
runs = folder.to_do()[: -int(sys.argv[3]) or None]
batches = ([fabricated(folder, run) for run in runs[at : at + 20]] for at in range(0, len(runs), 20))
for run in stored(folder.store, batches):
    pass
folder.finish()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def fabricated(folder: Path, runs: int, left: int) -> int:
    """A folder with results of so many runs but for some, handed out and put together; MB that this took at most."""
    (folder / "small.toml").write_text(SCENE)
    (folder / "study-file.toml").write_text(STUDY.format(samples=runs // 2))
    words = [folder / "study-file.toml", folder / "out", left]
    ran = subprocess.run(
        [sys.executable, "-c", FABRICATE, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return int(ran.stdout)


@pytest.mark.verify
@pytest.mark.timeout(900)
def test_a_hundred_thousand_take_no_more_memory_than_a_thousand_and_resume_in_five_seconds(tmp_path):
    (tmp_path / "few").mkdir()
    (tmp_path / "many").mkdir()
    few, many = fabricated(tmp_path / "few", 1000, 0), fabricated(tmp_path / "many", 100_000, 1)
    print(f"{few} MB and {many} MB")
    assert many < few + 25
    out = tmp_path / "many" / "out"
    assert not (out / "runs.parquet").exists()
    begin = os.times()
    ran = boids_alone("study", "run", tmp_path / "many" / "study-file.toml", "--out", out)
    end = os.times()  # by the processor's clock, for other programs may be at work
    seconds = end.children_user + end.children_system - begin.children_user - begin.children_system
    print(f"{seconds:.1f} s")
    assert "1 runs in" in ran.stdout
    assert "all 100,000 are done" in ran.stdout
    assert seconds < 5
    assert pq.read_metadata(out / "runs.parquet").num_rows == 100_000
    assert not [*out.glob("*.sqlite*")]
