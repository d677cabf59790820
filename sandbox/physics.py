"""The version of the simulation's results."""

PHYSICS = 1
"""Increased whenever the expected digest of any world changes. Recordings made with another value can't be replayed."""
