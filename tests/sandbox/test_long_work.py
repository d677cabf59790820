"""Long work says how far it is, and ends early if nobody wants its result."""

from __future__ import annotations

from pathlib import Path

import pytest

import sandbox
from sandbox.files.read_recording import open_recording
from sandbox.long_work import GivenUpError, followed, tell_how_far
from sandbox.mods.load.loaded_mods import NO_MODS


def give_up(done: int, count: int) -> None:
    raise GivenUpError


def test_a_recording_tells_how_many_of_its_members_are_read(tmp_path: Path) -> None:
    with sandbox.load("reef") as reef:
        reef.save(tmp_path / "reef.boids")
    told: list[tuple[int, int]] = []
    with followed(lambda *steps: told.append(steps)):
        open_recording(tmp_path / "reef.boids", NO_MODS).close()
    (_, count), *_ = told
    assert told[-1] == (count, count)
    assert told == sorted(told)
    with followed(give_up), pytest.raises(GivenUpError):
        open_recording(tmp_path / "reef.boids", NO_MODS)


def test_who_follows_a_block_is_told_nothing_after_it() -> None:
    told: list[tuple[int, int]] = []
    with followed(lambda *steps: told.append(steps)):
        tell_how_far(1, 2)
    tell_how_far(2, 2)
    assert told == [(1, 2)]
