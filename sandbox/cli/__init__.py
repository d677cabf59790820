"""The command line: each command, or group of commands, has a file.

What they share is in `options.py`, `running.py`, `overlays.py` and `times.py`.

Commands import lazily what they need, so that `boids --help` starts without numpy, and `boids run` without graphics.
"""
