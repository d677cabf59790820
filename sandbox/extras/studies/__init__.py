"""Studies: run a scene many times with different values, and aggregate what was measured.

study.py     a study as data                  read_study.py   reads and checks a file   template.py   a first file
format.py    the keys of study files          read_vary.py    reads `[vary]`            read_points.py reads a list
trial.py     checks values and measures       design.py       makes the points          extra.py      needed packages
world.py     makes the world of a run         run.py          runs one run              worker.py     runs in a process
running.py   runs what is left to do          local.py        on this machine           cluster.py    on a Dask cluster
journal.py   results as they come             folder.py       the results of all runs   again.py      repeats runs
showing.py   results as text                  points.py       means by point            live.py       for the window
meanings.py  units and descriptions           pictures.py     chooses the pictures      panels.py     their data
draw.py      draws with matplotlib            report.py       as HTML, with plotly      plotting.py   into a folder
"""
