"""`boids mod check` runs a mod in another process: what never ends, and what ends Python, is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.mods.check.apart import check_apart
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
