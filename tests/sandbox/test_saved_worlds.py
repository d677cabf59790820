"""Random worlds edited at random: saved, opened and saved again they give the same file, and nothing is lost."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.design.scene import Entry
from sandbox.edit import Erase, SetEnabled, SetField, SetParameter
from sandbox.scenes.bundled import bundled_scenes
from sandbox.scenes.writer import scene_text
from sandbox.simulation import Simulation
from systems.engine.settings import Settings
from tests.bundled import LARGE
from tests.saving import check_it_lasts, edit, opened, place, rename

SMALL = [path for path in bundled_scenes() if path.stem not in LARGE]


class Person:
    """Someone who edits a world at random."""

    def __init__(self, simulation: Simulation, seed: int) -> None:
        self.simulation, self.random = simulation, random.Random(seed)
        self.prefabs = [name for name in simulation.world.prefabs if name not in ("sheep", "wolf")]

    def edit(self, times: int) -> None:
        acts = [self.place, self.place_wall, self.erase, self.edit_one, self.move, self.set_prefab, self.set_system]
        acts += [self.set_world, self.wait, self.wait, self.duplicate, self.rename]
        for _ in range(times):
            self.random.choice(acts)()

    def place(self) -> None:
        name = self.random.choice(self.prefabs)
        components = self.simulation.world.prefabs[name].components
        if "Wall" not in components:
            more = {"Leader.pull": 0.7} if self.random.random() < 0.2 else {}
            where = (self.random.uniform(0, 300), self.random.uniform(0, 200))
            place(self.simulation, Entry(name, self.random.randint(1, 3), at=where, values=more))

    def place_wall(self) -> None:
        points = tuple((self.random.uniform(0, 300), self.random.uniform(0, 200)) for _ in range(4))
        place(self.simulation, Entry("wall", points=points, closed=self.random.random() < 0.5))

    def erase(self) -> None:
        middle = self.random.uniform(0, 300), self.random.uniform(0, 200)
        self.simulation.submit(Erase(*middle, self.random.uniform(5, 60)))
        self.simulation.settle_commands()

    def edit_one(self) -> None:
        table = self.simulation.world.table
        if table.size:
            row = self.random.randrange(table.size)
            keys = {"Look": "Look_size", "Flocker": "Flocker_cohesion_strength", "Wall": "Wall_thickness"}
            keys |= {"Food": "Food_amount", "Obstacle": "Obstacle_radius"}
            has = [owner for owner in keys if int(table.presence[row]) >> table.bit_of[table.components[owner]] & 1]
            if has:
                edit(
                    self.simulation,
                    int(table.serial[row]),
                    **{keys[self.random.choice(has)]: self.random.uniform(1, 9)},
                )

    def move(self) -> None:
        table, x = self.simulation.world.table, self.random.uniform(0, 250)
        rows = table.rows(table.components["Position"])
        if len(rows):
            edit(self.simulation, int(table.serial[self.random.choice(rows)]), Position_x=x, Position_y=x / 2)

    def set_prefab(self) -> None:
        key, low, high = self.random.choice(
            [
                ("Flocker.cohesion_strength", 0, 9),
                ("Motion.max_speed", 60, 120),
                ("Look.size", 1, 9),
                ("Prey.fear", 0, 9),
            ]
        )
        prefab = self.random.choice([None, *self.prefabs])
        value = self.random.choice([self.random.uniform(low, high), round(self.random.uniform(low, high), 1)])
        self.simulation.submit(SetField(key, value, prefab=prefab))
        if self.random.random() < 0.3:
            self.simulation.submit(SetField("Predator.hunts", self.random.sample(self.prefabs, 2), prefab=prefab))
        self.simulation.settle_commands()

    def set_system(self) -> None:
        self.simulation.submit(
            SetEnabled(self.random.choice(["flocking", "wander", "flee"]), self.random.random() < 0.5)
        )
        self.simulation.submit(SetParameter("commit", "reorder_every", self.random.randint(1, 90)))
        self.simulation.settle_commands()

    def set_world(self) -> None:
        settings = self.simulation.world.resource(Settings)
        settings.margin, settings.backdrop = self.random.uniform(0, 50), self.random.choice(["sea", "dawn"])
        settings.edges = self.random.choice(["wrap", "bounce", "turn"])
        self.simulation.world.seed = self.random.randint(0, 99)
        self.wait()  # who is beyond an edge that wraps now comes in on the other side

    def wait(self) -> None:
        self.simulation.step(self.random.randint(1, 5))

    def duplicate(self) -> None:
        prefabs, like, name = (
            self.simulation.world.prefabs,
            self.random.choice(self.prefabs),
            f"new {self.random.random()}",
        )
        prefabs[name] = replace(prefabs[like], name=name)
        self.prefabs.append(name)

    def rename(self) -> None:
        old, new = self.random.choice(self.prefabs), f"x{self.random.randrange(10**9)}"
        if old != "wall":
            rename(self.simulation, old, new)
            self.prefabs[self.prefabs.index(old)] = new


def random_scene(seed: int) -> str:
    """A small scene with comments, in which much is written in more than one way."""
    chance = random.Random(seed)
    lines = ["# a scene", "format = 1", f"seed = {seed}", ""]
    if chance.random() < 0.7:
        lines += ["[world]", "size = [300, 200]  # small", f'edges = "{chance.choice(["wrap", "turn", "bounce"])}"']
        lines += ["turn = { margin = 20 }"] if chance.random() < 0.5 else []
    names = ["boid", "predator", "food"]
    for n in range(chance.randint(0, 4)):
        base = chance.choice(names)
        names.append(f"kind{n}")
        lines += ["", f"# kind {n}", f"[prefabs.kind{n}]", f'extends = "{base}"  # like those']
        look = [
            ["Look.size = 4"],
            ["Look = { size = 3.5 }  # small"],
            ["", f"[prefabs.kind{n}.Look]", "size = 4.5 # !"],
        ]
        lines += chance.choice(["", "Energy = { level = 90 }\nLife = { birth_level = 60 }"]).split("\n")
        lines += chance.choice(look)
    for n in range(chance.randint(0, 6)):
        prefab = chance.choice(names)
        lines += ["", f"# {n}", "[[spawn]]  # here", f'prefab = "{prefab}"']
        lines += (
            [f"at = [{chance.uniform(0, 300)}, {chance.randint(0, 200)}]"]
            if chance.random() < 0.4
            else [f"count = {n}"]
        )
        lines += ["Look = { size = { mean = 4, sd = 1 } }"] if chance.random() < 0.3 else []
    if chance.random() < 0.5:
        lines += ["[[spawn]]", 'prefab = "wall"', "points = [[20, 20], [90, 30], [95.5, 120]]", "closed = true"]
        lines += ["[spawn.Wall]", "thickness = 3"]
    if chance.random() < 0.5:
        lines += ["[[spawn]]", 'prefab = "obstacle"', "at = [200, 100.5] # stone", "Obstacle = { radius = 22 }"]
    if chance.random() < 0.4:
        lines += ["[systems]", "wander = false # calm", "commit = { reorder_every = 30 }"]
    return "\n".join(lines) + "\n" * chance.randint(0, 1)


def comments(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("#")]


@pytest.mark.parametrize("seed", [*range(25), *(pytest.param(n, marks=pytest.mark.verify) for n in range(25, 400))])
def test_a_random_world_edited_at_random_lasts(seed: int) -> None:
    text = random_scene(seed)
    with opened(text) as simulation:
        assert scene_text(simulation) == text
        Person(simulation, seed).edit(12)
        assert comments(check_it_lasts(simulation)) == comments(text)


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_a_bundled_scene_edited_at_random_lasts_and_keeps_its_comments(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("\n[", "\n# what follows is commented\n[")
    with opened(text) as simulation:
        table = simulation.world.table
        simulation.world.despawn(table.serial[50 : table.size - 50].copy())  # few are faster
        Person(simulation, len(path.stem)).edit(12)
        assert comments(check_it_lasts(simulation)) == comments(text)
