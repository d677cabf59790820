"""The command line: `main.py` has the commands, the other files what they share."""
