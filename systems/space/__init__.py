"""Divisions of space into cells: spatial indexes, capsules, amounts and noise."""
