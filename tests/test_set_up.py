"""Setting up: to play takes neither browser, display of its own nor packages of tests; to test brings them too."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLAYING = {"libgl1", "libegl1", "libgl1-mesa-dri", "fontconfig", "libgomp1"}
TESTING = {"xvfb", "xauth", "xdotool", "chromium"}
BARE = {"dpkg-query": "exit 1", "apt-get": "exit 1", "sudo": "exit 1", "id": "echo 1000"}
"""A Debian on which nothing is installed, and a person who may install nothing."""

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="without make there is no set-up to call")


def steps(target: str) -> list[str]:
    """The commands of a target."""
    told = subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=True)
    return told.stdout.splitlines()


def required(file: str) -> set[str]:
    lines = re.findall(r"^(-r )?([\w.-]+)", (ROOT / file).read_text("utf-8"), re.MULTILINE)
    return set().union(*(required(name) if included else {name.lower()} for included, name in lines))


@pytest.mark.parametrize(("target", "needed"), [("play", PLAYING), ("test", PLAYING | TESTING)])
def test_system_libraries(target: str, needed: set[str], tmp_path: Path) -> None:
    for name, does in BARE.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    command = next(step for step in steps(target) if "system_libraries" in step)
    paths = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    told = subprocess.run(command.split(), cwd=ROOT, capture_output=True, text=True, env={**os.environ, **paths})
    assert {*told.stderr.split("recommends ")[1].split(" (")[0].split()} == needed


def test_packages() -> None:
    for target, file in (("play", ""), ("test", "requirements-dev.txt")):
        assert f"tools/set_up.sh {file}".strip() in steps(target)
    assert required("requirements.txt") >= {"arcade", "esper", "numba", "hatchling"}
    assert not required("requirements.txt") & {"pytest", "mypy", "ruff", "hypothesis", "distributed", "matplotlib"}
    assert required("requirements-dev.txt") > required("requirements.txt")
