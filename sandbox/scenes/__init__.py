"""Scene files: their schema, reading and writing, and the bundled scenes."""
