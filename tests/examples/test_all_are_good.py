"""Every mod that comes with the program is one of which `boids mod check` has nothing to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox.mods.check.checking import check
from sandbox.mods.find.finding import bundled_mods_folder
from sandbox.mods.find.trust import Trust

MODS = sorted(path.parent for path in bundled_mods_folder().glob("*/mod.toml"))


def test_there_are_some() -> None:
    assert len(MODS) >= 2


@pytest.mark.verify
@pytest.mark.parametrize("mod", MODS, ids=lambda mod: mod.name)
def test_it_is_good(mod: Path, tmp_path: Path) -> None:
    assert check(mod, Trust(tmp_path / "none.toml")) == []
