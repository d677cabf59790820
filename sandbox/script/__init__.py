"""The API for scripts and notebooks, which `import sandbox` exports.

opening.py  new, load, loads                   sandbox.py  Sandbox, what they return
given.py    scenes and entries from Python     columns.py  values as arrays
"""
