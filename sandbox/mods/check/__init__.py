"""Trying a mod before anyone uses it: `boids mod check` and `boids mod new`."""
