"""Divisions of space into cells: indexes for searches, shapes, amounts and noise."""
