"""Three mods with a planted fault each: one moves an animal, one drains energy, one turns headings, now and then."""

from __future__ import annotations

from pathlib import Path

from tests.mods import write_mod

SCENE = """format = 1
name = "Grazers"
seed = 5

[world]
size = {size}

[prefabs.grazer]
extends = "boid"
Energy = {{ level = 5, capacity = 10, rest_burn = 0.1 }}

[[spawn]]
prefab = "grazer"
count = 30
"""

PLANTED = {
    "jumpy": '''
"""Lets one jump."""
from sandbox.api import App, Phase, System, World


class Hop(System):
    """Moves the third one to the side in every seventh tick."""

    phase = Phase.MOVE
    writes = ("Position.y",)
    after = ("movement", "bounce", "collision", "wrap")

    def run(self, world: World) -> None:
        row = world.table.row_of(3)
        if world.tick % 7 == 6 and row >= 0:
            y = world.table.columns["Position.y"]
            y[row] += 150 if y[row] < 300 else -150


def install(app: App) -> None:
    app.add_system(Hop)
''',
    "leech": '''
"""Drains energy."""
from sandbox.api import App, Energy, Phase, System, World


class Drain(System):
    """Takes energy from all in every fifth tick."""

    phase = Phase.LIFE
    writes = ("Energy.level",)
    after = ("predation", "feeding", "metabolism")
    before = ("lifecycle",)

    def run(self, world: World) -> None:
        if world.tick % 5 == 4:
            world.table.columns["Energy.level"][world.table.rows(Energy)] -= 1 << 18  # 0.25


def install(app: App) -> None:
    app.add_system(Drain)
''',
    "dizzy": '''
"""Turns headings."""
from sandbox.api import App, Phase, System, Velocity, World


class Whirl(System):
    """Turns all by a right angle in every ninth tick."""

    phase = Phase.MOVE
    writes = (Velocity,)
    after = ("movement", "bounce", "collision")
    before = ("wrap",)

    def run(self, world: World) -> None:
        if world.tick % 9 == 8:
            columns, rows = world.table.columns, world.table.rows(Velocity)
            x, y = columns["Velocity.x"][rows], columns["Velocity.y"][rows]
            columns["Velocity.x"][rows], columns["Velocity.y"][rows] = -y, x


def install(app: App) -> None:
    app.add_system(Whirl)
''',
}
FAULTS = {"jumpy": ("hop", 6, "Position"), "leech": ("drain", 4, "Energy.level"), "dizzy": ("whirl", 8, "Velocity")}
"""Of each mod its system, a tick before which it does nothing and in which it does, and what it changes then."""


def plant(folder: Path, size: tuple[float, ...] = (800, 600)) -> tuple[Path, list[Path]]:
    """Write the mods and a scene of grazers; return the scene's file and the folders of the mods."""
    mods = [write_mod(folder / "mods" / name, python, worlds="both") for name, python in PLANTED.items()]
    scene = folder / "grazers.toml"
    scene.write_text(SCENE.format(size=[*size]), encoding="utf-8")
    return scene, mods
