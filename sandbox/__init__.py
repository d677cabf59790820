"""Floor 3: the program."""
