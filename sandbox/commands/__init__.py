"""Every edit a person can make, as data: carried out between ticks, and logged with the tick.

placing.py    Spawn, Paste                    removing.py        Despawn, Erase, Clear
moving.py     Move                            values.py          SetField, SetParameter, Switch
prefabs.py    NewPrefab, RenamePrefab         world_settings.py  SetWorld
beckoning.py  Beckon                          undoing.py         Undo, Redo
mods.py       SwitchMod, StopMod, UseMods
queue.py      who carries them out
"""

from __future__ import annotations

from components.motion import Position
from components.terrain import Wall
from sandbox.beings import Beings, copy_of
from sandbox.commands.beckoning import Beckon
from sandbox.commands.command import Command, find_field, find_system
from sandbox.commands.mods import StopMod, SwitchMod, UseMods
from sandbox.commands.moving import Move
from sandbox.commands.placing import Paste, Spawn
from sandbox.commands.prefabs import NewPrefab, RenamePrefab
from sandbox.commands.queue import Asked, CommandQueue, Commands, Done
from sandbox.commands.removing import Clear, Despawn, Erase
from sandbox.commands.undoing import Redo, Undo
from sandbox.commands.values import SetField, SetParameter, Switch
from sandbox.commands.world_settings import SetWorld
from systems.core.install import App

__all__ = [
    "Asked",
    "Beckon",
    "Beings",
    "Clear",
    "Command",
    "CommandQueue",
    "Despawn",
    "Done",
    "Erase",
    "Move",
    "NewPrefab",
    "Paste",
    "Redo",
    "RenamePrefab",
    "SetField",
    "SetParameter",
    "SetWorld",
    "Spawn",
    "StopMod",
    "Switch",
    "SwitchMod",
    "Undo",
    "UseMods",
    "copy_of",
    "find_field",
    "find_system",
]


def install(app: App) -> None:
    app.add_component(Position, Wall)
    app.add_system(Commands())
