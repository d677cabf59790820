"""`import sandbox` is a small thing, and `load` opens whatever a person names."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import esper
import numpy as np
import pytest

import sandbox
from components.store.handles import tables


def test_importing_the_program_imports_nothing_heavy() -> None:
    program = (
        "import sandbox, sys; sys.exit(any(name in sys.modules for name in ('numba', 'numpy', 'esper', 'arcade')))"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2]).returncode == 0


def test_a_seed_may_be_any_whole_number() -> None:
    with sandbox.load("ronan", seed=np.int64(3)) as one, sandbox.load("ronan", seed=3) as other:
        assert one.digest() == other.digest()
    with pytest.raises(ValueError, match="must be a whole number"):
        sandbox.load("ronan", seed=1.5)  # type: ignore[arg-type]


def test_a_closed_simulation_says_so() -> None:
    simulation = sandbox.load("ronan")
    simulation.close()
    with pytest.raises(RuntimeError, match="closed"):
        simulation.step()


def test_worlds_that_nobody_holds_are_forgotten() -> None:
    gc.collect()
    before, worlds = set(tables), set(esper.list_worlds())
    for made in (sandbox.new(), sandbox.loads("format = 1"), sandbox.load("ronan")):
        made.spawn("boid", 3)
        made.run(2, record="polarization", until=lambda sim: sim.tick > 1)
        made.undo()
        del made
    gc.collect()
    assert set(tables) <= before
    with sandbox.load("ronan") as last:  # esper was in the last of them until now
        gc.collect()
        assert set(tables) - before == {last.world.name}
        assert set(esper.list_worlds()) <= worlds | {last.world.name}
        last.step()
