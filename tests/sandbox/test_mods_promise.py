"""The promise: whatever a mod's system does wrong, the world goes on as if it had not run, and one sentence says which
mod, file and line. What only `boids mod check` finds is in test_guard.py; what parts of the window do, in tests/app.
"""

from __future__ import annotations

import _thread
from collections.abc import Iterable
from pathlib import Path
from threading import Timer

import pytest

import sandbox
from sandbox.mods.find.fault import ModInterrupt
from sandbox.mods.load.loading import LoadError
from sandbox.mods.run.host import SwitchMod
from systems.engine.measures import Measures
from systems.engine.system import Phase
from tests.mods import write_mod

HEAD = """import numpy as np
from sandbox.api import *


@component
class Mark:
    much: float = number(1, "", 0, 10, "how much")


@component
class Seal:
    size: float = number(1, "", 0, 10, "how large")


@for_each_row
def spoil(row, data):
    data.seal[row].size = 5


def harm(system, world):
    table = world.table
    if world.tick >= 2:
        {harm}
"""
SYSTEM = """

class Harming(System):
    phase = Phase.{phase}
    reads = (Seal,)
    {writes}

    def applies(self, world):
        if "{hook}" == "applies":
            harm(self, world)
        return True

    def run(self, world):
        if "{hook}" == "run":
            harm(self, world)


def install(app):
    app.add_component(Mark)
    app.add_system(Harming)
    app.add_prefabs('[prefabs.marked]\\nextends = "boid"\\nMark = {{}}\\nSeal = {{}}')
"""
HARMS = {
    "raises": ("1 / 0", "ZeroDivisionError: division by zero"),
    "leaves the program": ("raise SystemExit(3)", "SystemExit: 3"),
    "recurses": ("harm(system, world)", "RecursionError"),
    "allocates": ("np.zeros(1 << 50)", "MemoryError"),
    "writes NaN": ('table.columns["Mark.much"][:] = np.nan', "Mark.much of entity"),
    "writes NaN into a record": ('data_of(system, world).mark["much"] = np.nan', "Mark.much of entity"),
    "writes an undeclared column": ('table.columns["Velocity.x"][:] = 0', "is read-only"),
    "writes an undeclared record": ('data_of(system, world).seal["size"] = 0', "is read-only"),
    "changes the clock": ("world.tick = 7", "world.tick was changed, which belongs to the program"),
    "asks for too much": ('world.spawn("boid", 100_001)', "spawns more than 100,000 in one run"),
}
BEFORE_IT_RUNS = """import numpy as np
from sandbox.api import *

def deeper(): deeper()

def harm(here):
    if here == "{where}":
        {harm}

harm("import")

class Late(System):
    phase = Phase.LIFE
    def __init__(self):
        super().__init__()
        harm("make")
    def run(self, world): pass

def install(app):
    harm("install")
    app.add_system(Late)
"""
FEW = ("raises", "writes NaN", "writes an undeclared column", "asks for too much")


def world_with(folder: Path, harm: str, phase: str, hook: str) -> sandbox.Sandbox:
    writes = "" if phase in ("MEASURE", "RENDER") else "writes = (Mark,)"
    text = HEAD.format(harm=harm) + SYSTEM.format(phase=phase, hook=hook, writes=writes)
    simulation = sandbox.new(seed=3, mods=[write_mod(folder / "harmful", text)])
    simulation.spawn("marked", 20)
    return simulation


@pytest.mark.filterwarnings("ignore::sandbox.SandboxWarning")
@pytest.mark.parametrize(
    ("phase", "hook", "harms"),
    [
        ("STEER", "run", HARMS),
        ("STEER", "applies", FEW),
        *((phase, "run", FEW) for phase in ("COMMANDS", "SENSE", "MOVE", "LIFE", "COMMIT")),
    ],
)
def test_whatever_a_system_does_the_world_goes_on(tmp_path: Path, phase: str, hook: str, harms: Iterable[str]) -> None:
    with world_with(tmp_path / "good", "pass", phase, hook) as good:
        good.step(2)
        good.submit(SwitchMod("harmful", False))
        good.step(2)
        digest = good.digest()
    for number, (harm, words) in enumerate(HARMS[name] for name in harms):
        with world_with(tmp_path / str(number), harm, phase, hook) as sim:
            sim.step(4)
            (fault,) = sim.mods.faults
            assert words in fault.message
            assert fault.place.startswith("harmful.py:")
            assert fault.sentence.startswith(f"harmful: {fault.place}: ")
            assert sim.digest() == digest


