"""Opening a scene with settings from the command line: `--set KEY=VALUE`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.mods.load.loaded_mods import LoadedMods
    from sandbox.simulation import Simulation


def open_with(scene: str, seed: int | None, settings: list[str] | None, mods: LoadedMods) -> Simulation:
    """A simulation of a scene or snapshot, with these settings carried out as commands.

    Args:
        settings: "KEY=VALUE", see `sandbox.edit.setting`.
    Raises:
        ValueError: what can't be opened or set, and what would be right.
    """
    from sandbox.edit.setting import commands_to_set
    from sandbox.opening import load

    simulation = load(scene, seed, mods)
    for setting in settings or []:
        key, equals, text = setting.partition("=")
        if not equals:
            raise ValueError(f"--set {setting}: must be KEY=VALUE, like Flocker.cohesion_strength=9")
        for command in commands_to_set(key.strip(), _value(text)):
            simulation.submit(command)
    simulation.settle_commands()
    return simulation


def _value(text: str) -> Any:
    """A value as TOML writes it; a bare word is text."""
    import tomli

    try:
        return tomli.loads(f"value = {text}")["value"]
    except (tomli.TOMLDecodeError, ValueError, RecursionError):
        return text
