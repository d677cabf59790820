"""Without the packages of studies all else runs, and studies say what to install."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.extras.studies.packages import PACKAGES
from tests.command_line import ROOT
from tests.extras.studies.done import study_file

WITHOUT = "import sys; sys.modules.update(dict.fromkeys({names}, None)); "
COMMAND = "sys.argv = ['boids', *{words!r}]; from sandbox.cli.main import main; main()"


def without(program: str) -> subprocess.CompletedProcess[str]:
    begin = WITHOUT.format(names=PACKAGES)
    return subprocess.run(
        [sys.executable, "-c", begin + program], cwd=ROOT, capture_output=True, text=True, timeout=100
    )


def test_a_scene_runs(tmp_path: Path) -> None:
    study_file(tmp_path)
    ran = without(COMMAND.format(words=("run", str(tmp_path / "pond.toml"), "--ticks", "2", "--json")))
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("words", [("run", "FILE", "--out", "results"), ("show", "FOLDER"), ("plot", "FOLDER")])
def test_a_study_says_what_to_install(tmp_path: Path, words: tuple[str, ...]) -> None:
    file = study_file(tmp_path)
    (tmp_path / "study.toml").write_bytes(file.read_bytes())
    places = {"FILE": str(file), "FOLDER": str(tmp_path), "results": str(tmp_path / "results")}
    ran = without(COMMAND.format(words=("study", *(places.get(word, word) for word in words))))
    assert ran.returncode == 1
    assert re.fullmatch(r'boids: studies need \w+: pip install "boids-sandbox\[study\]"\n', ran.stderr), ran.stderr


def test_a_script_is_told_so_too(tmp_path: Path) -> None:
    program = f"import sandbox\ntry: sandbox.study({str(study_file(tmp_path))!r})\nexcept ImportError as e: print(e)"
    ran = without("\n" + program)
    assert ran.stdout == 'studies need pyarrow: pip install "boids-sandbox[study]"\n', ran.stderr


def test_the_command_line_loads_none_of_them(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys, sandbox.cli.main; print({{*{PACKAGES}}} & {{*sys.modules}})"],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ran.stdout == "set()\n", ran.stderr
