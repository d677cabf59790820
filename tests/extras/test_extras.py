"""Extras stand on the core: without one, all else works, and nothing speaks of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.extras import EXTRAS
from tests.command_line import ROOT

LAYERS = "components", "systems", "sandbox"
OPENS = """
import os
os.environ["ARCADE_HEADLESS"] = "True"
import sandbox
from sandbox.app.preferences import Preferences
from sandbox.app.window import FlockWindow

def make():
    return sandbox.new(size=(400, 300)).simulation

window = FlockWindow(make(), make, (640, 480), False, Preferences(open=["time bar", "settings"]))
window.session.act("commands")
window.session.view.welcomes = True
for _ in range(3):
    window.on_update(0.1)
    window.on_draw()
window.leave()
window.close()
print("opened")
"""


@pytest.fixture(params=EXTRAS)
def without(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of the program and of its tests without the folders of an extra."""
    none = shutil.ignore_patterns("__pycache__")
    for folder in (*LAYERS, "tests", "scenes", "mods", "docs", "benchmarks", "tools"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=none)
    for file in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / file, tmp_path)
    for folder in ("sandbox", "tests"):
        shutil.rmtree(tmp_path / folder / "extras" / request.param)
    return tmp_path


def python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, timeout=600)


def test_without_an_extra_the_program_begins_and_does_not_speak_of_it(without: Path) -> None:
    (gone,) = (name for name in EXTRAS if not (without / "sandbox" / "extras" / name).exists())
    helped = python(without, "-m", "sandbox.cli.main", "--help")
    assert (helped.returncode, helped.stderr) == (0, "")
    assert f"│ {gone.removesuffix('s')} " not in helped.stdout
    for name in EXTRAS[gone]:
        asked = python(without, "-c", f"import sandbox; sandbox.{name}")
        assert asked.stderr.endswith(f"AttributeError: module 'sandbox' has no attribute {name!r}\n")
    assert python(without, "-c", OPENS).stdout == "opened\n"


@pytest.mark.verify
@pytest.mark.timeout(900)
def test_without_an_extra_the_tests_of_the_core_pass(without: Path) -> None:
    """Those that ask the whole program; all others can be collected."""
    collected = python(without, "-m", "pytest", "-q", "--collect-only", "tests", "--ignore=tests/extras")
    assert collected.returncode == 0, collected.stdout
    files = ("test_import_graph.py", "sandbox/test_cli.py", "sandbox/test_start.py", "app/test_keys.py")
    ran = python(without, "-m", "pytest", "-q", *(f"tests/{file}" for file in files))
    assert ran.returncode == 0, ran.stdout
