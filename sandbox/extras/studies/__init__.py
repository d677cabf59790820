"""Studies: run a scene many times with different values, and aggregate what was measured.

study.py     a study as data                  read_study.py   reads and checks a file   template.py   a first file
format.py    the keys of study files          read_vary.py    reads `[vary]`            read_points.py reads a list
design.py    makes the points                 set_up.py       the world of a run        packages.py   needed packages
run.py       runs one run                     worker.py       runs in a process         again.py      repeats runs
executor.py  hands runs to Dask               run_study.py    runs what is left to do   plots.py      chooses pictures
store.py     results as they come             folder.py       the results of all runs   tables.py     made of results
checked.py   reads a stranger's tables        about.py        what a design says        files.py      recognises files
showing.py   results as text                  points.py       means by point            draw.py       with matplotlib
panels.py    the data of pictures             report.py       pictures into a folder    footer.py     the end of Parquet
script.py    for scripts and notebooks        commands.py, commands_run.py  `boids study`
window/      the panel Study
"""
