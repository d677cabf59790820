"""The API for scripts and notebooks, which `import sandbox` exports.

worlds.py   new, load, loads                   sandbox.py  Sandbox, what they return
given.py    scenes and entries from Python     columns.py  values as arrays
"""
