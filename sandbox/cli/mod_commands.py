"""The commands that mods add to the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any

import typer

from sandbox.mods.find.trust import Trust

if TYPE_CHECKING:
    from sandbox.mods.load.loading import LoadedMod

PASSES = SystemExit, KeyboardInterrupt, typer.Exit, typer.Abort, typer.BadParameter


def commands_of_mods() -> tuple[Mapping[str, Any], list[str]]:
    """Return the commands of the enabled mods by name, and a sentence for each mod that should be on and is not."""
    if not Trust().enabled:
        return {}, []
    from sandbox.mods.load.library import own_library

    library = own_library()
    library.look()
    found = typer.Typer()
    for mod, brought in library.assembly.parts.items():
        for function in brought.commands:
            found.command()(_guarded(library.assembly.mods[mod], function))
    return typer.main.get_group(found).commands, library.problems


def _guarded(mod: LoadedMod, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that calls one of a mod; an error in it becomes a sentence with the mod, file and line."""

    @wraps(function)
    def run(*arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except PASSES:
            raise
        except BaseException as error:
            raise ValueError(mod.fault(error, f"command {function.__name__}").sentence) from error

    return run
