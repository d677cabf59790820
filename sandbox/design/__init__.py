"""The contents of a scene as data: its format, prefabs, entries, and the rules that they must follow."""
