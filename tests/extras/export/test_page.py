"""docs/trajectories.md: its commands and examples run, one after the other."""

from __future__ import annotations

import re
import shlex
import sys
import types
from pathlib import Path

import pytest

import sandbox
from tests.command_line import ROOT, boids

PAGE = (ROOT / "docs" / "trajectories.md").read_text("utf-8")


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    boids("run", "ronan", "--ticks", 5, "--record", "evening.boids")
    for command in re.findall(r"^boids (export .*)$", PAGE, re.MULTILINE):
        assert boids(*shlex.split(command)).returncode == 0
    module = types.ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)
    for block in re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        exec(compile(block, "docs/trajectories.md", "exec"), module.__dict__)
        for told in re.findall(r"print\(.*\)  # (.*)", block):
            assert told in capsys.readouterr().out
    steps = module.tracks.groupby("particle")[["x", "y"]].diff().abs().max()
    assert steps.max() < 20  # no path jumps
    assert module.tracks["frame"].diff().max() == 1


def test_the_first_rows_on_the_page_are_those_of_the_scene() -> None:
    rows = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if re.match(r"\| \d+ \|", line)]
    assert len(rows) == 2
    with sandbox.load("pasture", mods=[]) as sim:
        sim.step(120)
        record = sim.trajectory(0, columns=["x", "y", "vx", "vy", "energy"])
    for number, row in enumerate(rows):
        found = [record[name][number].item() for name in record]
        assert row == [f"{value:.1f}" if isinstance(value, float) else str(value) for value in found]
