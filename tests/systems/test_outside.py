"""On a torus a place outside of the world is the place inside: whoever is put there is there in the same tick."""

from __future__ import annotations

import pytest

import sandbox

SIZE = 512
SCENE = f"""format = 1
[world]
size = [{SIZE}, {SIZE}]
edges = "wrap"
[[spawn]]
prefab = "boid"
at = [20, 100]
velocity = [0, 60]
[[spawn]]
prefab = "predator"
at = [8, 132]
Perception.fov = 360
[[spawn]]
prefab = "sheep"
at = [16, 300]
Energy.level = 10
Perception.fov = 360
[[spawn]]
prefab = "food"
at = [40, 300]
"""


@pytest.mark.parametrize("prefab", ["boid", "predator", "sheep", "food"])
@pytest.mark.parametrize("rounds", [1, -1, 3])
def test_nobody_notices_who_is_put_outside(prefab: str, rounds: int) -> None:
    digests = set()
    for beyond in (0, rounds * SIZE):
        with sandbox.loads(SCENE) as simulation:
            simulation.step(2)
            who = simulation.select(prefab)[:1]
            table = simulation.world.table
            table.write("Position.x", table.living(who), 8.0 + beyond)  # as a system of a mod may, in LIFE
            simulation.step()
            digests.add(simulation.digest())
    assert len(digests) == 1
