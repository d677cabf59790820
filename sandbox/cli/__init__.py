"""The command line: each command, or group of commands, has a file; `options.py` and `running.py` have what they share.

Commands import lazily what they need, so that `boids --help` starts without numpy, and `boids run` without graphics.
"""
