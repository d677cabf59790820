"""The wheel holds the program and nothing else, and what pip installs with it is enough for the window."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import sandbox

ROOT = Path(__file__).parents[2]
INSIDE = {f"boids_sandbox-{sandbox.__version__}.dist-info", "components", "sandbox", "systems"}
ENDINGS = {".css", ".csv", ".html", ".jpg", ".js", ".py", ".toml", ".typed"}
MOST = 1_700_000  # bytes
PATIENCE = 120  # s


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ["-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run([sys.executable, *build], cwd=ROOT, capture_output=True, check=True)
    return next(folder.glob("*.whl"))


def test_it_is_pure_and_small_and_holds_only_the_program(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    assert wheel.stat().st_size < MOST
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names} == INSIDE
    assert {Path(name).suffix for name in names if ".dist-info/" not in name} <= ENDINGS
    assert not [name for name in names if re.search(r"test|bench_|/docs/|__pycache__", name)]
    for path in [*ROOT.glob("scenes/*.toml"), *ROOT.glob("scenes/pictures/*")]:
        assert f"sandbox/bundled_scenes/{path.relative_to(ROOT / 'scenes').as_posix()}" in names


def required(wheel: Path) -> set[str]:
    """Return the distributions that pip installs with the wheel, without extras."""
    found, wanted = set[str](), [Requirement(line) for line in requirements_in(wheel)]
    while wanted:
        requirement = wanted.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        if requirement.name.lower() not in found:
            found.add(requirement.name.lower())
            wanted += [Requirement(line) for line in distribution(requirement.name).requires or ()]
    return found


def requirements_in(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as file:
        (metadata,) = (name for name in file.namelist() if name.endswith(".dist-info/METADATA"))
        return re.findall(r"^Requires-Dist: (.*)$", file.read(metadata).decode(), re.MULTILINE)


@pytest.fixture
def scripts(wheel: Path, tmp_path: Path) -> Path:
    """The folder of the scripts of an environment with the wheel and what it requires, as it is installed here."""
    home = tmp_path / "environment"
    venv.create(home, symlinks=True)
    packages = next(home.glob("lib/python*/site-packages"))
    for name in required(wheel):
        for file in distribution(name).files or ():
            top = file.parts[0]
            if top != ".." and not (packages / top).exists():
                (packages / top).symlink_to(Path(str(distribution(name).locate_file(top))))
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True, stderr=subprocess.DEVNULL)
    return home / "bin"


@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="Xvfb is a display of Linux")
def test_the_script_named_like_the_distribution_opens_the_window(scripts: Path, display: str, tmp_path: Path) -> None:
    for_tests = ("ARCADE_HEADLESS", "PYTHONPATH")
    environment = {name: value for name, value in os.environ.items() if name not in for_tests}
    environment |= {"DISPLAY": display, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    with subprocess.Popen(
        [scripts / "boids-sandbox"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        end = time.monotonic() + PATIENCE
        searched = ["xdotool", "search", "--name", "Murmuration"]
        while not subprocess.run(searched, env=environment, capture_output=True, text=True).stdout:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < end
            time.sleep(0.1)
        process.terminate()
        assert process.communicate(timeout=PATIENCE)[1] == ""
    assert process.returncode == 0
