"""Explains why an entity turns, in numbers and in sentences."""
