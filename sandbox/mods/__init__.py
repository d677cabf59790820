"""Mods: folders with a `mod.toml` and Python that bring components, systems, tools and panels of their own."""
