"""Scene files: what they may say, reading and writing them, and the scenes that come along."""
