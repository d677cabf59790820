"""Scene files, written: the design of a running world put into the text it came from."""
