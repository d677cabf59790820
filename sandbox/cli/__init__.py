"""The command line: each command, or group of them, has a file; `options.py` and `running.py` have what they share.

What a command needs is imported when it runs: `boids --help` starts without numpy, and `boids run` without graphics.
"""
