"""Makes the commands for `--set KEY=VALUE` on the command line and `sim.set(KEY, VALUE)` in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandbox.edit import Command, SetEnabled, SetField, SetParameter, SetSetting
from sandbox.serials import Serials

SYSTEM_OR_FIELD = "must be a system, SYSTEM.PARAMETER, COMPONENT.FIELD, PREFAB.COMPONENT.FIELD or world.SETTING"


def commands_to_set(key: str, value: Any, serials: Serials | None = None) -> Sequence[Command]:
    """Return the commands that together set the value of a key.

        flocking                        a system: enabled or not
        commit.reorder_every            a system's parameter
        Perception.radius               a field of all prefabs that have it, and of all living entities
        starling.Perception.radius      a field of one prefab, and of its living entities
        world.edges                     a setting of the world; `world.size` takes two numbers or three
        seed                            the seed of all random numbers from now on

    Args:
        value: as a scene file writes it.
        serials: set a field of only these entities.
    Raises:
        ValueError: the key has none of these forms. Whether the name exists is checked by the commands.
    """
    if not isinstance(key, str):
        raise ValueError(f"{key!r:.60}: {SYSTEM_OR_FIELD}")
    parts = key.rsplit(".", 2)
    is_field = len(parts) > 1 and parts[-2][:1].isupper()
    if serials is not None:
        if not is_field or len(parts) == 3:
            raise ValueError(f"{key}: for chosen entities only a field can be set, like Motion.max_speed")
        return [SetField(key, value, serials)] if serials else []
    if is_field:
        return [SetField(".".join(parts[-2:]), value, prefab=parts[0] if len(parts) == 3 else None)]
    if key == "seed":
        return [SetSetting("seed", value)]
    if parts[0] == "world" and len(parts) > 1:
        return _settings_commands(key.removeprefix("world."), value)
    if len(parts) == 2:
        return [SetParameter(parts[0], parts[1], value)]
    if len(parts) == 3:
        raise ValueError(f"{key}: {SYSTEM_OR_FIELD}")
    return [SetEnabled(key, value)]


def _settings_commands(name: str, value: Any) -> Sequence[Command]:
    """Return the commands that set a key of the `[world]` table."""
    if name != "size":
        return [SetSetting(name.removeprefix("turn."), value)]
    if not isinstance(value, list | tuple) or len(value) not in (2, 3):
        raise ValueError(f"world.size = {value!r}: must be 2 numbers: [width, height] or 3: [width, height, depth]")
    return [SetSetting(side, length) for side, length in zip(("width", "height", "depth"), value, strict=False)]
