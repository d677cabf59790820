"""What people can do, and the keys that do it."""
