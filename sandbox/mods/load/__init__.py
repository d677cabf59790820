"""Imports mods, and combines their parts with the built-in ones."""
