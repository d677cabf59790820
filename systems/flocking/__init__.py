"""Separation, alignment and cohesion: the index of the flock, the sums over neighbours, and the rules."""
