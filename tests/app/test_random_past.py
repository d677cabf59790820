"""Whoever acts, scrubs, undoes and takes over in any order: every branch is what a plain run of its commands is."""

from __future__ import annotations

import random

import pytest
from arcade import key

from sandbox.app.session import playback as session_playback
from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry, Scene
from sandbox.past.branch import Branch
from sandbox.simulation import Simulation

from .conftest import OpenWindow
from .mouse import hit, with_tools
from .test_driven_session import gesture
from .test_timeline import arrive, playback, timeline

KEYS = [
    *((key.LEFT, 0), (key.RIGHT, 0), (key.LEFT, key.MOD_SHIFT), (key.RIGHT, key.MOD_SHIFT), (key.HOME, 0)),
    *((key.END, 0), (key.M, 0), (key.L, 0), (key.SPACE, key.MOD_SHIFT)),
]


def travel(window: FlockWindow, dice: random.Random) -> None:
    """Go to some moment, maybe without waiting until it is reached."""
    if dice.random() < 0.5:
        hit(window, *dice.choice(KEYS))
    else:
        branch = dice.choice(timeline(window).recording.branches)
        playback(window).go(dice.randrange(branch.last + 1), branch)
    if dice.random() < 0.5:
        window.on_update(0)
    if dice.random() < 0.3:
        arrive(window)


def plain(scene: Scene, branch: Branch, tick: int) -> str:
    """The digest of a plain run of a branch's commands."""
    with Simulation(scene, 1) as simulation:
        for done in branch.commands[: branch.commands_through(tick)]:
            simulation.step(done.tick - simulation.tick)
            simulation.submit(done.command, done.joins)
            simulation.settle_commands()
        simulation.step(tick - simulation.tick)
        return simulation.digest()


@pytest.mark.long_ticks
@pytest.mark.parametrize("over_frames", [False, True])
@pytest.mark.parametrize("depth", [0, 300])
@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.verify) for n in range(2, 40))])
def test_every_branch_is_a_plain_run_of_its_commands(
    open_on: OpenWindow, monkeypatch: pytest.MonkeyPatch, seed: int, depth: float, over_frames: bool
) -> None:
    """In both cases of a tick: it ends in its frame, or goes on in its thread while people act."""
    monkeypatch.setattr(session_playback, "LONG", -1 if over_frames else 10**12)
    edges = ["wrap", "turn"][seed % 2]
    scene = with_tools(Entry("red", 40), Entry("predator", 2), Entry("food", 5), edges=edges, depth=depth)
    window = open_on(scene, panels=["time bar", "charts"])
    window.session.clock.now = lambda: 0
    window.session.clock.go_at(400)
    dice = random.Random(seed)
    for _ in range(120):
        travel(window, dice) if dice.random() < 0.2 else gesture(window, dice)
        for _ in range(dice.randrange(4)):
            window.on_update(dice.choice([1 / 60, 0.1]))
        if dice.random() < 0.1:
            window.on_draw()
            window.session.clock.paused = False
    window.session.clock.paused = True
    arrive(window)
    branches = timeline(window).recording.branches
    assert seed > 2 or len(branches) > 1
    for branch in dice.sample(branches, min(len(branches), 6)):
        for tick in {branch.last, dice.randint(0, branch.last)}:
            playback(window).go(tick, branch)
            arrive(window)
            assert window.simulation.tick == tick
            assert window.simulation.digest() == plain(scene, branch, tick)
    assert timeline(window).differs is None
