"""Finds mods, checks whether they are enabled, and sorts them. No code of a mod runs here."""
