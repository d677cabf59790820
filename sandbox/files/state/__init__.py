"""The state of a world: as named arrays in one member of a recording, and as a digest."""
