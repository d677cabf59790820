"""Measures of the world and of the program, over time."""
