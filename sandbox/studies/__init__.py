"""Studies: a scene run many times with other values, and what was measured put together.

study.py     what a study file says           read_study.py   reads and checks it       template.py   one to begin with
format.py    the keys that it may have        read_vary.py    what is varied            read_points.py a list of points
trial.py     whether values can be set        design.py       which values points have  extra.py      what it needs
world.py     the world of a run               run.py          one run                   worker.py     keeps for all
running.py   what is still to be done         local.py        runs on this machine      cluster.py    on a Dask cluster
journal.py   results so far                   folder.py       the results of all runs   again.py      runs again
showing.py   as text                          points.py       by point                  live.py       for the window
meanings.py  units and what things are        pictures.py     which pictures            panels.py     what they show
draw.py      by matplotlib                    report.py       as HTML, by plotly        plotting.py   into a folder
"""
