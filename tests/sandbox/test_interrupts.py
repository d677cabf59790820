"""Ctrl+C ends a run between two ticks: the world is whole and goes on as if nothing had happened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import sandbox
from components.store.world import World
from sandbox import Sandbox
from sandbox.cli import main
from sandbox.design.scene import Entry
from sandbox.edit import Spawn
from sandbox.opening import load
from systems.engine.interrupts import interrupted_at_end
from systems.engine.system import Phase, System
from tests.command_line import boids

TICKS, AT = 5, 2
pytestmark = pytest.mark.timeout(600)  # where kernels have to be compiled first


class Interrupted(System):
    """A person presses Ctrl+C in the middle of a tick, which then goes on, some seconds or not."""

    phase = Phase.LIFE
    seconds = 0.0

    def run(self, world: World) -> None:
        if world.tick == AT:
            signal.raise_signal(signal.SIGINT)
            time.sleep(self.seconds)


@pytest.fixture
def simulation() -> Iterator[Sandbox]:
    with sandbox.load("ronan") as made:
        made.pipeline.replace(made.world, [*made.pipeline.systems, Interrupted()])
        yield made


@pytest.fixture
def whole() -> str:
    """The digest after all ticks."""
    with load("ronan") as uninterrupted:
        uninterrupted.step(TICKS)
        return uninterrupted.digest()


def test_the_tick_is_finished_first(simulation: Sandbox, whole: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        simulation.step(TICKS)
    assert simulation.tick == AT + 1
    simulation.step(TICKS - simulation.tick)
    assert simulation.digest() == whole


def test_a_recorded_run_ends_between_two_ticks_too(simulation: Sandbox, whole: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        simulation.run(TICKS, record="polarization")
    assert simulation.tick == AT + 1
    record = simulation.run(TICKS - simulation.tick, record="polarization")
    assert record["tick"].tolist() == [*range(AT + 2, TICKS + 1)]
    assert simulation.digest() == whole


def test_a_tick_that_does_not_end_is_broken_off_and_the_world_says_so(
    simulation: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("systems.engine.interrupts.PATIENCE", 0.2)
    simulation.pipeline.by_name["interrupted"].seconds = 1e6  # type: ignore[attr-defined]
    with pytest.raises(KeyboardInterrupt):
        simulation.step(TICKS)
    assert simulation.tick == AT
    saves = [lambda name=name: simulation.save(tmp_path / name) for name in ("half.boids", "half.toml")]
    for use in (simulation.step, simulation.digest, *saves, simulation.undo, lambda: simulation.spawn("ronan")):
        with pytest.raises(RuntimeError, match="interrupted in the middle of a tick: open it again"):
            use()
    assert not list(tmp_path.iterdir())


def test_one_within_another_waits_for_the_outer_end() -> None:
    done = []

    def work(presses: int) -> None:
        with interrupted_at_end():
            with interrupted_at_end():
                for _ in range(presses):
                    signal.raise_signal(signal.SIGINT)
            done.append(presses)

    with pytest.raises(KeyboardInterrupt):
        work(1)
    assert done == [1]
    with pytest.raises(KeyboardInterrupt):
        work(2)  # the second one does not wait
    assert done == [1]


def test_what_is_lost_in_the_middle_comes_at_the_end() -> None:
    done = []

    def work() -> None:
        with interrupted_at_end():
            signal.raise_signal(signal.SIGINT)
            with suppress(KeyboardInterrupt):  # as where C calls Python
                signal.raise_signal(signal.SIGINT)
            done.append("all")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all"]


def test_in_another_thread_every_tick_is_whole(simulation: Sandbox, whole: str) -> None:
    thread = threading.Thread(target=lambda: simulation.step(TICKS))

    def wait() -> None:
        thread.start()
        thread.join()
        time.sleep(60)

    with pytest.raises(KeyboardInterrupt):  # the main thread is told, whichever runs the tick
        wait()
    thread.join()
    assert simulation.digest() == whole


def test_what_a_program_does_itself_on_an_interrupt_is_done_once_and_stays(simulation: Sandbox) -> None:
    told: list[int] = []
    before = signal.signal(signal.SIGINT, lambda *_: told.append(simulation.tick))
    try:
        simulation.step(TICKS)
        assert (told, simulation.tick) == ([AT + 1], TICKS)
        signal.raise_signal(signal.SIGINT)
        assert told == [AT + 1, TICKS]
    finally:
        signal.signal(signal.SIGINT, before)


def test_commands_are_carried_out_whole() -> None:
    class Pressed(Spawn):
        def apply(self, world: World) -> None:
            signal.raise_signal(signal.SIGINT)
            super().apply(world)

    with load("ronan") as simulation:
        simulation.submit(Pressed(Entry("ronan", 3)))
        simulation.submit(Spawn(Entry("ronan", 3)))
        with pytest.raises(KeyboardInterrupt):
            simulation.settle_commands()
        assert simulation.populations() == {"ronan": 106}


TAKES = """
signal.raise_signal(signal.SIGINT)  # while LLVM takes an object
noted.append("that it is LLVM's now")
"""


def test_a_call_of_llvm_is_finished_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its Python part notes after the call whose the object is: else that would be freed twice."""
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(main, "_patience", 100)
    noted: list[str] = []
    call = compile(TAKES, os.path.join(os.sep, "llvmlite", "linker.py"), "exec")

    def work() -> None:
        exec(call, {"signal": signal, "noted": noted})
        time.sleep(20)  # the interrupt ends this wait

    before, began = signal.signal(signal.SIGINT, main._interrupt), time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    assert noted == ["that it is LLVM's now"]
    assert sys.platform == "win32" or time.monotonic() - began < 15


HALF_MADE = """
from sandbox.cli import commands
from sandbox.cli.main import program

class HalfMade:
    def __del__(self):
        print("freed")

def run():
    half_made = HalfMade()
    raise KeyboardInterrupt

commands.run_command_line = run
program()
"""


def test_a_program_that_is_interrupted_frees_nothing_that_is_half_made() -> None:
    out = subprocess.run([sys.executable, "-c", HALF_MADE], capture_output=True, text=True)
    assert (out.returncode, out.stdout, out.stderr) == (130, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_run_that_is_interrupted_ends_without_a_word(tmp_path: Path) -> None:
    pressed = threading.Timer(2, lambda: os.kill(os.getpid(), signal.SIGINT))
    pressed.start()
    out = boids("run", "ronan", "--ticks", 10**8, "--metrics", tmp_path / "m.csv")
    pressed.join()
    assert (out.returncode, out.stdout) == (130, "")
    assert "Traceback" not in out.stderr
    assert os.listdir(tmp_path) == []
