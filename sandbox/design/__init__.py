"""What a scene says, as data: its format, prefabs, entries, and the rules for them."""
