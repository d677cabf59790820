"""`boids mod new NAME`: writes a small working mod as a starting point."""

from __future__ import annotations

import keyword
import os
from pathlib import Path
from string import Template

from sandbox import api
from sandbox.design.prefabs import built_in_source
from sandbox.files import WriteError, folder_beside, make_folder
from sandbox.mods.find.manifest import MANIFEST
from sandbox.mods.find.versions import read_id

MANIFEST_TEXT = """\
id = "$id"
version = "0.1"
api = 1
title = "$title"
description = "Entities with $name turn to their left."
entry = "$id:install"
"""

PYTHON = '''\
"""Entities with $name turn to their left."""

from sandbox.api import App, Motion, Phase, System, Velocity, World
from sandbox.api import accelerate, component, data_of, for_each_row, left_of, number, read, scaled

PREFABS = """
[prefabs.$id]
extends = "boid"
help = "a boid that turns to its left"
$name = {}
Look = { colour = "#7fd1b9" }
"""


@component
class $name:
    """Turns to its left."""

    rate: float = number(1, "1/s", -20, 20, "how fast it turns; below 0 to its right")


class ${name}Turning(System):
    """Turns all entities with $name to their left."""

    phase = Phase.STEER
    reads = (Velocity, $name)
    adds = ("Motion.acceleration",)

    def run(self, world: World) -> None:
        turn(world.table.rows(Velocity, Motion, $name), data_of(self, world))


@for_each_row
def turn(row, data):
    accelerate(data.motion[row], scaled(left_of(read(data.velocity[row])), data.$field[row].rate))


def install(app: App) -> None:
    app.add_system(${name}Turning)
    app.add_prefabs(PREFABS)
'''

TEST = '''\
"""What $title does. To run this: pytest mods/$id"""

from pathlib import Path

import sandbox

MOD = Path(__file__).parents[1]


def test_it_turns_to_its_left():
    with sandbox.new(mods=[MOD]) as sim:
        one = sim.spawn("$id", at=(640, 360), velocity=(100, 0))
        sim.step(10)
        assert not sim.mods.faults
        assert sim.column("Velocity.y", one) > 10
'''


def write_new_mod(id: str, mods: Path) -> Path:
    """Write the mod `id` into the folder `mods`, completely or not at all; return the mod's folder.

    Raises:
        ValueError: the id is invalid or taken; the message says what would be right.
        WriteError: the folder exists, or it can't be written.
    """
    name = _class_name(id)
    folder = mods / id
    if os.path.lexists(folder):
        raise WriteError(f"{folder}: it already exists: choose another name, or remove it")
    make_folder(mods)
    words = {"id": id, "name": name, "field": name.lower(), "title": id.replace("_", " ").capitalize()}
    texts = {MANIFEST: MANIFEST_TEXT, f"{id}.py": PYTHON, f"tests/test_{id}.py": TEST}
    with folder_beside(folder) as beside:
        for file, text in texts.items():
            (beside / file).parent.mkdir(exist_ok=True)
            filled = Template(text).substitute(words)
            (beside / file).write_text(filled, encoding="utf-8", newline="\n")
    return folder


def _class_name(id: str) -> str:
    """Return the name of the mod's component: WindTunnel for wind_tunnel."""
    try:
        name = "".join(part.capitalize() for part in read_id(id).split("_"))
    except ValueError as error:
        raise ValueError(f"{id}: {error}") from None
    if name in api.__all__ or keyword.iskeyword(name) or id in built_in_source().data["prefabs"]:
        raise ValueError(f"{id}: the program has something of that name already: choose another")
    return name
