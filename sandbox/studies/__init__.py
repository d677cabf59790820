"""Studies: a scene run many times with other values, and what was measured put together.

study.py     what a study file says           read_study.py   reads and checks it       template.py   one to begin with
format.py    the keys that it may have        read_vary.py    what is varied            read_points.py a list of points
trial.py     whether values can be set        design.py       which values points have
world.py     the world of a run               run.py          one run                   moment.py     stands in it
running.py   what is still to be done         local.py        runs on this machine      journal.py    results so far
folder.py    the results of all runs          showing.py      as text                   points.py     by point
meanings.py  units and what things are        pictures.py     which pictures            panels.py     what they show
draw.py      by matplotlib                    report.py       as HTML, by plotly        plotting.py   into a folder
cluster.py   runs on a Dask cluster           worker.py       what runs them keeps     again.py      runs again
extra.py     what must be installed for it
"""
