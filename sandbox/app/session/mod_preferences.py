"""What people like of a mod: it declares the values, the settings file keeps those that are chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from components.store.fields import Field
from components.store.resources import Resource, as_column
from sandbox.app.preferences import Preferences


@dataclass(frozen=True, eq=False)
class ModPreferences:
    """One declaration.

    Attributes:
        name: its table in the settings file, "magnet.Poles".
        title: the mod's.
        values: what the mod reads.
    """

    name: str
    title: str
    values: Resource

    def recall(self, preferences: Preferences) -> list[str]:
        """Take over what was chosen before; returns sentences about what can't be: that stays as it is declared."""
        wrong = []
        for name, value in preferences.mods.get(self.name, {}).items():
            if name not in self.values.fields:
                continue  # of another version of the mod
            try:
                setattr(self.values, name, value)
            except ValueError as error:
                wrong.append(f"settings: {self.name}: {error}")
        return wrong

    def choose(self, field: Field, value: Any, preferences: Preferences) -> None:
        """Have a value from now on, and keep it where it is not as the mod declares it.

        Raises:
            ValueError: it can't be.
        """
        setattr(self.values, field.name, value)
        chosen = preferences.mods.setdefault(self.name, {})
        chosen[field.name] = value
        if self.values.stored[field.key] == as_column(field, field.default):
            del chosen[field.name]
        if not chosen:
            del preferences.mods[self.name]
