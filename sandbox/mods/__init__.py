"""Mods: folders with a `mod.toml` and Python files that add components, systems, tools and panels."""
