"""Preferences of mods: a mod declares fields, and the settings file stores the chosen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from components.store.fields import Field
from components.store.resources import Resource, as_stored
from sandbox.app.preferences import Preferences


@dataclass(frozen=True, eq=False)
class ModPreferences:
    """The preferences that one class of a mod declares.

    Attributes:
        name: the name of its table in the settings file, "magnet.Poles".
        title: the title of the mod.
        values: the object that the mod reads them by.
    """

    name: str
    title: str
    values: Resource

    def recall(self, preferences: Preferences) -> list[str]:
        """Load the stored values; return error messages for invalid ones, which keep their defaults."""
        wrong = []
        for name, value in preferences.mods.get(self.name, {}).items():
            if name not in self.values.fields:
                continue  # stored by another version of the mod
            try:
                setattr(self.values, name, value)
            except ValueError as error:
                wrong.append(f"settings: {self.name}: {error}")
        return wrong

    def choose(self, field: Field, value: Any, preferences: Preferences) -> None:
        """Set a value, and store it in the preferences if it differs from the default.

        Raises:
            ValueError: the value is invalid.
        """
        setattr(self.values, field.name, value)
        chosen = preferences.mods.setdefault(self.name, {})
        chosen[field.name] = value
        if self.values.stored[field.key] == as_stored(field, field.default):
            del chosen[field.name]
        if not chosen:
            del preferences.mods[self.name]
