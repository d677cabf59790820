"""The panels around the world, a file each."""
