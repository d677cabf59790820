"""MOVE: from acceleration to position."""
