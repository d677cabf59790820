"""Separation, alignment and cohesion: the spatial index of the flock, the sums over neighbours, and the rules."""
