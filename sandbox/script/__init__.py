"""A world from Python, for scripts and notebooks; `import sandbox` hands it out.

opening.py  new, load, loads                   sandbox.py  Sandbox, what they return
given.py    scenes and entries said in Python  columns.py  values as arrays
study.py    studies, many runs
"""
