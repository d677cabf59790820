"""`boids mod check` runs a mod in another process: what never ends, and what ends Python, is told with its line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from sandbox.mods.check.apart import check_apart
from tests.command_line import ROOT
from tests.mods import write_mod

ONE = """
import ctypes
from sandbox.api import Phase, System, kernel

@kernel
def on_and_on(n):
    while n > 0:
        n += 2
    return n

class One(System):
    phase = Phase.STEER

    def run(self, world):
        {does}

def install(app):
    app.add_system(One)
"""


@pytest.mark.parametrize(
    ("does", "expected"),
    [
        ("while True: pass", "mods/one/one.py:15: still runs after 2 s, running 100 ticks: does this loop ever end?"),
        ("on_and_on(1)", "mods/one/one.py:15: still runs after 2 s, running 100 ticks: does this loop ever end?"),
        ("ctypes.string_at(8)", "mods/one/one.py:15: it ended the program, running 100 ticks: Segmentation fault"),
    ],
)
def test_what_never_ends_and_what_ends_python_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = write_mod(Path("mods/one"), ONE.replace("", "").format(does=does))
    assert check_apart(folder, quick=True, patience=2) == [expected]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("seconds", [0.6, 0.8, 1.0, 1.3])
def test_an_interrupt_is_no_verdict(seconds: float) -> None:
    """Neither while the other process begins, which gets Ctrl+C as well, nor while it checks."""
    command = [sys.executable, "-m", "sandbox.cli.main", "mod", "check", "mods/magnet"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
    )
    sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    told, wrong = process.communicate()
    assert process.returncode in (130, -signal.SIGINT), told
    assert "ended the program" not in told
    assert "Traceback" not in wrong
