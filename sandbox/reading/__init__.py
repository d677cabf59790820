"""Scene files, read: a TOML text becomes a scene, or every mistake in it with its place."""
