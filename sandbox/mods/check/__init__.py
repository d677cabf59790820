"""Checks mods and creates new ones: `boids mod check` and `boids mod new`."""
