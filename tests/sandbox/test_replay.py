"""A session is its scene, its seed and its log of commands: replayed, it gives the same bits."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from components.store.prefab import Prefab
from sandbox.design.scene import Circle, Entry, Scene
from sandbox.edit import Command, CommandQueue, Despawn, Erase, SetField, SetParameter, Spawn, Switch
from sandbox.simulation import Simulation
from sandbox.toml.shapes import Spread
from systems.engine.settings import Settings

BOID = {"Position": {}, "Velocity": {}, "Motion": {"min_speed": 50.0}, "Perception": {}, "Flocker": {}, "Look": {}}


def scene() -> Scene:
    prefabs = {name: Prefab(name, BOID) for name in ("boid", "other")}
    return Scene(seed=2, settings=Settings(500, 400), prefabs=prefabs, entries=[Entry("boid", 50), Entry("other", 30)])


def edit(rng: np.random.Generator) -> Command:
    """Some edit that a person could make."""
    x, y, name = float(rng.uniform(0, 500)), float(rng.uniform(0, 400)), str(rng.choice(["boid", "other"]))
    edits: list[Command] = [
        Spawn(Entry(name, int(rng.integers(1, 20)), area=Circle(x, y, 30))),
        Spawn(Entry(name, at=(x, y), values={"Flocker.cohesion_strength": Spread(2, 1)})),
        Despawn(tuple(rng.integers(1, 120, 3).tolist())),
        Erase(x, y, 40),
        SetField("Flocker.cohesion_strength", float(rng.uniform(0, 20)), prefab=name),
        SetField("Perception.radius", float(rng.uniform(10, 200))),
        SetParameter("commit", "reorder_every", int(rng.integers(1, 9))),
        Switch("flocking", bool(rng.integers(2))),
    ]
    return edits[rng.integers(len(edits))]


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_session_replays_to_the_same_digest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    with Simulation(scene()) as session, Simulation(scene()) as replay:
        while session.tick < 40:
            for _ in range(rng.integers(0, 4)):
                session.submit(edit(rng))
                if rng.random() < 0.4:  # the window is paused, and draws a frame
                    session.settle_commands()
            session.step(int(rng.integers(1, 6)))
        for done in session.world.resource(CommandQueue).log:
            replay.step(done.tick - replay.tick)
            replay.submit(done.command, done.joins)
        replay.step(session.tick - replay.tick)
        assert replay.digest() == session.digest()


def test_a_command_meets_what_the_one_before_it_made() -> None:
    with Simulation(scene()) as simulation:
        simulation.submit(Spawn(Entry("boid", 5)))
        simulation.submit(SetField("Motion.max_speed", 77, prefab="boid"))
        simulation.step()
        table = simulation.world.table
        made = table.rows_of(np.arange(81, 86))
        assert table.columns["Motion.max_speed"][made].tolist() == [77] * 5
