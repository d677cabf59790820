"""A world from Python, for scripts and notebooks; `import sandbox` hands it out.

opening.py  new, load, loads                   sandbox.py  Sandbox, what they return
given.py    scenes and entries said in Python  columns.py  values as arrays          record.py  measures of a run
"""
