"""docs/studies.md: its Python runs; and what scripts and notebooks do with a study."""

from __future__ import annotations

import re
import subprocess
import sys
import types
from pathlib import Path

import matplotlib.figure
import nbformat
import pytest
from nbclient import NotebookClient

import sandbox
from tests.command_line import ROOT
from tests.extras.studies.done import RADIUS, done, study_file

PAGE = (ROOT / "docs" / "studies.md").read_text("utf-8").partition("## From Python")[2]
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
WOLVES = """
format = 1
scene = "meadow.toml"
ticks = 60
seeds = 2
[vary]
"sheep.Perception.radius" = [20, 80]
[measure]
every = 20
columns = ["population.wolf"]
summary = { "population.wolf" = ["mean"] }
"""
MEADOW = """
format = 1
[[spawn]]
prefab = "wolf"
count = 2
[[spawn]]
prefab = "sheep"
count = 10
"""


@pytest.fixture
def wolves(tmp_path: Path) -> Path:
    (tmp_path / "meadow.toml").write_text(MEADOW)
    (tmp_path / "wolves.toml").write_text(WOLVES)
    return tmp_path


def test_a_run_is_opened_at_its_beginning(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, RADIUS))
    results = sandbox.study(folder.path).results()
    row = results.table.to_pylist()[4]
    with results.open(4) as world:
        assert (world.tick, {*world.column("Perception.radius").tolist()}) == (0, {40})
        world.step(20)
        assert world.digest() == row["digest"]
    with pytest.raises(ValueError, match=r"run 6: .* has runs 0 to 5"):
        results.open(6)


def test_the_examples_run(wolves: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(wolves)
    page = types.ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", page)
    for block in BLOCKS:
        exec(compile(block, "docs/studies.md", "exec"), page.__dict__)
    assert capsys.readouterr().out.endswith("\nu\n")
    assert (len(page.frame), len(page.late)) == (4, 8)
    assert (wolves / "wolves.png").exists()
    assert len(page.results) == 4


def test_a_script_without_a_guard_runs_once(wolves: Path) -> None:
    (wolves / "script.py").write_text("print('once')\n" + BLOCKS[0])
    ran = subprocess.run([sys.executable, "script.py"], cwd=wolves, capture_output=True, text=True, timeout=110)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("once") == 1


@pytest.mark.verify
def test_a_notebook_shows_the_table_and_the_picture(wolves: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    ends = ("study", "results", "results.plot()[0]")
    cells = [nbformat.v4.new_code_cell(text) for text in (*BLOCKS, *ends)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": wolves}}).execute()
    for cell in cells[-3:-1]:
        shown = cell.outputs[0].data["text/html"]
        assert "sheep.Perception.radius" in shown
        assert "data:image/png;base64," in shown
    assert "image/png" in cells[-1].outputs[0].data


def test_a_folder_is_opened_and_shown(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, RADIUS))
    study = sandbox.study(folder.path)
    results = study.results()
    assert results.table.equals(folder.table())
    assert results.series.equals(folder.series())
    assert all(isinstance(figure, matplotlib.figure.Figure) for figure in results.plot("dark"))
    shown = study._repr_html_() or ""
    assert shown.count("<tr>") == 4
    assert "6 of 6 runs" in repr(results)


def test_a_study_without_results_says_so_and_shows_a_line(tmp_path: Path) -> None:
    study = sandbox.study(study_file(tmp_path, RADIUS))
    with pytest.raises(ValueError, match="no results yet"):
        study.results()
    assert study._repr_html_() is None
    assert repr(study) == "<study of 'pond.toml': not run>"


def test_what_is_wrong_is_a_value_error(tmp_path: Path) -> None:
    file = study_file(tmp_path, RADIUS.replace("radius", "radios"))
    with pytest.raises(ValueError, match=r"pond-study.toml:7.*did you mean 'Perception.radius'"):
        sandbox.study(file)
    study = sandbox.study(study_file(tmp_path, RADIUS))
    with pytest.raises(ValueError, match="is not a study's folder"):
        study.run(tmp_path)
    with pytest.raises(ValueError, match="workers = 0: must be 1 or more"):
        study.run(tmp_path / "results", workers=0)
    done(study_file(tmp_path, RADIUS), 1)
    with pytest.raises(ValueError, match="theme = 'blue': must be one of light, dark"):
        sandbox.study(tmp_path / "results").results().plot("blue")
