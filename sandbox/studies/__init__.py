"""Studies: a scene run many times with other values, and what was measured put together.

study.py     what a study file says           read_study.py   reads and checks it       template.py   one to begin with
design.py    which values the points have     world.py        the world of a run        run.py        one run
running.py   what is still to be done         local.py        runs on this machine      journal.py    results so far
folder.py    the results of all runs          showing.py      as text                   points.py     by point
meanings.py  units and what things are        pictures.py     which pictures            panels.py     what they show
draw.py      by matplotlib                    report.py       as HTML, by plotly        plotting.py   into a folder
cluster.py   runs on a Dask cluster           worker.py     what a process that runs them keeps
extra.py     what must be installed for it
"""
