"""The command line: `main.py` has the commands, the other files what they share.

What a command needs is imported when it runs: `boids --help` starts without numpy, and `boids run` without graphics.
"""
