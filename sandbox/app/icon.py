"""Icons by name."""

from __future__ import annotations


def icon_of(name: str) -> str:
    """The icon that Font Awesome calls so ("magnet", "wand-magic-sparkles"); any other text stands for itself."""
    if len(name) <= 1:
        return name
    from imgui_bundle import icons_fontawesome_6 as icons  # mods that have no tool run without the graphics library

    return str(getattr(icons, f"ICON_FA_{name.upper().replace('-', '_')}", name))
