"""Measures of the world and profiles of the program, over time."""
