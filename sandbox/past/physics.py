"""Whether worlds run as they did."""

PHYSICS = 1
"""Rises whenever the expected digest of any world changes: a recording made with another one can't be run again."""
