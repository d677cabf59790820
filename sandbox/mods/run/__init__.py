"""Mods in a running world: brought in, guarded, switched off."""
