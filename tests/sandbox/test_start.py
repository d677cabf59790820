"""How a start is quick: nothing is loaded that the command does not need, and everything is compiled beforehand."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numba
import pytest


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
