"""Kernels are compiled by several processes at once; here they are compiled already, and only loaded."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from sandbox.rehearsal import Rehearsal
from sandbox.terminal import compile_if_cold
from sandbox.warm_up import _compiled_by_others, steps
from systems.core import kernel


@pytest.fixture(scope="module")
def acts() -> list[str]:
    rehearsal = Rehearsal()
    rehearsal.close()
    return rehearsal.acts


def test_one_of_several_processes_begins_at_its_place_and_plays_all(acts: list[str]) -> None:
    program = "from sandbox.warm_up import compile_from; compile_from(1, 3)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    *played, end = [line.split(" ") for line in done.stdout.splitlines()]
    assert end == [str(len(acts)), ""]
    assert sorted(act for _, act in played) == sorted(acts)
    assert played[0][1] == acts[0]  # others need what the first ones find
    assert played[-1][1] != acts[-1]


def test_several_processes_play_all(acts: list[str]) -> None:
    counts = list(_compiled_by_others(2))
    assert counts[-1][:2] == (len(acts), len(acts))
    assert {act for _, _, act in counts} == set(acts)


def test_a_warm_start_needs_no_others() -> None:
    assert [name for _, _, name in steps()] == ["done"]


def test_where_the_disk_is_full_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setenv("BOIDS_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(1 << 30, 1 << 30, 0))
    assert kernel._cache_folder() is None
    (tmp_path / "kernels" / os.listdir(tmp_path / "kernels")[0] / "warm").touch()
    assert kernel._cache_folder() is not None  # what is there already can be read


def test_a_start_that_keeps_nothing_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernel, "CACHE", None)
    monkeypatch.setattr("sandbox.warm_up.steps", lambda: iter(()))
    compile_if_cold()
    assert "at every start" in capsys.readouterr().err
