"""`boids study play` in the window: a run at its end or another moment, with its past."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from arcade import key

from sandbox.app.run_window import begun
from sandbox.extras.studies.commands import past_of
from sandbox.extras.studies.folder import StudyFolder
from sandbox.extras.studies.read_study import read_study
from sandbox.extras.studies.set_up import simulation_of
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.run.running_mods import RunningMods
from tests.app.test_timeline import arrive, press, timeline

STUDY = """
format = 1
scene = "hunters"
ticks = 90
[vary]
"spawn.prey.count" = [5, 9]
[measure]
columns = ["catches"]
"""


@pytest.mark.parametrize(("at", "tick"), [(None, 90), ("0.5s", 30)])
def test_a_person_stands_in_a_run_of_a_study(tmp_path: Path, at: str | None, tick: int) -> None:
    (tmp_path / "s.toml").write_text(STUDY)
    library = Library(Trust(tmp_path / "trust.toml"))
    study, scene = read_study(tmp_path / "s.toml", library)
    folder = StudyFolder(tmp_path / "results", study)
    make = partial(past_of, folder.path, 1, library, at)
    opened = begun(str(folder.path), make, library, RunningMods(tmp_path / "running"))
    try:
        arrive(opened)
        assert (opened.simulation.tick, timeline(opened).branch.last) == (tick, tick)
        assert opened.session.clock.paused
        assert opened.session.document.file is None
        with simulation_of(scene, {"spawn.prey.count": 9}, folder.tables.seed(1)) as run:
            start = run.digest()
            run.step(tick)
            assert opened.simulation.digest() == run.digest()
        press(opened, key.HOME)
        assert opened.simulation.digest() == start
        press(opened, key.R)
        assert (opened.simulation.digest(), timeline(opened).branch.last) == (start, 0)
    finally:
        opened.close()
