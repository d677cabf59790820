"""Every edit that a person can make, as a command: data that is applied between ticks and logged with its tick.

placing.py    Spawn, Paste                    removing.py        Despawn, Erase, Clear
moving.py     Move                            values.py          SetField, SetParameter, SetEnabled
prefabs.py    NewPrefab, RenamePrefab         resources.py       SetResource, SetSeed, SetSetting, SetHand
everybody.py  SetPrefabs                      undoing.py         Undo, Redo
kept_tables.py  SetTables                     setting.py         the commands for KEY = VALUE
value_now.py  the value of KEY                check_entry.py     whether entries and places are valid
queue.py      carries them out, logs them
"""

from __future__ import annotations

from components.motion import Position
from components.terrain import Wall
from sandbox.design.kept_kinds import KEPT
from sandbox.design.origins import Origins
from sandbox.design.prefabs import Brought
from sandbox.edit.command import Command
from sandbox.edit.everybody import SetPrefabs
from sandbox.edit.kept_tables import SetTables
from sandbox.edit.moving import Move
from sandbox.edit.placing import Paste, Spawn, copy_of
from sandbox.edit.prefabs import NewPrefab, RenamePrefab
from sandbox.edit.queue import Asked, CommandQueue, Commands, Done
from sandbox.edit.removing import Clear, Despawn, Erase
from sandbox.edit.resources import SetHand, SetResource, SetSeed, SetSetting
from sandbox.edit.undoing import Redo, Undo
from sandbox.edit.values import SetEnabled, SetField, SetParameter
from sandbox.undo.history import History
from systems.engine.app import App

__all__ = [
    "Asked",
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
    "SetEnabled",
    "SetField",
    "SetHand",
    "SetParameter",
    "SetPrefabs",
    "SetResource",
    "SetSeed",
    "SetSetting",
    "SetTables",
    "Spawn",
    "Undo",
    "copy_of",
]


def install(app: App) -> None:
    app.add_component(Position, Wall)
    app.add_resource(CommandQueue, History, Origins, Brought, *KEPT.values())
    app.add_system(Commands)
