"""How a start is quick: nothing is loaded that the command does not need, and everything is compiled beforehand."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from sandbox.programs import find_program
from systems.engine.kernel_cache import cache_folder


def loaded_by(*arguments: str) -> set[str]:
    """The packages that a command of `boids` loads."""
    program = """
import sys, atexit
atexit.register(lambda: print(*(name for name in sys.modules if "." not in name), file=sys.stderr))
from sandbox.cli.main import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.mark.parametrize("command", [("--help",), ("scenes",), ("check", "ronan", "storm"), ("schema",)])
def test_listing_and_checking_load_neither_numba_nor_graphics(command: tuple[str, ...]) -> None:
    assert not {"numba", "llvmlite", "arcade", "pyglet", "imgui_bundle", "pydantic"} & loaded_by(*command)


def test_set_up_has_compiled_the_packages_also_where_python_may_write_no_bytecode() -> None:
    for module in (numba, pytest):
        assert Path(importlib.util.cache_from_source(str(module.__file__))).exists()


@pytest.mark.parametrize(
    "command",
    [
        ("run", "nosuch"),
        ("play", "nosuch"),
        ("explain", "nosuch", "--entity", "1"),
        ("replay", "nosuch.boids"),
        ("diff", "nosuch.boids", "nosuch.boids"),
        ("run", "ronan", "--overlay", "nosuch", "--picture", "end.png"),
        ("mod", "check", "nosuch"),
    ],
    ids=lambda command: command[0],
)
def test_what_is_not_there_is_refused_before_kernels_are_compiled(command: tuple[str, ...], tmp_path: Path) -> None:
    cold = {**os.environ, "BOIDS_CACHE_DIR": str(tmp_path / "cache")}
    boids = Path(sys.executable).with_name("boids")
    done = subprocess.run([boids, *command], capture_output=True, text=True, cwd=tmp_path, env=cold)
    assert done.returncode == 1
    assert "nosuch" in done.stdout + done.stderr
    assert "Compiling" not in done.stderr
    assert not [*tmp_path.rglob("*.nbc")]


FIRST_CALL = """
from systems.engine import kernel

@kernel.kernel
def add(a, b):
    return a + b

kernel.before_compiling = lambda: print("compiling")
print(add(1, 2), add(1, 2))
"""


def test_kernels_are_compiled_before_the_first_is_called_where_none_are_kept(tmp_path: Path) -> None:
    cold = {**os.environ, "BOIDS_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", FIRST_CALL], capture_output=True, text=True, env=cold)
    assert done.stdout.splitlines() == ["compiling", "3 3"], done.stderr
    done = subprocess.run([sys.executable, "-c", FIRST_CALL], capture_output=True, text=True, env=cold)
    assert done.stdout.splitlines() == ["3 3"], done.stderr


PRESSED = """
import importlib.abc, signal, sys

class Pressed:
    def __set_name__(self, owner, name):
        signal.raise_signal(signal.SIGINT)

class Presses(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == sys.argv[2]:
            type("Imported", (), {"key": Pressed()})

sys.meta_path.insert(0, Presses())
from sandbox.cli.main import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("module", ["typer", "sandbox.extras", "sandbox.toml.schemas", "tomli"])
def test_ctrl_c_ends_the_program_without_a_word_also_while_it_imports(module: str) -> None:
    command = [sys.executable, "-c", PRESSED, "check", module]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("", "")
    assert done.returncode in (-signal.SIGINT, 130)


def test_a_program_in_the_working_folder_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ending = ".exe" if sys.platform == "win32" else ""
    there, installed = (tmp_path / folder / f"ffmpeg{ending}" for folder in ("there", "installed"))
    for program in (there, installed):
        program.parent.mkdir()
        program.touch(0o755)
    monkeypatch.chdir(there.parent)
    monkeypatch.setenv("PATH", os.pathsep.join([".", ""]))
    assert find_program("ffmpeg") is None
    monkeypatch.setenv("PATH", os.pathsep.join([".", str(installed.parent)]))
    assert find_program("missing", "ffmpeg") == str(installed)


@pytest.mark.verify
def test_where_no_terminal_shows_a_bar_lines_tell_how_far_compiling_is(tmp_path: Path) -> None:
    warm = cache_folder()
    assert warm
    shutil.copytree(warm, tmp_path / "kernels" / warm.name, ignore=shutil.ignore_patterns("warm-*", "mods"))
    code = "from sandbox import terminal; terminal.SECONDS_OF_LINE = 0; terminal.compile_if_cold()"
    cold = {**os.environ, "BOIDS_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=cold)
    first, *lines = done.stderr.splitlines()
    assert first == "Compiling the kernels: only at the first start, up to a minute."
    assert len(lines) > 3
    assert all(re.fullmatch(r"Compiling the kernels: \d+%", line) for line in lines)
