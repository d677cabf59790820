"""Divisions of space into cells: indexes for searches, capsules, amounts and noise."""
