"""Studies: a scene run many times with other values, and what was measured put together.

study.py     what a study file says           read_study.py   reads and checks it       template.py   one to begin with
design.py    which values the points have     world.py        the world of a run        run.py        one run
running.py   what is still to be done         local.py        runs on this machine      journal.py    results so far
folder.py    the results of all runs          showing.py      as text
"""
