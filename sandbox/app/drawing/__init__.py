"""Draws the world: plain arrays in, pictures out."""
