"""Icons: letters, or names of Font Awesome."""

from __future__ import annotations

from sandbox.window_part import Right


def icon_of(name: str) -> str:
    """Return Font Awesome's icon of a name ("magnet", "wand-magic-sparkles"); any other text is returned as it is."""
    if len(name) <= 1:
        return name
    from imgui_bundle import icons_fontawesome_6 as icons  # lazily, because mods also run without graphics

    return str(getattr(icons, f"ICON_FA_{name.upper().replace('-', '_')}", name))


ICON: Right = (
    lambda value: isinstance(value, str) and (len(value) <= 2 or icon_of(value) != value),
    'a letter, or the name of an icon of Font Awesome: "magnet"',
)
