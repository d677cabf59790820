"""Mods in a running world: adds them, guards their systems, and switches them off."""