@pytest.mark.filterwarnings("ignore::sandbox.SandboxWarning")
@pytest.mark.parametrize("phase", ["MEASURE", "RENDER"])
def test_one_that_only_looks_changes_nothing(tmp_path: Path, phase: str) -> None:
    harms = HARMS | {"writes a column": ('table.columns["Mark.much"][:] = 2', f"{phase} only measures or draws")}
    for number, (harm, _) in enumerate(harms.values()):
        with world_with(tmp_path / str(number), harm, phase, "run") as sim:
            sim.step(2)
            before = sim.digest()
            sim.world.resource(Measures).wanted = ("harming",)
            sim.pipeline.run(sim.world, [Phase[phase]])
            (fault,) = sim.mods.faults
            assert fault.place.startswith("harmful.py:")
            sim.mods.switch("harmful", True)
            assert sim.digest() == before


@pytest.mark.filterwarnings("ignore::sandbox.SandboxWarning")
def test_a_kernel_that_writes_what_its_system_only_reads_is_found_in_the_first_run(tmp_path: Path) -> None:
    spoils = "spoil(table.rows(Seal), data_of(system, world))"
    with world_with(tmp_path, spoils, "LIFE", "run") as sim:
        sim.world.tick = 2
        sim.step()
        assert sim.mods.faults[0].message.startswith("Seal.size was changed, which harming does not declare")
        assert set(sim.column("Seal.size", sim.world.table.serial[: sim.world.table.size])) == {1}


@pytest.mark.parametrize("phase", ["LIFE", "MEASURE"])
@pytest.mark.parametrize("hook", ["run", "applies"])
def test_where_a_loop_that_never_ends_stands_is_told(tmp_path: Path, phase: str, hook: str) -> None:
    with world_with(tmp_path, "while True: pass", phase, hook) as sim:
        sim.step(2)
        sim.world.resource(Measures).wanted = ("harming",)
        # The second interrupt does not wait for the end of the tick.
        interrupts = [Timer(seconds, _thread.interrupt_main) for seconds in (0.5, 1.5)]
        for interrupt in interrupts:
            interrupt.start()
        with pytest.raises(ModInterrupt, match=r"in the mod harmful: harmful\.py:\d+ \(system harming, tick 2\)"):
            sim.step()
        for interrupt in interrupts:
            interrupt.cancel()


@pytest.mark.parametrize("where", ["import", "install", "make"])
def test_where_a_loop_that_never_ends_stands_is_told_before_the_mod_runs(tmp_path: Path, where: str) -> None:
    """A person presses Ctrl+C as soon as it loops."""
    loop = "import _thread; _thread.interrupt_main()\n        while True: pass"
    folder = write_mod(tmp_path / "harmful", BEFORE_IT_RUNS.format(where=where, harm=loop))
    with pytest.raises(ModInterrupt, match=r"in the mod harmful: harmful\.py:[89] \("):
        sandbox.new(mods=[folder])


@pytest.mark.parametrize("harm", ["1 / 0", "raise SystemExit(3)", "np.zeros(1 << 50)", "deeper()"])
@pytest.mark.parametrize("where", ["import", "install", "make"])
def test_one_that_fails_before_it_runs_is_not_on(tmp_path: Path, where: str, harm: str) -> None:
    with pytest.raises(LoadError) as caught:
        sandbox.new(mods=[write_mod(tmp_path / "harmful", BEFORE_IT_RUNS.format(where=where, harm=harm))])
    assert caught.value.fault.place == ("harmful.py:4" if harm == "deeper()" else "harmful.py:8")
